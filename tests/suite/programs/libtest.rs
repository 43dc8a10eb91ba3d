use std::sync::{Arc, Mutex};
use std::thread;

#[test]
fn adds() {
    assert_eq!(1 + 1, 2);
}

mod moves {
    use super::*;

    fn moved(same_order: bool) {
        let (from, to) = (Arc::new(Mutex::new(0)), Arc::new(Mutex::new(0)));
        let (other_from, other_to) = (from.clone(), to.clone());
        let (first, second) = if same_order { (other_from, other_to) } else { (other_to, other_from) };
        let other = thread::spawn(move || {
            let _first = first.lock().unwrap();
            let _second = second.lock().unwrap();
        });
        {
            let _from = from.lock().unwrap();
            let _to = to.lock().unwrap();
        }
        other.join().unwrap();
    }

    #[test]
    fn in_order() {
        moved(true);
    }

    #[test]
    fn both_ways() {
        moved(false);
    }
}

mod counts {
    use super::*;

    #[test]
    fn in_one_step() {
        let count = Arc::new(Mutex::new(0));
        let other = count.clone();
        let thread = thread::spawn(move || *other.lock().unwrap() += 1);
        *count.lock().unwrap() += 1;
        thread.join().unwrap();
        assert_eq!(*count.lock().unwrap(), 2);
    }

    #[test]
    fn in_two_steps() {
        let count = Arc::new(Mutex::new(0));
        let add = |count: Arc<Mutex<i32>>| {
            let seen = *count.lock().unwrap();
            *count.lock().unwrap() = seen + 1;
        };
        let other = count.clone();
        let thread = thread::spawn(move || add(other));
        add(count.clone());
        thread.join().unwrap();
        assert_eq!(*count.lock().unwrap(), 2);
    }
}

#[test]
#[ignore]
fn off() {
    panic!();
}
