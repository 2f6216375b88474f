// A child process must not outlive its parent, whatever either of them is doing.
#pragma once

namespace nonosat {

// Starts a thread that ends the process (status 0) as soon as the other end of `fd` is closed.
// It needs no interpreter, so an engine that holds Python's lock cannot delay it.
void exit_when_closed(int fd);

}  // namespace nonosat
