// Results that the threads of a count share: counts of components, and the components on which
// threads are working.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "count/aging.hpp"
#include "count/component.hpp"
#include "count/natural.hpp"

namespace nonosat {

// Result of the work on a component before it is branched on: its count, or else values that were
// refuted, without which it is split again, or else the cell to branch on.
struct Decision {
  struct Removal {
    int cell, value;
  };

  std::optional<Natural> count;
  std::vector<Removal> removed;
  int cell = -1;
};

// A component on which threads are working.
//
// Its probes are divided among the threads that come while some are left. The last of these threads
// makes the decision, for which the others wait. Then the components that are left are found once
// for each value of the cell. A thread may leave its work undone if its turn is over, because the
// turns of all threads end together.
class SharedNode {
 public:
  SharedNode(size_t num_probes, int num_values)
      : num_probes_(num_probes), parts_(static_cast<size_t>(num_values)) {}

  // Makes this thread one of those that probe, until it calls `leave`; false if no probe is left.
  bool join();
  // Adds the work of this thread's probes. True if these were the last ones: then this thread makes
  // the decision.
  bool leave(int64_t work);

  // Takes the next probe; none if no probe is left, or after a contradiction. Sets `news` to the
  // refuted values after the first `num_seen`, and `num_seen` to their number.
  std::optional<size_t> take_probe(size_t& num_seen, std::vector<Decision::Removal>& news);
  void note_refuted(Decision::Removal removal);
  void note_contradiction();
  // The decision will be the cell with the highest score, the first one of equal scores.
  void note_score(int cell, double score);

  // Work of all probes, and the decision: for the thread that makes it, or after it was made.
  int64_t work() const { return work_; }
  Decision& decision() { return decision_; }
  void note_decided();
  // Waits for a short time; true if the decision was made.
  bool await_decision();

  // Takes the search for the components under a value, `at`, or under none, 0. False if another
  // thread did.
  bool take_parts(int at);
  void note_parts(int at, std::vector<Component> components);
  // Waits for a short time; true if the components are known.
  bool await_parts(int at);
  // The components, which are known.
  const std::vector<Component>& parts(int at) const { return parts_[at].components; }

 private:
  struct Parts {
    bool is_taken = false, is_known = false;
    std::vector<Component> components;  // constant once they are known
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  size_t num_probes_, num_taken_ = 0;
  int num_probing_ = 0;  // threads
  int64_t work_ = 0;
  double best_score_ = -1;
  bool is_decided_ = false;
  Decision decision_;
  std::vector<Parts> parts_;
};

// Counts of components, the components on which threads are working, and the work that is left for
// a turn of all threads.
class SharedCounts {
 public:
  using Key = std::vector<uint64_t>;

  explicit SharedCounts(size_t max_bytes);

  std::optional<Natural> find(const Key& key);
  void put(const Key& key, const Natural& number);

  // Counts this thread among those at work on a component, until `leave`; null if there are others
  // and `may_fail`.
  SharedNode* enter(const Key& key, size_t num_probes, int num_values, bool may_fail);
  void leave(const Key& key);

  void begin_turn(int64_t work) { work_left_ = work; }
  void spend(int64_t work) { work_left_ -= work; }
  void end_turn() { work_left_ = 0; }
  bool is_over() const { return work_left_ <= 0; }

 private:
  static constexpr size_t kShards = 64;

  // A component and the number of threads at work on it.
  struct Visited {
    Visited(size_t num_probes, int num_values) : node(num_probes, num_values) {}

    SharedNode node;
    int num_threads = 0;
  };

  struct Shard {
    explicit Shard(size_t max_bytes) : counts(max_bytes) {}

    std::mutex mutex;
    Aging<uint64_t, Natural> counts;
    std::unordered_map<Key, Visited, WordsHash> visited;
  };

  Shard& shard_of(const Key& key) { return *shards_[(WordsHash()(key) >> 24) % kShards]; }

  std::vector<std::unique_ptr<Shard>> shards_;
  std::atomic<int64_t> work_left_ = 0;
};

}  // namespace nonosat
