// libc reads streams unseen. A thread that is about to read waits for input first, before it takes the stream's lock.
#include "preload/hooks/files/descriptors.h"
#include "preload/hooks/files/external.h"
#include "preload/intercept/callbacks.h"
#include "preload/intercept/real.h"

namespace raddle::hooks {

namespace {

bool has_input(void* argument) {
    const FILE& stream = *static_cast<FILE*>(argument);
    if (stream._IO_read_ptr < stream._IO_read_end) return true;
    pollfd one{stream._fileno, POLLIN, 0};
    const timespec now{};
    return raw::call(SYS_ppoll, &one, 1, &now, nullptr, 8L) != 0;
}

void wait_for_input(FILE* stream) {
    // libc reads the descriptor only if its buffer is empty, and acts on a cancellation there.
    if (stream != nullptr && stream->_IO_read_ptr >= stream->_IO_read_end) cancellation::point();
    if (!recorded() || stream == nullptr || stream->_fileno < 0 || stream->_IO_read_ptr < stream->_IO_read_end) return;
    if (fds::nature_of(stream->_fileno) == fds::Nature::plain) return;
    const Thread& me = scheduler::current();
    external::used = true;
    external::Wait& wait = external::wait_of(me);
    do {  // another thread may have read the input
        wait = {};
        wait.condition = has_input;
        wait.argument = stream;
        act(point(fds::external_wait()));
    } while (recorded() && !has_input(stream));
}

}  // namespace

char* fgets(char* buffer, int bytes, FILE* stream) {
    wait_for_input(stream);
    return real::fgets(buffer, bytes, stream);
}
char* __fgets_chk(char* buffer, size_t room, int bytes, FILE* stream) {
    wait_for_input(stream);
    return real::__fgets_chk(buffer, room, bytes, stream);
}
int fgetc(FILE* stream) {
    wait_for_input(stream);
    return real::fgetc(stream);
}
int getc(FILE* stream) {
    wait_for_input(stream);
    return real::getc(stream);
}
int getchar() {
    wait_for_input(stdin);
    return real::getchar();
}
size_t fread(void* buffer, size_t bytes, size_t count, FILE* stream) {
    wait_for_input(stream);
    return real::fread(buffer, bytes, count, stream);
}
size_t __fread_chk(void* buffer, size_t room, size_t bytes, size_t count, FILE* stream) {
    wait_for_input(stream);
    return real::__fread_chk(buffer, room, bytes, count, stream);
}
ssize_t getline(char** line, size_t* bytes, FILE* stream) {
    wait_for_input(stream);
    return real::getline(line, bytes, stream);
}
ssize_t getdelim(char** line, size_t* bytes, int end, FILE* stream) {
    wait_for_input(stream);
    return real::getdelim(line, bytes, end, stream);
}
ssize_t __getdelim(char** line, size_t* bytes, int end, FILE* stream) {
    wait_for_input(stream);
    return real::__getdelim(line, bytes, end, stream);
}

}  // namespace raddle::hooks
