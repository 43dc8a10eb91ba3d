// Threads, Mutex, Condvar and mpsc of Rust's standard library.
use std::sync::{mpsc, Arc, Condvar, Mutex};
use std::thread;

fn main() {
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let (sender, receiver) = mpsc::channel();
    let mut threads = Vec::new();
    for id in 0..2 {
        let gate = Arc::clone(&gate);
        let sender = sender.clone();
        threads.push(thread::spawn(move || {
            let (open, opened) = &*gate;
            let mut is_open = open.lock().unwrap();
            while !*is_open {
                is_open = opened.wait(is_open).unwrap();
            }
            drop(is_open);
            for i in 0..2 {
                sender.send(id * 10 + i).unwrap();
            }
        }));
    }
    drop(sender);
    let (open, opened) = &*gate;
    *open.lock().unwrap() = true;
    opened.notify_all();
    let mut received: Vec<i32> = receiver.iter().collect();
    for thread in threads {
        thread.join().unwrap();
    }
    received.sort_unstable();
    println!("{:?}", received);
}
