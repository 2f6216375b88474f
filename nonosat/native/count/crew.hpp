// Threads that share pieces of work with the thread that owns them.
//
// The owner divides a piece of work into parts, which all threads take one after another. Between
// two pieces the threads wait, so that a frontier can share each of its layers. Invariant: outside
// of `each`, no thread works or refers to the owner's data.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "watch.hpp"

namespace nonosat {

class Crew {
 public:
  // Called with the number of the thread, 0 for the owner, the number of the part, and the watch of
  // the thread.
  using Work = std::function<void(int thread, int64_t part, Watch& watch)>;

  // Least units of work that are worth sharing: about a millisecond, several times as long as it
  // takes to wake all threads.
  static constexpr int64_t kGrain = 1 << 20;

  // At most `most` threads, the owner included; they start with the first shared work.
  explicit Crew(int most, int64_t grain = kGrain) : size_(most), grain_(grain) {}
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int size() const { return size_; }
  // Number of threads for a piece of work of which each takes at least `num_grains` grains.
  int num_for(int64_t work, int64_t num_grains) const {
    return static_cast<int>(std::clamp<int64_t>(work / num_grains / grain_, 1, size_));
  }

  // Calls `work` once for each of the parts, at least 1, in any order and in any thread, at least
  // one of them in that of the owner, and returns when all calls have returned. At the first
  // exception of a call or of the owner's watch, parts that have not begun are left out, the
  // watches of the other threads stop, and the exception is rethrown.
  void each(int64_t num_parts, const Work& work, Watch& watch);

 private:
  void start();
  void help(int thread);
  void take_parts(int thread, Watch& watch);
  void carry_out(int thread, int64_t part, Watch& watch);
  void fail();

  int size_;
  int64_t grain_;
  std::vector<std::thread> threads_;
  const Work* work_ = nullptr;
  std::atomic<int64_t> num_left_ = 0, num_unfinished_ = 0;  // parts; `num_left_` may be negative
  std::atomic<bool> is_cancelled_ = false;
  std::exception_ptr error_;  // guarded by `mutex_` during `each`
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<uint64_t> num_pieces_ = 0;  // changes under `mutex_`
  bool is_closed_ = false;                // guarded by `mutex_`
};

}  // namespace nonosat
