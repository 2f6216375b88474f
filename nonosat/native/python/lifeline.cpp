#include "python/lifeline.hpp"

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace nonosat {

namespace {

// Linux wakes whoever sleeps here when the other end is closed. Other systems may wake nobody, or
// at once and for nothing, unless data are asked for as well; but all tell when they are asked.
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
