#include "count/loop_join.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace nonosat::loops {
namespace {

constexpr size_t kVerticesAWord = 32, kBytesAWord = 8;
constexpr int64_t kStateWork = 100;   // units, to group a state
constexpr int64_t kPairWork = 10;     // to compare two pairings
constexpr int64_t kPairingWork = 60;  // to carry one on
constexpr size_t kPairsAnEnd = 8;     // are compared where shortening would carry on one pairing

size_t words_of(size_t ends) { return ends / kBytesAWord + 1; }

const uint8_t* mates_of(const TallyTable& pairings, size_t at) {
  return reinterpret_cast<const uint8_t*>(pairings.key(at).data());
}

bool form_one_cycle(const uint8_t* front, const uint8_t* back, size_t ends) {
  size_t end = 0, length = 0;
  do {
    end = back[front[end]];
    length += 2;
  } while (end);
  return length == ends;
}

// A pairing under construction, in the words of a key.
struct Pairing {
  explicit Pairing(size_t ends) : words(words_of(ends), 0) {}
  uint8_t* mates() { return reinterpret_cast<uint8_t*>(words.data()); }

  std::vector<uint64_t> words;
};

}  // namespace

StateGroups::StateGroups(HalfStates half, bool is_of_other)
    : half_(std::move(half)),
      is_of_other_(is_of_other),
      keys_(half_.slots.size() / kVerticesAWord + 1, 0),
      state_(half_.sweep->num_slots()),
      end_of_slot_(half_.sweep->num_slots()),
      key_(half_.slots.size() / kVerticesAWord + 1) {}

size_t StateGroups::num_bytes() const {
  return keys_.num_bytes() +
         sizeof(uint32_t) * (next_.capacity() + first_.capacity() + sizes_.capacity());
}

size_t StateGroups::growth() const {
  const bool is_first = next_.empty(), is_due = first_.size() == first_.capacity();
  return keys_.growth(1) + (is_first ? sizeof(uint32_t) * table().size() : 0) +
         (is_due ? 4 * sizeof(uint32_t) * first_.capacity() : 0);
}

void StateGroups::take_next() {
  if (next_.empty()) next_.reserve(table().size());
  const auto at = static_cast<uint32_t>(next_.size());
  const Packing& packing = half_.sweep->packing();
  packing.unpack(table().key(at), state_);
  std::fill(key_.begin(), key_.end(), 0);
  for (size_t i = 0; i < half_.slots.size(); ++i) {
    const uint8_t mate = state_[half_.slots[i]];
    const bool is_untouched = mate == 1 + half_.slots[i];
    uint64_t degree = mate == packing.inside() ? 2 : is_untouched ? 0 : 1;
    if (is_of_other_) degree = 2 - degree;
    key_[i / kVerticesAWord] |= degree << 2 * (i % kVerticesAWord);
  }
  const size_t group = keys_.add(key_, {});
  if (group == first_.size()) {
    first_.push_back(kNone);
    sizes_.push_back(0);
  }
  next_.push_back(std::exchange(first_[group], at));
  ++sizes_[group];
}

void StateGroups::pair_up(size_t group, std::span<const int32_t> ends, TallyTable& pairings) {
  for (size_t end = 0; end < ends.size(); ++end) {
    end_of_slot_[half_.slots[ends[end]]] = static_cast<uint8_t>(end);
  }
  Pairing pairing(ends.size());
  for (uint32_t at = first_[group]; at != kNone; at = next_[at]) {
    half_.sweep->packing().unpack(table().key(at), state_);
    for (size_t end = 0; end < ends.size(); ++end) {
      pairing.mates()[end] = end_of_slot_[state_[half_.slots[ends[end]]] - 1];
    }
    pairings.add(pairing.words, table().count(at));
  }
}

Join::Join(HalfStates front, HalfStates back, size_t max_bytes)
    : front_(std::move(front), false), back_(std::move(back), true), max_bytes_(max_bytes) {}

bool Join::run(Watch& watch, int64_t end) {
  try {
    while (!is_done() && !is_full_ && watch.done() < end) step(watch);
  } catch (const std::bad_alloc&) {
    is_full_ = true;  // a state or a pairing is missing somewhere
  }
  return is_done();
}

void Join::step(Watch& watch) {
  if (is_grouped()) return ends_ ? go_on(watch) : begin_group(watch);
  watch.work(kStateWork);
  StateGroups& groups = front_.is_complete() ? back_ : front_;
  is_full_ = front_.num_bytes() + back_.num_bytes() + groups.growth() > max_bytes_;
  if (!is_full_) groups.take_next();
}

// Takes up the next group of the front, if any in the back fits.
void Join::begin_group(Watch& watch) {
  const std::span<const uint64_t> key = front_.key(group_);
  const auto other = back_.find(key);
  watch.work(kStateWork);
  std::vector<int32_t> ends;
  for (size_t i = 0; i < key.size() * kVerticesAWord; ++i) {
    if ((key[i / kVerticesAWord] >> 2 * (i % kVerticesAWord) & 3) == 1) {
      ends.push_back(static_cast<int32_t>(i));
    }
  }
  if (!other || ends.empty()) {
    ++group_;
    return;
  }
  const size_t num_pairings = front_.size(group_) + back_.size(*other);
  is_full_ = !has_room(num_pairings, ends.size());
  if (is_full_) return;
  watch.work(kStateWork * static_cast<int64_t>(num_pairings));
  Level& level = level_of(ends.size());
  front_.pair_up(group_, ends, level.front);
  back_.pair_up(*other, ends, level.back);
  ends_ = most_ends_ = ends.size();
}

// Compares the pairings of the level, or goes down to one for the next mate of the last end.
void Join::go_on(Watch& watch) {
  Level& level = levels_[ends_ / 2];
  const size_t num_front = level.front.size(), num_back = level.back.size();
  const size_t num_pairs = num_front * num_back, num_both = num_front + num_back;
  if (num_pairs <= kPairsAnEnd * ends_ * num_both) {
    watch.work(kPairWork * static_cast<int64_t>(num_pairs));
    compare(level);
    leave();
  } else if (level.mate + 1 == ends_) {
    leave();
  } else {
    is_full_ = !has_room(num_both, ends_);
    if (is_full_) return;
    watch.work(kPairingWork * static_cast<int64_t>(num_both));
    reduce(level, level.mate++, level_of(ends_ - 2));
    ends_ -= 2;
  }
}

void Join::leave() {
  if (ends_ == most_ends_) {
    ends_ = 0;
    ++group_;
  } else {
    ends_ += 2;
  }
}

void Join::compare(const Level& level) {
  const bool is_front_few = level.front.size() < level.back.size();
  const TallyTable& few = is_front_few ? level.front : level.back;
  const TallyTable& many = is_front_few ? level.back : level.front;
  std::vector<uint64_t> sum;
  for (size_t one = 0; one < few.size(); ++one) {
    const uint8_t* const mates = mates_of(few, one);
    sum.assign(many.count_words(), 0);
    for (size_t other = 0; other < many.size(); ++other) {
      if (form_one_cycle(mates, mates_of(many, other), level.ends)) {
        add_to(sum, many.count(other));
      }
    }
    total_ += Natural(few.count(one)) * Natural(std::span<const uint64_t>(sum));
  }
}

// The pairings of the front that have the last end and `mate` as a pair, without these two; those
// of the back, with a path from one of these two to the other between what they were paired with.
void Join::reduce(const Level& level, size_t mate, Level& shorter) {
  const size_t last = level.ends - 1;
  const auto renumbered = [&](size_t end) { return static_cast<uint8_t>(end - (end > mate)); };
  Pairing pairing(shorter.ends);
  const auto add = [&](const uint8_t* mates, std::span<const uint64_t> count, TallyTable& to) {
    const size_t of_last = mates[last], of_mate = mates[mate];
    for (size_t end = 0; end < last; ++end) {
      if (end == mate) continue;
      const size_t other = end == of_last ? of_mate : end == of_mate ? of_last : mates[end];
      pairing.mates()[renumbered(end)] = renumbered(other);
    }
    to.add(pairing.words, count);
  };
  for (size_t at = 0; at < level.front.size(); ++at) {
    const uint8_t* const mates = mates_of(level.front, at);
    if (mates[last] == mate) add(mates, level.front.count(at), shorter.front);
  }
  if (!shorter.front.size()) return;
  for (size_t at = 0; at < level.back.size(); ++at) {
    const uint8_t* const mates = mates_of(level.back, at);
    if (mates[last] != mate) add(mates, level.back.count(at), shorter.back);  // else a cycle closes
  }
}

// An empty level for so many ends. One for fewer ends than there were before moves no other.
Join::Level& Join::level_of(size_t ends) {
  if (levels_.size() <= ends / 2) levels_.resize(ends / 2 + 1);
  Level& level = levels_[ends / 2];
  if (!level.ends) {
    level.ends = ends;
    level.front = TallyTable(words_of(ends), front_.count_words());
    level.back = TallyTable(words_of(ends), back_.count_words());
  }
  level.front.clear();
  level.back.clear();
  level.mate = 0;
  return level;
}

// Whether so many pairings more may be kept.
bool Join::has_room(size_t num_pairings, size_t ends) const {
  const size_t words = words_of(ends) + std::max(front_.count_words(), back_.count_words());
  size_t num_bytes = front_.num_bytes() + back_.num_bytes() +
                     TallyTable::most_bytes(num_pairings, words) + TallyTable::most_bytes(0, words);
  for (const Level& level : levels_) num_bytes += level.front.num_bytes() + level.back.num_bytes();
  return num_bytes <= max_bytes_;
}

}  // namespace nonosat::loops
