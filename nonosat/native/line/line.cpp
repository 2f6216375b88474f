#include "line/line.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <tuple>

#include "line/line_mono.hpp"
#include "line/line_wide.hpp"
#include "line/line_word.hpp"
#include "line/vectors.hpp"

namespace nonosat {
namespace {

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

// The first position from `from` on that is not in `plane`, at most `length`.
int run_end(const Word* plane, int from, int length) {
  for (int at = from; at < length;) {
    const int run = std::countr_one(plane[at / kWordBits] >> (at % kWordBits));
    at += run;
    if (run == 0 || at % kWordBits) return std::min(at, length);
  }
  return length;
}

// Whether each cell of the line has exactly one value left.
bool is_complete(const Plan& plan, const Word* may) {
  const int num_words = words_for(plan.length);
  for (int i = 0; i < num_words; ++i) {
    Word once = 0, twice = 0;
    for (int value = 0; value <= plan.num_colours; ++value) {
      twice |= once & may[value * num_words + i];
      once |= may[value * num_words + i];
    }
    const int num_cells = std::min(plan.length - i * kWordBits, kWordBits);
    if (twice || once != ~Word{0} >> (kWordBits - num_cells)) return false;
  }
  return true;
}

// Whether the runs of a complete line are the blocks.
bool has_the_blocks(const Plan& plan, const Word* may) {
  const int num_words = words_for(plan.length);
  int at = run_end(may, 0, plan.length);
  for (const Block block : plan.blocks) {
    const int end = run_end(may + block.colour * num_words, at, plan.length);
    if (end == at || (block.length && end - at != block.length)) return false;
    at = run_end(may, end, plan.length);
  }
  return at == plan.length;
}

// Growths double a window of `known` cells as long as that does not exceed `length`.
int growth(int known, int length) { return std::min(known, length - known); }

MonoPlan mono_plan(const Plan& plan) {
  MonoPlan mono;
  std::vector<uint8_t> step, step_shift, step_to(kMaxMonoCells<DoubleWord> + 1);
  int known = 1;
  for (const Plan::Size& size : plan.sizes) {
    do {
      step.push_back(static_cast<uint8_t>(growth(known, size.length)));
      known += step.back();
      step_shift.push_back(static_cast<uint8_t>(known + 1));
    } while (known < size.length);
    step_to[size.length] = static_cast<uint8_t>(step.size() - 1);
    mono.num_growths = std::bit_width(static_cast<unsigned>(size.length - 1));
  }
  mono.num_steps = static_cast<int>(step.size());
  mono.row = static_cast<int>(plan.blocks.size() + 3) / 4 * 4;
  mono.bytes.resize((2 + mono.num_growths) * mono.row);
  for (size_t b = 0; b < plan.blocks.size(); ++b) {
    const int length = plan.blocks[b].length;
    mono.bytes[b] = static_cast<uint8_t>(length + 1);
    mono.bytes[(1 + mono.num_growths) * mono.row + b] = step_to[length];
    for (int i = 0, grown = 1; grown < length; ++i) {
      const int by = growth(grown, length);
      mono.bytes[(1 + i) * mono.row + b] = static_cast<uint8_t>(by);
      grown += by;
    }
  }
  for (const auto& steps : {step, step_shift})
    mono.bytes.insert(mono.bytes.end(), steps.begin(), steps.end());
  return mono;
}

bool holds_mono(const Plan& plan) {
  const auto is_known = [](const Block& block) { return block.length > 0; };
  return plan.length > 0 && plan.length <= kMaxMonoCells<DoubleWord> && plan.num_colours == 1 &&
         plan.slack >= 0 && std::all_of(plan.blocks.begin(), plan.blocks.end(), is_known);
}

const MonoSolver by_vectors = vector_mono_solver();

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

Plan::Plan(int length_, int num_colours_, std::vector<Block> blocks_)
    : length(length_), num_colours(num_colours_), blocks(std::move(blocks_)) {
  separated.reserve(blocks.size());
  sizes.reserve(blocks.size());
  for (auto* one_each : {&size_of, &first, &last}) one_each->reserve(blocks.size());
  int64_t used = 0;
  for (size_t b = 0; b < blocks.size(); ++b) {
    const bool is_separated = b + 1 < blocks.size() && blocks[b].colour == blocks[b + 1].colour;
    separated.push_back(is_separated);
    first.push_back(static_cast<int32_t>(std::min<int64_t>(used, length)));
    used += int64_t{std::max(blocks[b].length, 1)} + is_separated;
    if (blocks[b].length) sizes.push_back({blocks[b].colour, blocks[b].length});
  }
  slack = static_cast<int>(std::max<int64_t>(length - used, -1));
  for (const int32_t start : first) last.push_back(start + slack);
  const auto key = [](const Size& size) { return std::tie(size.colour, size.length); };
  const auto before = [&](const Size& a, const Size& b) { return key(a) < key(b); };
  const auto same = [&](const Size& a, const Size& b) { return key(a) == key(b); };
  std::sort(sizes.begin(), sizes.end(), before);
  sizes.erase(std::unique(sizes.begin(), sizes.end(), same), sizes.end());
  for (const Block& block : blocks) {
    const auto at =
        std::lower_bound(sizes.begin(), sizes.end(), Size{block.colour, block.length}, before);
    size_of.push_back(block.length ? static_cast<int32_t>(at - sizes.begin()) : -1);
  }
  is_mono = holds_mono(*this);
  if (is_mono) mono = mono_plan(*this);
  const auto num_blocks = static_cast<int64_t>(blocks.size());
  const bool is_one_word = length <= kMaxCells<Word>;
  cost = !is_short(length) ? 100
         : is_mono         ? (is_one_word ? 22 + 6 * num_blocks : 30 + 12 * num_blocks)
                           : (is_one_word ? 30 + 10 * num_blocks : 40 + 18 * num_blocks);
}

bool Plan::is_short(int length) { return length <= kMaxCells<DoubleWord>; }

TooLarge::TooLarge(const std::string& what, int64_t num_words, int64_t most)
    : message_(what + " takes " + std::to_string(num_words >> 17) + " MiB, expected at most " +
               std::to_string(most >> 17)) {}

Word* Scratch::words(Use use, const Plan& plan, int64_t num_words) {
  check_words(plan, num_words);
  Words& words = words_[use];
  if (num_words > words.num) {
    words.num = 0;
    words.data.reset();
    words.data = std::make_unique_for_overwrite<Word[]>(static_cast<size_t>(num_words));
    words.num = num_words;
  }
  return words.data.get();
}

bool propagate_line(Plan& plan, const Word* may, Word* kept, bool lasting, Scratch& scratch,
                    Watch& watch) {
  watch.work(plan.cost);
  if (plan.is_mono) return propagate_mono(plan, may, kept);
  if (plan.length <= kMaxCells<Word>) return propagate_short<Word>(plan, may, kept);
  if (Plan::is_short(plan.length)) return propagate_short<DoubleWord>(plan, may, kept);
  if (is_complete(plan, may)) {  // a long line with much room need not be laid out to be read
    watch.work(static_cast<int64_t>(plan.blocks.size()));
    std::copy_n(may, (plan.num_colours + 1) * words_for(plan.length), kept);
    return has_the_blocks(plan, may);
  }
  return solve_wide_line(plan, may, kept, lasting, scratch, watch);
}

bool block_domains(Plan& plan, const Word* may, std::vector<Word>& starts, std::vector<Word>& ends,
                   Scratch& scratch, Watch& watch) {
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
  return solve_wide_domains(plan, may, kept.data(), scratch, watch, {starts.data(), ends.data()});
}

}  // namespace nonosat
