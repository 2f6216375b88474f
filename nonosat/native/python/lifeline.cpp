#include "python/lifeline.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

namespace nonosat {

void exit_when_closed(int fd) {
  std::thread([fd] {
    pollfd watched{fd, 0, 0};  // POLLHUP and POLLERR are always reported
    while (poll(&watched, 1, -1) < 0 && errno == EINTR) {
    }
    _exit(0);
  }).detach();
}

}  // namespace nonosat
