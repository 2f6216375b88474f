#include "line/line.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "line/line_mono.hpp"
#include "line/line_wide.hpp"
#include "line/line_word.hpp"
#include "line/vectors.hpp"

namespace nonosat {
namespace {

// Conversion between the planes of a short line and integers.
template <class B>
B load(const Word* words, int num_words) {
  B value = words[0];
  if constexpr (sizeof(B) > sizeof(Word)) {
    if (num_words > 1) value |= B(words[1]) << kWordBits;
  }
  return value;
}

template <class B>
void store(B value, Word* words, int num_words) {
  words[0] = static_cast<Word>(value);
  if constexpr (sizeof(B) > sizeof(Word)) {
    if (num_words > 1) words[1] = static_cast<Word>(value >> kWordBits);
  }
}

// Solves a line of at most kMaxCells<B> cells; `domains` as in solve_word_line.
template <class B, class Domains = NoDomains>
bool propagate_short(const Plan& plan, const Word* may, Word* kept, Domains domains = {}) {
  if constexpr (sizeof(B) == sizeof(Word)) {
    return solve_word_line<B>(plan, may, kept, domains);
  } else {
    const int num_words = words_for(plan.length);
    std::array<B, 256> values, kept_values;
    for (int value = 0; value <= plan.num_colours; ++value) {
      values[value] = load<B>(may + value * num_words, num_words);
    }
    if (!solve_word_line<B>(plan, values.data(), kept_values.data(), domains)) return false;
    for (int value = 0; value <= plan.num_colours; ++value) {
      store(kept_values[value], kept + value * num_words, num_words);
    }
    return true;
  }
}

constexpr int64_t kMaxWords = int64_t{1} << 27;  // a gibibyte

void check_words(const Plan& plan, int64_t num_words) {
  if (num_words <= kMaxWords) return;
  throw TooLarge("solving a line of " + std::to_string(plan.length) + " cells with " +
                     std::to_string(plan.blocks.size()) + " blocks",
                 num_words, kMaxWords);
}

// Returns a mask of the bits of word `i` of a plane that represent cells of the line.
Word cells_in(const Plan& plan, int i) {
  const int num_cells = std::min(plan.length - i * kWordBits, kWordBits);
  return num_cells ? ~Word{0} >> (kWordBits - num_cells) : 0;
}

[[maybe_unused]] bool are_planes(const Plan& plan, const Word* may) {
  const int last = words_for(plan.length) - 1;
  return !(values_left(may, plan.num_colours + 1, last + 1, last).any & ~cells_in(plan, last));
}

// Returns true if each cell of the line has exactly one value left.
bool is_complete(const Plan& plan, const Word* may) {
  const int num_words = words_for(plan.length);
  for (int i = 0; i < num_words; ++i) {
    const ValuesLeft left = values_left(may, plan.num_colours + 1, num_words, i);
    if (left.several || left.any != cells_in(plan, i)) return false;
  }
  return true;
}

// Returns true if the runs of a complete line equal the blocks. Linear in the line's words and
// blocks.
bool has_the_blocks(const Plan& plan, const Word* may) {
  const int num_words = words_for(plan.length);
  int64_t at = run_end(may, 0, plan.length);
  for (const Block block : plan.blocks) {
    const int64_t end = run_end(may + block.colour * num_words, at, plan.length);
    if (end == at || (block.length && end - at != block.length)) return false;
    at = run_end(may, end, plan.length);
  }
  return at == plan.length;
}

const MonoSolver by_vectors = vector_mono_solver();

// Solves a line with `plan.is_mono`.
bool propagate_mono(const Plan& plan, const Word* may, Word* kept) {
  if (plan.length <= kMaxMonoCells<Word>) {
    if (by_vectors && vectors_allowed) return by_vectors(plan, may, kept);
    return solve_mono_line<Word>(plan, may[0], may[1], kept[0], kept[1]);
  }
  const int num_words = words_for(plan.length);
  DoubleWord empty, filled;
  if (!solve_mono_line<DoubleWord>(plan, load<DoubleWord>(may, num_words),
                                   load<DoubleWord>(may + num_words, num_words), empty, filled))
    return false;
  store(empty, kept, num_words);
  store(filled, kept + num_words, num_words);
  return true;
}

}  // namespace

TooLarge::TooLarge(const std::string& what, int64_t num_words, int64_t most)
    : message_(what + " takes " + std::to_string(num_words >> 17) + " MiB, expected at most " +
               std::to_string(most >> 17)) {}

Word* Scratch::words(Use use, const Plan& plan, int64_t num_words) {
  check_words(plan, num_words);
  Words& words = words_[use];
  if (num_words > words.num) {
    words.num = 0;
    words.data.reset();  // free the old block before allocating the new one
    words.data.reset(new Word[static_cast<size_t>(num_words)]);
    words.num = num_words;
  }
  return words.data.get();
}

bool propagate_line(const Plan& plan, const Word* may, Word* kept, bool permanent, Scratch& scratch,
                    Watch& watch, Windows* windows) {
  assert(are_planes(plan, may));
  assert(!permanent || windows || Plan::is_short(plan.length));
  watch.work(plan.cost);
  if (plan.is_mono) return propagate_mono(plan, may, kept);
  if (plan.length <= kMaxCells<Word>) return propagate_short<Word>(plan, may, kept);
  if (Plan::is_short(plan.length)) return propagate_short<DoubleWord>(plan, may, kept);
  // Checked without the scratch memory that windows of a large slack would need.
  if (is_complete(plan, may)) {
    watch.work(static_cast<int64_t>(plan.blocks.size()));
    std::copy_n(may, (plan.num_colours + 1) * words_for(plan.length), kept);
    return has_the_blocks(plan, may);
  }
  const LongLine line{plan, windows ? *windows : plan.open, permanent ? windows : nullptr};
  return solve_wide_line(line, may, kept, scratch, watch);
}

bool block_domains(const Plan& plan, const Word* may, std::vector<Word>& starts,
                   std::vector<Word>& ends, Scratch& scratch, Watch& watch,
                   const Windows* windows) {
  assert(are_planes(plan, may));
  const int num_words = words_for(plan.length);
  const int64_t num_domain_words = 2 * static_cast<int64_t>(plan.blocks.size()) * num_words;
  check_words(plan, num_domain_words);
  starts.assign(plan.blocks.size() * num_words, 0);
  ends.assign(plan.blocks.size() * num_words, 0);
  std::vector<Word> kept((plan.num_colours + 1) * num_words);
  const auto keep = [&](size_t block, auto feasible, auto last_cells) {
    store(feasible, &starts[block * num_words], num_words);
    store(last_cells, &ends[block * num_words], num_words);
  };
  watch.work(plan.cost);
  if (plan.length <= kMaxCells<Word>) return propagate_short<Word>(plan, may, kept.data(), keep);
  if (Plan::is_short(plan.length)) {
    return propagate_short<DoubleWord>(plan, may, kept.data(), keep);
  }
  const LongLine line{plan, windows ? *windows : plan.open, nullptr};
  return solve_wide_domains(line, may, kept.data(), scratch, watch, {starts.data(), ends.data()});
}

}  // namespace nonosat
