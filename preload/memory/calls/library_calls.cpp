// Accesses by libc's memory and string functions, on behalf of their callers. Only instrumented modules lead here:
// their tables of imported functions are changed before the program's own code runs. All other callers, including the
// shim and libc, get libc's functions. A call is treated like a reported call (calls.h): it is watched until it
// accesses shared memory, and visible from then on.
//
// A visible call does what libc's function does, in pieces, and announces each piece before it accesses memory. Pieces
// of memory are words, or lines of 64 bytes in long copies. Pieces of text are bytes: the function must not access
// memory behind the end of a text.
#include <elf.h>
#include <link.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "preload/base/raw.h"
#include "preload/memory/calls/call_effects.h"
#include "preload/memory/calls/calls.h"
#include "preload/memory/calls/library_calls.h"
#include "preload/memory/reported_calls.h"
#include "preload/memory/scratch.h"
#include "preload/memory/state.h"
#include "preload/schedule/canonical.h"

extern "C" [[noreturn]] void __chk_fail();

namespace raddle::memory {

namespace {

constexpr std::size_t no_limit = ~std::size_t{0};
constexpr std::uint64_t word = 8, line = 64, long_stretch = 512;

std::uint64_t at(const void* address) { return reinterpret_cast<std::uint64_t>(address); }
void* behind(void* begin, std::size_t bytes) { return static_cast<char*>(begin) + bytes; }

// One call of such a function.
class LibraryCall {
public:
    explicit LibraryCall(const void* caller) : caller_(at(caller)), visible_(is_visible_call(caller_)), error_(errno) {}
    ~LibraryCall() {
        end_probe();
        errno = error_;
    }
    LibraryCall(const LibraryCall&) = delete;
    LibraryCall& operator=(const LibraryCall&) = delete;

    void* copy(void* to, const void* from, std::size_t bytes) {
        if (!visible_) {
            announce(Operation::memory_read, at(from), bytes);
            announce(Operation::memory_write, at(to), bytes);
            return std::memmove(to, from, bytes);
        }
        const bool backwards = at(to) - at(from) < bytes;
        for (std::size_t done = 0; done < bytes;) {
            const std::size_t piece = piece_of(at(to), bytes, done, backwards);
            const std::size_t offset = backwards ? bytes - done - piece : done;
            unsigned char content[line];
            announce(Operation::memory_read, at(from) + offset, piece);
            std::memcpy(content, static_cast<const char*>(from) + offset, piece);
            announce(Operation::memory_write, at(to) + offset, piece);
            std::memcpy(static_cast<char*>(to) + offset, content, piece);
            done += piece;
        }
        return to;
    }

    void* fill(void* to, int byte, std::size_t bytes) {
        for (std::size_t done = 0; done < bytes;) {
            const std::size_t piece = visible_ ? piece_of(at(to), bytes, done, false) : bytes;
            announce(Operation::memory_write, at(to) + done, piece);
            std::memset(static_cast<char*>(to) + done, byte, piece);
            done += piece;
        }
        return to;
    }

    int compare(const void* one, const void* other, std::size_t bytes) {
        for (std::size_t done = 0; done < bytes;) {
            const std::size_t piece = visible_ ? piece_of(at(one), bytes, done, false) : bytes;
            unsigned char content[line];
            announce(Operation::memory_read, at(one) + done, piece);
            if (visible_) std::memcpy(content, static_cast<const char*>(one) + done, piece);
            announce(Operation::memory_read, at(other) + done, piece);
            const void* first = static_cast<const char*>(one) + done;
            if (visible_) first = content;
            if (const int difference = std::memcmp(first, static_cast<const char*>(other) + done, piece);
                difference != 0)
                return difference;
            done += piece;
        }
        return 0;
    }

    void* find(const void* in, int byte, std::size_t bytes) {
        const auto* text = static_cast<const unsigned char*>(in);
        for (std::size_t i = 0; i < bytes; ++i)
            if (read_byte(text + i) == static_cast<unsigned char>(byte)) return const_cast<unsigned char*>(text + i);
        return nullptr;
    }

    std::size_t length(const char* text, std::size_t most) {
        std::size_t i = 0;
        while (i < most && read_byte(text + i) != 0) ++i;
        return i;
    }

    // Returns the address of the copy's terminating zero.
    char* copy_text(char* to, const char* from, std::size_t most) {
        for (std::size_t i = 0; i < most; ++i) {
            const unsigned char byte = read_byte(from + i);
            write_byte(to + i, byte);
            if (byte == 0) return to + i;
        }
        write_byte(to + most, 0);
        return to + most;
    }
    char* copy_padded(char* to, const char* from, std::size_t bytes) {
        bool ended = false;
        for (std::size_t i = 0; i < bytes; ++i) {
            const unsigned char byte = ended ? 0 : read_byte(from + i);
            ended |= byte == 0;
            write_byte(to + i, byte);
        }
        return to;
    }

    int compare_texts(const char* one, const char* other, std::size_t most) {
        for (std::size_t i = 0; i < most; ++i) {
            const int a = read_byte(one + i), b = read_byte(other + i);
            if (a != b) return a - b;
            if (a == 0) return 0;
        }
        return 0;
    }

    char* find_in_text(const char* in, int byte, bool last) {
        const char* found = nullptr;
        for (;; ++in) {
            const unsigned char here = read_byte(in);
            if (here == static_cast<unsigned char>(byte)) found = in;
            if (here == 0 || (found != nullptr && !last)) return const_cast<char*>(found);
        }
    }

    char* duplicate(const char* text, std::size_t most) {
        const std::size_t bytes = length(text, most);
        auto* copied = static_cast<char*>(std::malloc(bytes + 1));
        if (copied == nullptr) {
            error_ = errno;
            return nullptr;
        }
        copy(copied, text, bytes);
        write_byte(copied + bytes, 0);
        return copied;
    }

    // vsnprintf(). `room` and `size` (of the memory at `to`) may be no_limit.
    int print(char* to, std::size_t room, std::size_t size, const char* format, va_list list) {
        errno = error_;
        if (!visible_) return print_at_once(to, room, size, format, list);
        va_list again;
        va_copy(again, list);
        const int printed = std::vsnprintf(nullptr, 0, format, again);
        va_end(again);
        if (printed >= 0 && room > 0) {
            const std::size_t bytes = static_cast<std::size_t>(printed) + 1, given = bytes < room ? bytes : room;
            if ((room != no_limit ? room : bytes) > size) __chk_fail();
            unsigned char* const text = scratch::take(bytes);
            errno = error_;
            std::vsnprintf(reinterpret_cast<char*>(text), bytes, format, list);
            text[given - 1] = 0;
            write(to, text, given);
            scratch::give_back(text, bytes);
        }
        error_ = errno;
        return printed;
    }

private:
    int print_at_once(char* to, std::size_t room, std::size_t size, const char* format, va_list list) {
        const std::size_t most = room < size ? room : size;
        const int printed = most == no_limit ? std::vsprintf(to, format, list) : std::vsnprintf(to, most, format, list);
        error_ = errno;
        if (printed < 0) return printed;
        const std::size_t bytes = static_cast<std::size_t>(printed) + 1, given = bytes < room ? bytes : room;
        if ((room != no_limit ? room : bytes) > size) __chk_fail();
        announce(Operation::memory_write, at(to), given);
        return printed;
    }

    // The source is the shim's own memory.
    void write(char* to, const unsigned char* from, std::size_t bytes) {
        for (std::size_t done = 0; done < bytes;) {
            const std::size_t piece = visible_ ? piece_of(at(to), bytes, done, false) : bytes;
            announce(Operation::memory_write, at(to) + done, piece);
            std::memcpy(to + done, from + done, piece);
            done += piece;
        }
    }

    // The size of the next piece: up to the next boundary of a word or a line; backwards, down to the last one.
    static std::size_t piece_of(std::uint64_t begin, std::size_t bytes, std::size_t done, bool backwards) {
        const std::uint64_t unit = bytes > long_stretch ? line : word;
        const std::uint64_t address = backwards ? begin + bytes - done : begin + done;
        const std::uint64_t to_edge = backwards ? (address - 1) % unit + 1 : unit - address % unit;
        return to_edge < bytes - done ? to_edge : bytes - done;
    }

    unsigned char read_byte(const void* address) {
        announce(Operation::memory_read, at(address), 1);
        return *static_cast<const volatile unsigned char*>(address);
    }
    void write_byte(void* address, unsigned char byte) {
        announce(Operation::memory_write, at(address), 1);
        *static_cast<volatile unsigned char*>(address) = byte;
    }

    // Announces an access to these bytes. A crash from here on counts as the caller's.
    void announce(Operation operation, std::uint64_t address, std::uint64_t bytes) const {
        end_probe();
        raddle_memory_plain(address, bytes, operation == Operation::memory_read ? reads : writes, caller_, nullptr);
        begin_probe(caller_ - 1, nullptr);
    }

    const std::uint64_t caller_;
    const bool visible_;
    int error_;
};

// ---- the functions, and the original entries of the tables

namespace libc {
#define RADDLE_MEMORY_FUNCTION(type, name, parameters, arguments, how) type(*name) parameters = nullptr;
#include "preload/memory/calls/functions.def"
#undef RADDLE_MEMORY_FUNCTION
#define RADDLE_PLAIN_CALL(type, name, parameters, arguments) type(*name) parameters = nullptr;
#define RADDLE_PRINTING_CALL(name, parameters, to, room, size, format) int(*name) parameters = nullptr;
#define RADDLE_PRINTING_LIST(name, parameters, to, room, size, format) int(*name) parameters = nullptr;
#include "preload/memory/calls/plain_calls.def"
}  // namespace libc

namespace followed {
#define RADDLE_MEMORY_FUNCTION(type, name, parameters, arguments, how) \
    type name parameters {                                             \
        if (!active) return libc::name arguments;                      \
        LibraryCall call(__builtin_return_address(0));                 \
        return how;                                                    \
    }
#include "preload/memory/calls/functions.def"
#undef RADDLE_MEMORY_FUNCTION
#define RADDLE_PLAIN_CALL(type, name, parameters, arguments)                                             \
    type name parameters {                                                                               \
        return effects::follow<effects::rows_of(#name)>(__builtin_return_address(0),                     \
                                                        [&] { return libc::name arguments; }) arguments; \
    }
#define RADDLE_PRINTING_LIST(name, parameters, to, room, size, format) \
    int name parameters { return LibraryCall(__builtin_return_address(0)).print(to, room, size, format, list); }
#define RADDLE_PRINTING_CALL(name, parameters, to, room, size, format)                                    \
    int name parameters {                                                                                 \
        va_list list;                                                                                     \
        va_start(list, format);                                                                           \
        const int printed = LibraryCall(__builtin_return_address(0)).print(to, room, size, format, list); \
        va_end(list);                                                                                     \
        return printed;                                                                                   \
    }
#include "preload/memory/calls/plain_calls.def"
}  // namespace followed

struct Row {
    const char* name;
    void** original;
    void* ours;
};
const Row functions[] = {
#define RADDLE_MEMORY_FUNCTION(type, name, parameters, arguments, how) \
    {#name, reinterpret_cast<void**>(&libc::name), reinterpret_cast<void*>(&followed::name)},
#include "preload/memory/calls/functions.def"
#undef RADDLE_MEMORY_FUNCTION
#define RADDLE_ROW(name) {#name, reinterpret_cast<void**>(&libc::name), reinterpret_cast<void*>(&followed::name)},
#define RADDLE_PLAIN_CALL(type, name, ...) RADDLE_ROW(name)
#define RADDLE_PRINTING_CALL(name, ...) RADDLE_ROW(name)
#define RADDLE_PRINTING_LIST(name, ...) RADDLE_ROW(name)
#include "preload/memory/calls/plain_calls.def"
#undef RADDLE_ROW
};

// The table of imported functions of a module, found by its dynamic section.
class Linkage {
public:
    Linkage(const canonical::Module& module, const dl_phdr_info& info) : module_(module) {
        const ElfW(Dyn)* entry = nullptr;
        for (ElfW(Half) i = 0; i < info.dlpi_phnum; ++i) {
            const ElfW(Phdr)& segment = info.dlpi_phdr[i];
            if (segment.p_type == PT_DYNAMIC)
                entry = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + segment.p_vaddr);
            if (segment.p_type != PT_GNU_RELRO) continue;
            sealed_begin_ = info.dlpi_addr + segment.p_vaddr;
            sealed_end_ = sealed_begin_ + segment.p_memsz;
        }
        for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) take(*entry);
    }

    void redirect() {
        if (symbols_ == 0 || strings_ == 0) return;
        redirect(tables_[0], bytes_[0]);
        redirect(tables_[1], bytes_[1]);
    }

private:
    void take(const ElfW(Dyn) & entry) {
        const std::uint64_t value = entry.d_un.d_val;
        // Some loaders relocate these entries, others do not.
        const std::uint64_t address = value < module_.base ? value + module_.base : value;
        switch (entry.d_tag) {
            case DT_SYMTAB: symbols_ = address; break;
            case DT_STRTAB: strings_ = address; break;
            case DT_RELA: tables_[0] = address; break;
            case DT_RELASZ: bytes_[0] = value; break;
            case DT_JMPREL: tables_[1] = address; break;
            case DT_PLTRELSZ: bytes_[1] = value; break;
            default: break;
        }
    }

    void redirect(std::uint64_t table, std::uint64_t bytes) {
        if (table == 0) return;
        const auto* entries = reinterpret_cast<const ElfW(Rela)*>(table);
        for (std::uint64_t i = 0; i < bytes / sizeof(ElfW(Rela)); ++i) {
            const auto type = ELF64_R_TYPE(entries[i].r_info);
            if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
            const auto& symbol = reinterpret_cast<const ElfW(Sym)*>(symbols_)[ELF64_R_SYM(entries[i].r_info)];
            redirect(reinterpret_cast<const char*>(strings_ + symbol.st_name), module_.base + entries[i].r_offset);
        }
    }

    void redirect(const char* name, std::uint64_t slot) {
        for (const Row& row : functions) {
            if (std::strcmp(row.name, name) != 0) continue;
            auto* const cell = reinterpret_cast<void**>(slot);
            const std::uint64_t leads_to = at(*cell);
            // A function of the module itself is instrumented already.
            if (leads_to == 0 || *cell == row.ours || (leads_to >= module_.begin && leads_to < module_.end)) return;
            constexpr std::uint64_t page = 4096;
            const bool sealed = slot >= sealed_begin_ && slot < sealed_end_;
            const std::uint64_t begin = slot & ~(page - 1);
            if (sealed && raw::failed(raw::call(SYS_mprotect, begin, page, PROT_READ | PROT_WRITE))) return;
            *row.original = *cell;
            *cell = row.ours;
            if (sealed) raw::call(SYS_mprotect, begin, page, PROT_READ);
            return;
        }
    }

    const canonical::Module& module_;
    std::uint64_t symbols_ = 0, strings_ = 0;
    std::uint64_t tables_[2] = {}, bytes_[2] = {};
    std::uint64_t sealed_begin_ = 0, sealed_end_ = 0;
};

int redirect_if_it_is(dl_phdr_info* info, std::size_t, void* wanted) {
    const auto& module = *static_cast<const canonical::Module*>(wanted);
    if (info->dlpi_addr != module.base) return 0;
    Linkage(module, *info).redirect();
    return 1;
}

}  // namespace

void redirect_calls_of(const canonical::Module& module) {
    dl_iterate_phdr(redirect_if_it_is, const_cast<canonical::Module*>(&module));
}

}  // namespace raddle::memory
