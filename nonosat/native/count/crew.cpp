#include "count/crew.hpp"

#include <chrono>
#include <system_error>
#include <utility>

namespace nonosat {
namespace {

// Number of times that a waiting thread yields before it sleeps: about 0.1 ms, because waking all
// threads takes longer than a small layer of a frontier.
constexpr int kYields = 200;
constexpr int64_t kYieldWork = 1000;  // units of work for each time
// Time that the owner then sleeps at a time, and its units of work.
constexpr std::chrono::microseconds kSleep{100};
constexpr int64_t kSleepWork = 100'000;

#ifdef __wasm__
constexpr bool kHasThreads = false;  // the page runs the core in one thread
#else
constexpr bool kHasThreads = true;
#endif

}  // namespace

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    ++num_pieces_;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Crew::each(int64_t num_parts, const Work& work, Watch& watch) {
  if (num_parts > 1) start();  // may throw
  work_ = &work;
  is_cancelled_ = false;
  num_unfinished_ = num_parts;
  num_left_ = num_parts - 1;  // publishes the piece of work
  if (num_parts > 1 && size_ > 1) {
    {
      const std::lock_guard lock(mutex_);
      ++num_pieces_;
    }
    changed_.notify_all();
  }
  carry_out(0, num_parts - 1, watch);
  take_parts(0, watch);
  for (int i = 0; num_unfinished_ > 0; ++i) {
    if (i < kYields) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(kSleep);
    }
    if (is_cancelled_) continue;
    try {
      watch.work(i < kYields ? kYieldWork : kSleepWork);
    } catch (...) {
      fail();
    }
  }
  if (auto error = std::exchange(error_, nullptr)) std::rethrow_exception(std::move(error));
}

// Starts the threads, or as many as the system allows.
void Crew::start() {
  if (!kHasThreads) {
    size_ = 1;
    return;
  }
  threads_.reserve(size_ - 1);
  try {
    while (std::ssize(threads_) < size_ - 1) {
      threads_.emplace_back(&Crew::help, this, static_cast<int>(threads_.size()) + 1);
    }
  } catch (const std::system_error&) {
    size_ = static_cast<int>(threads_.size()) + 1;
  }
}

void Crew::help(int thread) {
  // Allocates the memory for the first exception, which is lacking when memory has run out.
  [[maybe_unused]] const volatile int ready = std::uncaught_exceptions();
  Watch watch({}, [this] { return is_cancelled_.load(); });
  for (uint64_t seen = 0;;) {
    take_parts(thread, watch);
    for (int i = 0; i < kYields && num_pieces_ == seen; ++i) std::this_thread::yield();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return num_pieces_ != seen; });
    if (is_closed_) return;
    seen = num_pieces_;
  }
}

// Takes parts until none is left. A thread that comes late finds none, or parts of the next piece.
void Crew::take_parts(int thread, Watch& watch) {
  for (int64_t part; (part = --num_left_) >= 0;) carry_out(thread, part, watch);
}

void Crew::carry_out(int thread, int64_t part, Watch& watch) {
  try {
    if (!is_cancelled_) (*work_)(thread, part, watch);
  } catch (...) {
    fail();
  }
  --num_unfinished_;
}

// Stores the current exception, if it is the first one, and stops the other threads.
void Crew::fail() {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = std::current_exception();
  is_cancelled_ = true;
}

}  // namespace nonosat
