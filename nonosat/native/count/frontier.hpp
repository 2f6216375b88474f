// Counting by a dynamic program over the cells of a component, line by line.
//
// The state of a partial filling consists of the diagram states of the current line and of all
// crossing lines: the frontier. Fillings with equal frontiers are counted together, so that the
// cost depends on the number of frontiers: linear in the length of a narrow board. A layer is the
// set of states before a cell. The states of a large layer are divided by their hashes into shards,
// which several threads extend, and to which they add new states.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "cost.hpp"
#include "count/component.hpp"
#include "count/crew.hpp"
#include "count/natural.hpp"
#include "watch.hpp"

namespace nonosat {

// The number of fillings that agree with all strips of a component. O(cells x states of the widest
// frontier x arcs), each with the words of a state and its count.
class Frontier {
 public:
  // `max_bytes` limits the states of two layers. The component must outlive the object.
  Frontier(const Component& component, size_t max_bytes);

  // Counts for about `work` units, of all threads together; true when the number is known. The next
  // call continues with the layer that was not completed, also after Stopped and bad_alloc.
  bool run(int64_t work, Crew& crew, Watch& watch);

  // True if memory does not suffice, so that the number will not be found.
  bool is_full() const { return is_full_; }
  // The number, after `run` has returned true.
  Natural count() const;

 private:
  // One cell of the sequence: its layers in the current strip and in the crossing strip.
  struct Step {
    const Segment* along;
    const Segment* across;
    int along_layer, across_layer;
    int field;  // of the crossing line
  };

  // Bits of a state for the diagram state of one line; none if there is only one diagram state.
  struct Field {
    int word = 0, shift = 0, bits = 0;

    int get(const uint64_t* state) const {
      return bits ? static_cast<int>(state[word] >> shift & ((uint64_t{1} << bits) - 1)) : 0;
    }
    void flip(uint64_t* state, int from, int to) const {
      if (bits) state[word] ^= static_cast<uint64_t>(from ^ to) << shift;
    }
  };

  class CellSequence;
  class Layout;

  // Hash table of states with their counts: the words of a state, followed by those of its count.
  class Table {
   public:
    Table(int words, int count_words)
        : words_(words), entry_words_(words + count_words), slots_(1024, kFree) {}

    size_t size() const { return entries_.size() / entry_words_; }
    size_t num_bytes() const { return 8 * entries_.capacity() + 4 * slots_.size(); }
    const uint64_t* entry(size_t at) const { return &entries_[at * entry_words_]; }

    void clear();
    // Loads the slot of a hash into the processor's cache.
    void prefetch(uint64_t hash) const { __builtin_prefetch(&slots_[slot_of(hash)]); }
    // Adds the count of an entry to that of its state, which is initially 0. The sum must fit into
    // the words of a count.
    void add(uint64_t hash, const uint64_t* entry);

   private:
    static constexpr uint32_t kFree = 0;

    size_t slot_of(uint64_t hash) const { return hash >> 20 & (slots_.size() - 1); }
    uint32_t& find(uint64_t hash, const uint64_t* state);
    void grow();

    int words_, entry_words_;
    std::vector<uint64_t> entries_;
    std::vector<uint32_t> slots_;
  };

  // States of a layer whose hashes have the same first bits.
  struct Shard {
    Shard(int words, int count_words) : table(words, count_words) {}

    Table table;
    int64_t attempt = 0;  // in which `table` was filled; it is outdated in later ones
    std::mutex mutex;     // guards both while states are added
  };
  struct Layer {
    std::vector<std::unique_ptr<Shard>> shards;
    size_t num_used = 1;  // the first shard only, or all

    size_t size() const;
    size_t num_bytes() const;
  };

  // New states of one thread, collected for each shard, because adding many at a time hides the
  // latency of memory.
  struct Outbox {
    std::vector<uint64_t> words;  // by shard: up to kBatch times hash, state and count
    std::vector<int> sizes;       // by shard
    std::vector<uint64_t> entry;  // the next one
  };
  static constexpr int kBatch = 16;

  int entry_words() const { return num_words_ + num_count_words_; }
  // Units of work for a state with this number of successors.
  int64_t work_of(int64_t num_arcs) const {
    return entry_words() * cost::kFrontierWord * (1 + num_arcs);
  }
  bool advance(Crew& crew, Watch& watch);
  void use_shards(Layer& layer, size_t number);
  void extend(int64_t part, Outbox& outbox, Watch& watch);
  int64_t extend_entry(const Step& step, const uint64_t* entry, Outbox& outbox);
  void post(Outbox& outbox);
  void deliver(size_t shard, Outbox& outbox);
  void deliver_all(Outbox& outbox);

  std::vector<Step> steps_;
  Field along_;
  std::vector<Field> across_;  // by field number
  int num_words_, num_count_words_;
  size_t max_bytes_;
  size_t step_ = 0;
  Layer now_, next_;
  std::vector<Outbox> outboxes_;  // by thread
  int64_t num_parts_ = 1;         // of the current step
  int64_t attempt_ = 0;           // number of steps begun
  std::atomic<int64_t> work_left_ = 0;
  std::atomic<size_t> num_bytes_ = 0;  // of both layers
  std::atomic<bool> is_full_ = false;
};

}  // namespace nonosat
