// Makes a thread's stack and TLS block as glibc would, and runs threads as fibers of one kernel thread.
//
// The control block is filled in as pthread_create would do. The ABI does not fix the offsets of some of its fields.
// They come from glibc's own table for debuggers (_thread_db_*), or from the kernel (the robust list).
#include "preload/threads/backend.h"

#include <asm/prctl.h>
#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/single_threaded.h>

#include <cstring>

#include "preload/base/fixed_memory.h"
#include "preload/base/lookup.h"
#include "preload/base/raw.h"
#include "preload/threads/kernel_threads.h"

// raddle_switch_stacks(void** save, void* resume): parks the caller and resumes the fiber that was parked at `resume`.
// raddle_fiber_start: the outermost frame of a fiber. "rip undefined" tells every unwinder to stop there. Unwinders
// look up the instruction before a return address; for fibers that have not run yet, that is the nop.
__asm__(R"(
    .pushsection .text
    .local raddle_switch_stacks
    .type raddle_switch_stacks, @function
raddle_switch_stacks:
    .cfi_startproc
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %rbp, 0
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %rbx, 0
    pushq %r12
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %r12, 0
    pushq %r13
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %r13, 0
    pushq %r14
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %r14, 0
    pushq %r15
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %r15, 0
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    ldmxcsr (%rsp)
    fldcw 4(%rsp)
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq %r15
    .cfi_adjust_cfa_offset -8
    .cfi_restore %r15
    popq %r14
    .cfi_adjust_cfa_offset -8
    .cfi_restore %r14
    popq %r13
    .cfi_adjust_cfa_offset -8
    .cfi_restore %r13
    popq %r12
    .cfi_adjust_cfa_offset -8
    .cfi_restore %r12
    popq %rbx
    .cfi_adjust_cfa_offset -8
    .cfi_restore %rbx
    popq %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore %rbp
    ret
    .cfi_endproc
    .size raddle_switch_stacks, .-raddle_switch_stacks

    .cfi_startproc
    .cfi_undefined %rip
    nop
    .local raddle_fiber_start
    .type raddle_fiber_start, @function
raddle_fiber_start:
    movq %r12, %rdi
    xorl %ebp, %ebp
    call *%rbx
    ud2
    .cfi_endproc
    .size raddle_fiber_start, .-raddle_fiber_start
    .popsection
)");

extern "C" {
void raddle_switch_stacks(void** save, void* resume);
void raddle_fiber_start();
}

namespace raddle::backend {

namespace {

// The part of glibc's tcbhead_t that is fixed by the x86-64 ABI.
struct ControlBlock {
    void* tcb;
    void* dtv;
    void* self;
    int multiple_threads;
    int gscope;
    std::uintptr_t sysinfo;
    std::uintptr_t stack_guard;
    std::uintptr_t pointer_guard;
};

struct Glibc {
    void* (*allocate_tls)(void*);
    void (*deallocate_tls)(void*, bool);
    void (*call_tls_dtors)();
    void (*ctype_init)();
    std::size_t static_bytes;  // size of a TLS block with its control block
    std::size_t static_align;
    std::size_t control_bytes;  // sizeof(struct pthread)
    std::size_t tid_offset;
    std::size_t robust_offset;  // 0: not known
    std::size_t list_offset;    // of the links in glibc's list of threads; 0: not known
    std::ptrdiff_t rseq_offset;
    bool has_rseq;
    bool kernel_writes_rseq;
    bool can_write_fs;
};
Glibc glibc;
ControlBlock* main_block;

ControlBlock* current_block() {
    ControlBlock* block;
    __asm__("movq %%fs:16, %0" : "=r"(block));
    return block;
}

template <typename Function>
bool find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(lookup::in(RTLD_DEFAULT, name));
    return function != nullptr;
}

// A field in glibc's table for debuggers: size in bits, number of elements, offset.
struct FieldForDebuggers {
    std::uint32_t bits, elements, offset;
};

bool find_tid() {
    const FieldForDebuggers* field;
    const auto own = static_cast<std::int32_t>(raw::call(SYS_gettid));
    const char* block = reinterpret_cast<const char*>(main_block);
    if (find(field, "_thread_db_pthread_tid") && field->offset + sizeof own <= glibc.control_bytes) {
        glibc.tid_offset = field->offset;
        return true;
    }
    for (std::size_t at = sizeof(ControlBlock); at + sizeof own <= glibc.control_bytes; at += sizeof own) {
        if (std::memcmp(block + at, &own, sizeof own) != 0) continue;
        glibc.tid_offset = at;
        return true;
    }
    return false;
}

void find_robust_list() {
    char* head = nullptr;
    std::size_t bytes = 0;
    const long result = raw::call(SYS_get_robust_list, 0, &head, &bytes);
    const std::ptrdiff_t offset = head - reinterpret_cast<char*>(main_block);
    if (!raw::failed(result) && offset > 0 && offset + 32 < static_cast<std::ptrdiff_t>(glibc.control_bytes))
        glibc.robust_offset = static_cast<std::size_t>(offset);
}

void set_fs(void* block) {
    if (glibc.can_write_fs)
        __asm__ volatile("wrfsbase %0" ::"r"(block) : "memory");
    else
        raw::call(SYS_arch_prctl, ARCH_SET_FS, block);
}

// As glibc does where the kernel has no restartable sequences.
void mark_without_rseq(ControlBlock* block) {
    constexpr std::int32_t registration_failed = -2;
    std::memcpy(reinterpret_cast<char*>(block) + glibc.rseq_offset + 4, &registration_failed,
                sizeof registration_failed);
}

// The kernel writes the number of the processor there at any time.
void end_rseq_of_main() {
    constexpr long unregister = 1, signature = 0x53053053, glibcs_bytes = 32;
    char* area = reinterpret_cast<char*>(main_block) + glibc.rseq_offset;
    if (raw::failed(raw::call(SYS_rseq, area, glibcs_bytes, unregister, signature))) return;
    std::memset(area, 0, glibcs_bytes);
    mark_without_rseq(main_block);
    glibc.kernel_writes_rseq = false;
}

void fill_in(ControlBlock* block, std::uint32_t number) {
    char* bytes = reinterpret_cast<char*>(block);
    block->tcb = block;
    block->self = block;
    block->multiple_threads = 1;
    block->sysinfo = main_block->sysinfo;
    block->stack_guard = main_block->stack_guard;
    block->pointer_guard = main_block->pointer_guard;
    // libc only compares these ids. The kernel's would differ in each process.
    std::int32_t tid;
    std::memcpy(&tid, reinterpret_cast<char*>(main_block) + glibc.tid_offset, sizeof tid);
    tid += static_cast<std::int32_t>(number);
    std::memcpy(bytes + glibc.tid_offset, &tid, sizeof tid);
    if (glibc.robust_offset != 0) {
        // struct robust_list_head: an empty list points to itself. glibc keeps the last entry in the word before it.
        void* head = bytes + glibc.robust_offset;
        std::memcpy(head, &head, sizeof head);
        std::memcpy(bytes + glibc.robust_offset - sizeof head, &head, sizeof head);
    }
    if (glibc.list_offset != 0) {
        // The thread is in no list, but fork unlinks it from one: its links point to itself.
        void* links[2] = {bytes + glibc.list_offset, bytes + glibc.list_offset};
        std::memcpy(bytes + glibc.list_offset, links, sizeof links);
    }
    if (glibc.has_rseq) mark_without_rseq(block);
}

// The registers in the order in which raddle_switch_stacks pops them. cli/gdb_commands/frames.py reads them, too.
struct SavedRegisters {
    std::uint32_t mxcsr;
    std::uint16_t x87_control;
    std::uint16_t unused;
    void *r15, *r14, *r13, *r12, *rbx, *rbp, *rip;
};

}  // namespace

Kind kind = Kind::fibers;

const char* prepare(std::int32_t main_id) {
    const std::uint32_t* size = nullptr;
    void (*static_info)(std::size_t*, std::size_t*) = nullptr;
    if (!find(glibc.allocate_tls, "_dl_allocate_tls") || !find(glibc.deallocate_tls, "_dl_deallocate_tls") ||
        !find(glibc.call_tls_dtors, "__call_tls_dtors") || !find(glibc.ctype_init, "__ctype_init") ||
        !find(static_info, "_dl_get_tls_static_info") || !find(size, "_thread_db_sizeof_pthread"))
        return "raddle cannot make threads with this C library (glibc 2.34 or later is needed)";
    static_info(&glibc.static_bytes, &glibc.static_align);
    if (glibc.static_align < 64) glibc.static_align = 64;
    glibc.control_bytes = *size;
    main_block = current_block();
    if (!find_tid())
        return "raddle does not find the thread id in this C library's control block (glibc 2.34 or later is needed)";
    find_robust_list();
    const FieldForDebuggers* list = nullptr;
    if (find(list, "_thread_db_pthread_list") && list->offset + 2 * sizeof(void*) <= glibc.control_bytes)
        glibc.list_offset = list->offset;
    const std::ptrdiff_t* rseq_offset = nullptr;
    const unsigned* rseq_size = nullptr;
    if (find(rseq_offset, "__rseq_offset") && find(rseq_size, "__rseq_size")) {
        glibc.rseq_offset = *rseq_offset;
        glibc.has_rseq =
            glibc.rseq_offset > 0 && glibc.rseq_offset + 32 <= static_cast<std::ptrdiff_t>(glibc.control_bytes);
    }
    glibc.kernel_writes_rseq = glibc.has_rseq;
    if (glibc.has_rseq) end_rseq_of_main();
    if (main_id != 0) set_id_of_main(main_id);
    constexpr unsigned long fsgsbase = 2;
    glibc.can_write_fs = (getauxval(AT_HWCAP2) & fsgsbase) != 0;
    __libc_single_threaded = 0;
    return nullptr;
}

std::int32_t set_id_of_main(std::int32_t id) {
    char* const field = reinterpret_cast<char*>(main_block) + glibc.tid_offset;
    std::int32_t before;
    std::memcpy(&before, field, sizeof before);
    std::memcpy(field, &id, sizeof id);
    return before;
}

void adopt_main(ThreadContext& main) { main.self = current_block(); }

bool spawn(ThreadContext& context, const Shape& shape, void (*entry)(void*), void* argument) {
    char* bottom = shape.users_stack;
    std::size_t bytes = shape.stack_bytes;
    if (bottom == nullptr) {
        // The memory below is never mapped, so it serves as the guard.
        bytes = (bytes + 4095) & ~std::size_t{4095};
        bottom = reinterpret_cast<char*>(shape.stack_end - bytes);
        if (!fixed_memory::take_stack(shape.number, bottom, bytes)) return false;
    }
    const auto end = reinterpret_cast<std::uintptr_t>(bottom + bytes);
    auto* block = reinterpret_cast<ControlBlock*>((end - glibc.control_bytes) & ~(glibc.static_align - 1));
    if (shape.users_stack != nullptr)
        std::memset(static_cast<void*>(block), 0, end - reinterpret_cast<std::uintptr_t>(block));
    if (glibc.allocate_tls(block) == nullptr) return false;
    fill_in(block, shape.number);

    auto top = reinterpret_cast<std::uintptr_t>(block) + glibc.control_bytes - glibc.static_bytes;
    top = (top & ~std::uintptr_t{63}) - 64;
    auto* saved = reinterpret_cast<SavedRegisters*>(top - sizeof(SavedRegisters));
    *saved = {};
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(saved->mxcsr), "=m"(saved->x87_control));
    saved->rbx = reinterpret_cast<void*>(entry);
    saved->r12 = argument;
    saved->rip = reinterpret_cast<void*>(&raddle_fiber_start);

    context.stack_pointer = saved;
    context.self = block;
    context.entry = entry;
    context.argument = argument;
    context.stack = bottom;
    context.stack_bytes = bytes;
    context.guard_bytes = shape.guard_bytes;
    context.stack_is_users = shape.users_stack != nullptr;
    if (kind == Kind::fibers) return true;
    if (kernel_threads::start(context, saved)) return true;
    glibc.deallocate_tls(block, false);
    return false;
}

void switch_to(ThreadContext& from, ThreadContext& to) {
    if (kind == Kind::kernel_threads) [[unlikely]] {
        kernel_threads::hand_over(from, to);
        return;
    }
    set_fs(to.self);
    raddle_switch_stacks(&from.stack_pointer, to.stack_pointer);
}

void become(const ThreadContext& context) { set_fs(context.self); }

void finish(ThreadContext& from, ThreadContext& to) {
    if (kind == Kind::kernel_threads) kernel_threads::end_after(to);
    switch_to(from, to);
    __builtin_trap();
}

void finish_parked(ThreadContext& context) {
    if (kind == Kind::kernel_threads) kernel_threads::end(context);
}

void release(ThreadContext& context) {
    if (kind == Kind::kernel_threads) kernel_threads::wait_for_end(context);
    glibc.deallocate_tls(context.self, false);
}

void show_name(const ThreadContext& context, const char* name) {
    if (kind == Kind::kernel_threads) kernel_threads::show_name(context.kernel_id, name);
}

KernelsWords kernels_words() {
    if (!glibc.kernel_writes_rseq) return {nullptr, 0};
    return {reinterpret_cast<const std::uint64_t*>(reinterpret_cast<const char*>(main_block) + glibc.rseq_offset), 4};
}

void initialise_current() { glibc.ctype_init(); }

std::size_t thread_local_bytes() { return glibc.static_bytes - glibc.control_bytes; }
void run_thread_local_destructors() { glibc.call_tls_dtors(); }

}  // namespace raddle::backend
