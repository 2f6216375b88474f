#include "count/loop_join.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "cost.hpp"

namespace nonosat::loops {
namespace {

constexpr size_t kVerticesAWord = 32, kBytesAWord = 8;
// Limit of compared pairs, for each pairing and end, above which reducing is cheaper.
constexpr size_t kPairsAnEnd = 8;
// States, pairings or pairs between two calls of Watch::work, tenths of a millisecond at most.
constexpr size_t kAtOnce = 1000;

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

void StateGroups::begin(size_t group) {
  at_ = first_[group];
  num_left_ = sizes_[group];
}

void StateGroups::pair_up(size_t num_states, std::span<const int32_t> ends, TallyTable& pairings) {
  for (size_t end = 0; end < ends.size(); ++end) {
    end_of_slot_[half_.slots[ends[end]]] = static_cast<uint8_t>(end);
  }
  Pairing pairing(ends.size());
  for (num_left_ -= num_states; num_states--; at_ = next_[at_]) {
    half_.sweep->packing().unpack(table().key(at_), state_);
    for (size_t end = 0; end < ends.size(); ++end) {
      pairing.mates()[end] = end_of_slot_[state_[half_.slots[ends[end]]] - 1];
    }
    pairings.add(pairing.words, table().count(at_));
  }
}

Join::Join(HalfStates front, HalfStates back, size_t max_bytes)
    : front_(std::move(front), false), back_(std::move(back), true), max_bytes_(max_bytes) {}

bool Join::run(Watch& watch, int64_t end) {
  try {
    while (!is_done() && !is_full_ && watch.done() < end) step(watch);
  } catch (const std::bad_alloc&) {
    is_full_ = true;  // a state or a pairing may be missing
  }
  return is_done();
}

void Join::step(Watch& watch) {
  if (!is_grouped()) return group_states(watch);
  switch (phase_) {
    case Phase::kBetweenGroups:
      return begin_group(watch);
    case Phase::kPairUp:
      return pair_up(watch);
    case Phase::kChooseMethod:
      return choose_method();
    case Phase::kCompare:
      return compare(watch);
    case Phase::kReduce:
      return reduce(watch);
  }
}

void Join::group_states(Watch& watch) {
  watch.work(cost::kJoinState);
  StateGroups& groups = front_.is_complete() ? back_ : front_;
  is_full_ = front_.num_bytes() + back_.num_bytes() + groups.growth() > max_bytes_;
  if (!is_full_) groups.take_next();
}

// Begins with the next group of the front, if the back has a group that fits.
void Join::begin_group(Watch& watch) {
  const std::span<const uint64_t> key = front_.key(group_);
  const auto other = back_.find(key);
  watch.work(cost::kJoinState);
  ends_.clear();
  for (size_t i = 0; i < key.size() * kVerticesAWord; ++i) {
    if ((key[i / kVerticesAWord] >> 2 * (i % kVerticesAWord) & 3) == 1) {
      ends_.push_back(static_cast<int32_t>(i));
    }
  }
  if (!other || ends_.empty()) {
    ++group_;
    return;
  }
  is_full_ = !has_room(front_.size(group_) + back_.size(*other), ends_.size());
  if (is_full_) return;
  num_ends_ = ends_.size();
  begin_level(num_ends_);
  front_.begin(group_);
  back_.begin(*other);
  phase_ = Phase::kPairUp;
}

void Join::pair_up(Watch& watch) {
  const bool is_front = front_.num_left();
  StateGroups& groups = is_front ? front_ : back_;
  const size_t num_states = std::min(kAtOnce, groups.num_left());
  watch.work(cost::kJoinState * static_cast<int64_t>(num_states));
  groups.pair_up(num_states, ends_, is_front ? level().front : level().back);
  if (!front_.num_left() && !back_.num_left()) phase_ = Phase::kChooseMethod;
}

// Decides if the pairings of the level are compared, or reduced for the next mate of the last end.
void Join::choose_method() {
  const size_t num_front = level().front.size(), num_back = level().back.size();
  const size_t num_both = num_front + num_back;
  level().at = 0;
  if (num_front * num_back <= kPairsAnEnd * num_ends_ * num_both) {
    phase_ = Phase::kCompare;
  } else if (level().mate + 1 == num_ends_) {
    leave();
  } else {
    is_full_ = !has_room(num_both, num_ends_);
    if (is_full_) return;
    begin_level(num_ends_ - 2);
    phase_ = Phase::kReduce;
  }
}

void Join::leave() {
  if (num_ends_ == ends_.size()) {
    phase_ = Phase::kBetweenGroups;
    ++group_;
  } else {
    num_ends_ += 2;
    phase_ = Phase::kChooseMethod;
  }
}

void Join::compare(Watch& watch) {
  Level& now = level();
  const bool is_front_few = now.front.size() < now.back.size();
  const TallyTable& few = is_front_few ? now.front : now.back;
  const TallyTable& many = is_front_few ? now.back : now.front;
  const size_t num_pairs = few.size() * many.size();
  const size_t end = std::min(num_pairs, now.at + kAtOnce);
  watch.work(cost::kPairCompared * static_cast<int64_t>(end - now.at));
  std::vector<uint64_t> sum;
  while (now.at < end) {
    const size_t one = now.at / many.size(), first = now.at % many.size();
    const size_t last = std::min(many.size(), first + end - now.at);
    const uint8_t* const mates = mates_of(few, one);
    sum.assign(many.count_words(), 0);
    for (size_t other = first; other < last; ++other) {
      if (form_one_cycle(mates, mates_of(many, other), num_ends_)) {
        add_to(sum, many.count(other));
      }
    }
    total_ += Natural(few.count(one)) * Natural(std::span<const uint64_t>(sum));
    now.at += last - first;
  }
  if (now.at == num_pairs) leave();
}

// Reduces pairings by two ends, the last one and `mate`: keeps the pairings of the front in which
// they are a pair, without them; in those of the back, their mates become a pair.
void Join::reduce(Watch& watch) {
  Level &from = level(), &to = levels_[num_ends_ / 2 - 1];
  const size_t last = num_ends_ - 1, mate = from.mate;
  const size_t num_front = from.front.size(), num_both = num_front + from.back.size();
  const size_t end = std::min(num_both, from.at + kAtOnce);
  watch.work(cost::kPairingCarried * static_cast<int64_t>(end - from.at));
  const auto renumbered = [&](size_t one) { return static_cast<uint8_t>(one - (one > mate)); };
  Pairing pairing(to.ends);
  for (; from.at < end; ++from.at) {
    const bool is_front = from.at < num_front;
    const TallyTable& pairings = is_front ? from.front : from.back;
    const size_t at = is_front ? from.at : from.at - num_front;
    const uint8_t* const mates = mates_of(pairings, at);
    const size_t of_last = mates[last], of_mate = mates[mate];
    if ((of_last == mate) != is_front) continue;  // in the back, a cycle would be closed
    for (size_t one = 0; one < last; ++one) {
      if (one == mate) continue;
      const size_t other = one == of_last ? of_mate : one == of_mate ? of_last : mates[one];
      pairing.mates()[renumbered(one)] = renumbered(other);
    }
    (is_front ? to.front : to.back).add(pairing.words, pairings.count(at));
  }
  const bool is_vain = from.at >= num_front && !to.front.size();  // nothing can be joined
  if (from.at < num_both && !is_vain) return;
  ++from.mate;
  num_ends_ -= 2;
  phase_ = Phase::kChooseMethod;
}

// Clears the level for a number of ends. Levels for fewer ends than an existing one do not move it.
void Join::begin_level(size_t ends) {
  if (levels_.size() <= ends / 2) levels_.resize(ends / 2 + 1);
  Level& level = levels_[ends / 2];
  if (!level.ends) {
    level.ends = ends;
    level.front = TallyTable(words_of(ends), front_.count_words());
    level.back = TallyTable(words_of(ends), back_.count_words());
  }
  level.front.clear();
  level.back.clear();
  level.mate = level.at = 0;
}

// Returns true if memory suffices for so many further pairings.
bool Join::has_room(size_t num_pairings, size_t ends) const {
  const size_t words = words_of(ends) + std::max(front_.count_words(), back_.count_words());
  size_t num_bytes = front_.num_bytes() + back_.num_bytes() +
                     TallyTable::most_bytes(num_pairings, words) + TallyTable::most_bytes(0, words);
  for (const Level& level : levels_) num_bytes += level.front.num_bytes() + level.back.num_bytes();
  return num_bytes <= max_bytes_;
}

}  // namespace nonosat::loops
