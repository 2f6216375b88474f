// Ends a child process when its parent ends, whatever either of them is doing.
#pragma once

namespace nonosat {

// Starts a thread that ends the process (status 0) as soon as the other end of `fd` is closed. It
// needs no interpreter, so an engine that holds the GIL cannot delay it.
void exit_when_closed(int fd);

}  // namespace nonosat
