// Descriptors of the shim behind objects that outlive the program's own descriptors. They have high numbers, so that
// the program's own numbers are as natively. Restoring the process closes them.
#pragma once

namespace raddle::hidden_descriptors {

// Moves the descriptor to a number that the program does not use. Returns it, or a negative number.
int hide(int fd);
void close(int fd);
bool is_hidden(int fd);

}  // namespace raddle::hidden_descriptors
