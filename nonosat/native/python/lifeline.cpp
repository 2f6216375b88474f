#include "python/lifeline.hpp"

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace nonosat {

namespace {

// On Linux, `poll` returns when the other end is closed. On other systems it may never return, or
// return immediately without an event, unless data are requested as well; but a call without a
// timeout reports a closed end everywhere.
#ifdef __linux__
constexpr int kPatienceMs = -1;
constexpr std::chrono::milliseconds kPause{0};
#else
constexpr int kPatienceMs = 0;
constexpr std::chrono::milliseconds kPause{50};
#endif

}  // namespace

void exit_when_closed(int fd) {
  std::thread([fd] {
    pollfd watched{fd, POLLHUP, 0};
    while (poll(&watched, 1, kPatienceMs) <= 0 || watched.revents == 0) {
      std::this_thread::sleep_for(kPause);
    }
    _exit(0);
  }).detach();
}

}  // namespace nonosat
