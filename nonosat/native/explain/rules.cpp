#include "explain/rules.hpp"

#include <algorithm>
#include <bit>
#include <climits>
#include <map>
#include <utility>

namespace nonosat::explain {
namespace {

constexpr uint8_t kEmpty = 0, kFilled = 1, kOpen = Board::kOpen;

struct Stretch {
  int first, last;
};

// Returns the maximal stretches of cells that `includes` accepts.
template <class Includes>
std::vector<Stretch> stretches(const std::vector<uint8_t>& cells, Includes includes) {
  std::vector<Stretch> found;
  for (int at = 0; at < std::ssize(cells); ++at) {
    if (!includes(cells[at])) continue;
    if (found.empty() || found.back().last != at - 1) found.push_back({at, at});
    found.back().last = at;
  }
  return found;
}

std::vector<int> numbers_of(int first, int end) {
  std::vector<int> numbers;
  for (int at = first; at < end; ++at) numbers.push_back(at);
  return numbers;
}

// Adds a value for the open cells of a stretch.
void settle(const LineView& line, int first, int end, int value, Finding& finding) {
  for (int at = first; at < end; ++at) {
    if (line.cells[at] == kOpen) finding.values.push_back({at, value});
  }
}

std::optional<Finding> if_new(Finding finding) {
  if (finding.values.empty()) return {};
  return finding;
}

std::optional<Finding> empty_clue(const LineView& line, const Words&, Watch&) {
  if (!line.plan.blocks.empty()) return {};
  Finding finding{{}, "", " has no blocks, so "};
  settle(line, 0, line.length(), kEmpty, finding);
  return if_new(std::move(finding));
}

// Settles cells that are covered in every placement, and cells that are never reached.
//
// `covered`: by cell the colour that it has in every placement, 0 for none. `reached`: by cell, 1
// if a block can reach it. `after`: the rest of the subject of the clause, a colon included.
std::optional<Finding> covering(const LineView& line, const Words& words,
                                const std::vector<uint8_t>& covered,
                                const std::vector<uint8_t>& reached, std::string after) {
  Finding finding{{}, "", std::move(after), false};
  std::map<int, std::vector<int>> filled;  // by colour
  std::vector<int> empty;
  for (int at = 0; at < line.length(); ++at) {
    if (line.cells[at] != kOpen || (!covered[at] && reached[at])) continue;
    finding.values.push_back({at, covered[at]});
    if (covered[at]) {
      filled[covered[at]].push_back(at);
    } else {
      empty.push_back(at);
    }
  }
  if (finding.values.empty()) return {};
  const bool is_one = line.plan.blocks.size() == 1;
  std::vector<std::string> covers;
  for (const auto& [colour, mine] : filled) {
    covers.push_back(positions(mine) + (line.num_values() > 2 ? " in " + words.value(colour) : ""));
  }
  std::string& text = finding.after;
  if (!covers.empty()) {
    text += is_one ? "wherever the block goes, it covers " : "wherever the blocks go, they cover ";
    text += listed(covers);
  }
  if (!empty.empty()) {
    if (!covers.empty()) text += "; ";
    text += is_one ? "the block cannot reach " : "no block can reach ";
    text += positions(empty);
    text += empty.size() == 1 ? ", so it is empty" : ", so they are empty";
  }
  return finding;
}

void mark(std::vector<uint8_t>& cells, int first, int end, int value) {
  for (int at = first; at < end; ++at) cells[at] = static_cast<uint8_t>(value);
}

// Settles cells by the range of each block: the cells that the other blocks leave room for. If the
// cell just outside a range has the block's colour, it belongs to another block, and the range is
// shortened by the cell that must separate them.
std::optional<Finding> ranges(const LineView& line, const Words& words, Watch&) {
  if (!line.is_measured) return {};
  const std::vector<Block>& blocks = line.plan.blocks;
  const std::vector<uint8_t>& cells = line.cells;
  std::vector<uint8_t> covered(cells.size()), reached(cells.size());
  int needed = line.total;
  for (const uint8_t gap : line.plan.separated) needed += gap;
  int before = 0;
  for (size_t b = 0; b < blocks.size(); ++b) {
    const auto [length, colour] = blocks[b];
    int first = before, last = line.length() - 1 - (needed - before - length);
    while (first > 0 && cells[first - 1] == colour) ++first;
    while (last + 1 < line.length() && cells[last + 1] == colour) --last;
    mark(covered, last - length + 1, first + length, colour);
    mark(reached, first, last + 1, 1);
    before += length + (b + 1 < blocks.size() ? line.plan.separated[b] : 0);
  }
  return covering(line, words, covered, reached, ": ");
}

// Settles a line with as many filled cells, or possibly filled ones, as its clue needs.
std::optional<Finding> all_there(const LineView& line, const Words&, Watch&) {
  if (!line.is_measured) return {};
  const int num_possible = line.length() - line.count(kEmpty);
  if (num_possible - line.count(kOpen) == line.total) {
    const std::string which = line.total == 1 ? "its filled cell"
                              : line.total == 2
                                  ? "both its filled cells"
                                  : "all its " + std::to_string(line.total) + " filled cells";
    Finding finding{{}, "", " has " + which + " already, so "};
    settle(line, 0, line.length(), kEmpty, finding);
    return if_new(std::move(finding));
  }
  if (!line.is_plain || num_possible != line.total) return {};
  Finding finding{{},
                  "",
                  " needs " + counted(line.total, "filled cell") +
                      ", and no more of its cells can be filled, so "};
  settle(line, 0, line.length(), kFilled, finding);
  return if_new(std::move(finding));
}

// First and last starts, and first and last ends, of a block in the possible placements.
struct Domain {
  int first_start, last_start, first_end, last_end;
};

std::vector<Domain> domains_of(const LineView& line, Watch& watch) {
  std::vector<Word> starts, ends;
  Scratch scratch;
  block_domains(line.plan, line.may_words, starts, ends, scratch, watch);
  const int num_words = words_for(line.length());
  std::vector<Domain> domains;
  for (size_t b = 0; b < line.plan.blocks.size(); ++b) {
    const Word* const from = &starts[b * num_words];
    const Word* const to = &ends[b * num_words];
    domains.push_back(
        {first_bit(from), last_bit(from, num_words), first_bit(to), last_bit(to, num_words)});
  }
  return domains;
}

// Settles cells by the leftmost and rightmost placements, given the known cells.
std::optional<Finding> overlap(const LineView& line, const Words& words, Watch& watch) {
  std::vector<uint8_t> covered(line.cells.size()), reached(line.cells.size());
  const std::vector<Domain> domains = domains_of(line, watch);
  for (size_t b = 0; b < domains.size(); ++b) {
    mark(covered, domains[b].last_start, domains[b].first_end + 1, line.plan.blocks[b].colour);
    mark(reached, domains[b].first_start, domains[b].last_end + 1, 1);
  }
  return covering(line, words, covered, reached, ", with its known cells: ");
}

// Settles stretches between empty cells into which no block fits that can reach them.
std::optional<Finding> gaps(const LineView& line, const std::vector<Domain>& domains) {
  Finding finding{{}, "no block of ", "", false};
  std::vector<std::string> found;
  for (const auto [first, last] :
       stretches(line.cells, [](uint8_t value) { return value != kEmpty; })) {
    bool fits = false;
    for (size_t b = 0; b < domains.size(); ++b) {
      fits |= std::max(first, domains[b].first_start) <=
              std::min(last - line.plan.blocks[b].length + 1, domains[b].last_start);
    }
    if (fits) continue;
    settle(line, first, last + 1, kEmpty, finding);
    found.push_back(positions(numbers_of(first, last + 1)));
  }
  finding.after = found.size() == 1
                      ? " fits into the gap at " + found[0] + ", so it is empty"
                      : " fits into the gaps at " + listed(found) + ", so they are empty";
  return if_new(std::move(finding));
}

// Settles cells at the first run that allows it. The ends of a run that must be a whole block are
// empty. If there is little room on one side of a run, its block continues to the other side.
std::optional<Finding> runs(const LineView& line, const std::vector<Domain>& domains) {
  const std::vector<Stretch> rooms =
      stretches(line.cells, [](uint8_t value) { return value != kEmpty; });
  for (const auto [first, last] :
       stretches(line.cells, [](uint8_t value) { return value == kFilled; })) {
    const int size = last - first + 1;
    const auto [low, high] = *std::find_if(
        rooms.begin(), rooms.end(), [at = first](const Stretch& room) { return at <= room.last; });
    int least = INT_MAX, most = 0;
    int sure = 0, sure_end = INT_MAX;  // covered by each block that may contain the run
    for (size_t b = 0; b < domains.size(); ++b) {
      const int length = line.plan.blocks[b].length;
      if (size > length || length > high - low + 1) continue;
      if (domains[b].first_start > first || last >= domains[b].last_start + length) continue;
      least = std::min(least, length);
      most = std::max(most, length);
      sure = std::max(sure, std::min(first, high - length + 1));
      sure_end = std::min(sure_end, std::max(low, last - length + 1) + length);
    }
    const std::string run = "the filled " + positions(numbers_of(first, last + 1)) + " of ";
    if (most == size) {
      Finding finding{{},
                      run,
                      std::string(" ") + are(size) +
                          " a complete block, since no longer one can be there, so "};
      if (first > 0) settle(line, first - 1, first, kEmpty, finding);
      if (last + 1 < line.length()) settle(line, last + 1, last + 2, kEmpty, finding);
      if (!finding.values.empty()) return finding;
    }
    const std::string which = std::to_string(least) + (least == most ? "" : " or more");
    Finding finding{{},
                    run,
                    (size == 1 ? " belongs to a block of " : " belong to a block of ") + which +
                        ", which has little room on one side, so "};
    settle(line, sure, sure_end, kFilled, finding);
    if (!finding.values.empty()) return finding;
  }
  return {};
}

std::optional<Finding> splitting(const LineView& line, const Words&, Watch& watch) {
  if (!line.is_plain) return {};
  const std::vector<Domain> domains = domains_of(line, watch);
  std::optional<Finding> found = gaps(line, domains);
  return found ? found : runs(line, domains);
}

}  // namespace

const Rule kRules[kNumRules] = {{kEmptyClue, empty_clue},
                                {kRanges, ranges},
                                {kAllThere, all_there},
                                {kOverlap, overlap},
                                {kSplitting, splitting}};

LineView::LineView(const Plan& line_plan, const Word* planes)
    : plan(line_plan), may_words(planes), cells(static_cast<size_t>(line_plan.length), kOpen) {
  for (int at = 0; at < length(); ++at) {
    int num_left = 0;
    for (int value = 0; value < num_values(); ++value) {
      if (!may(at, value)) continue;
      cells[at] = static_cast<uint8_t>(value);
      ++num_left;
    }
    if (num_left > 1) cells[at] = kOpen;
  }
  for (const Block& block : plan.blocks) {
    total += block.length;
    is_measured &= block.length > 0;
  }
  is_plain = is_measured && plan.num_colours == 1;
}

int LineView::count(uint8_t value) const {
  return static_cast<int>(std::count(cells.begin(), cells.end(), value));
}

std::optional<std::vector<Pair>> implied(const Board& board, int line, Watch& watch) {
  const Plan& plan = board.plan(line);
  const Word* const planes = board.planes(line);
  const size_t num_words = words_for(plan.length);
  std::vector<Word> kept(num_words * board.num_values());
  Scratch scratch;
  if (!propagate_line(plan, planes, kept.data(), false, scratch, watch)) return {};
  std::vector<Pair> removals;
  for (size_t i = 0; i < kept.size(); ++i) {
    for (Word gone = planes[i] & ~kept[i]; gone; gone &= gone - 1) {
      const int at = static_cast<int>(i % num_words) * kWordBits + std::countr_zero(gone);
      removals.push_back({board.cell_of(line, at), static_cast<int>(i / num_words)});
    }
  }
  return removals;
}

}  // namespace nonosat::explain
