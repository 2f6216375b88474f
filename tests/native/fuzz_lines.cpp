// Comparison of the line propagator with a program that shares no code with the core
// (reference.hpp): on random pairs of a clue and known values of cells, and on all such pairs of
// short lines. Values, starts and ends must be equal. Random lines are solved in calls that are
// stopped, with more and more known cells, with and without vector instructions.
//
// Usage: fuzz_lines [random pairs] [length] [length in two colours] [seed]
//        (all lines up to these lengths, with every clue and all known values)
//        fuzz_lines oracle < pairs
//        (results of reference.hpp for pairs, for tests that compare it with the Python oracle)
// The last line of the output has the figures as JSON. Exit status 1 at an error.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "drawing.hpp"
#include "fuzzing.hpp"
#include "line/line.hpp"
#include "line/vectors.hpp"
#include "mono.hpp"
#include "reference.hpp"
#include "solving.hpp"

using namespace nonosat;
using namespace drawing;
using namespace fuzzing;
using reference::Support, reference::support;
using solving::solve_line;

namespace {

int64_t num_refuted = 0, num_across = 0;  // pairs without a filling, of more than 63 cells

bool has_lost_cell(const Planes& may) {
  for (size_t cell = 0; cell < may[0].size(); ++cell) {
    if (std::none_of(may.begin(), may.end(), [&](const auto& plane) { return plane[cell]; }))
      return true;
  }
  return false;
}

// ---- Random pairs ----

// Lengths at which windows need one more integer, or too many.
constexpr int kLeastLong = 128;
constexpr int kLongSides[] = {254, 257, 258, 600};

int draw_length() {
  if (chance(1)) return kLongSides[below(std::size(kLongSides))];
  if (chance(20)) return kLeastLong + below(80);
  if (chance(40)) return kSides[below(17)];  // around multiples of the word, up to 129
  return below(131);
}

int draw_num_colours() { return chance(60) ? 1 : chance(97) ? 2 + below(3) : 200; }

// Checks the consequences of an assumption, with the windows of the persistent solve that led to
// `may`.
void check_assumption(const Plan& plan, const Cells& truth, const Planes& may, Windows& windows) {
  Planes assumed = may;
  const int length = plan.length;
  remove_values(assumed, truth, 5);
  if (has_lost_cell(assumed)) return;
  std::vector<Word> kept;
  const Support under = support(plan.blocks, assumed);
  require(solve_line(plan, packed(assumed, length), kept, false, &windows) == under.any,
          "an assumption");
  require(!under.any || kept == packed(under.kept, length), "values under an assumption");
}

// Checks that a long line whose cells are all known is only read, and compared with its clue:
// memory after its planes is not touched. Some of its cells are wrong.
void check_complete(const Plan& plan, Cells cells) {
  for (int left = below(3); left > 0; --left) {
    cells[below(plan.length)] = below(plan.num_colours + 1);
  }
  Planes may(plan.num_colours + 1, std::vector<char>(plan.length, 0));
  for (int cell = 0; cell < plan.length; ++cell) may[cells[cell]][cell] = 1;
  const std::vector<Word> values = packed(may, plan.length);
  std::vector<Word> words = values, kept(words.size());
  words.resize(words.size() + words_for(plan.length), ~Word{0});
  Scratch scratch;
  Watch watch;
  const bool any = propagate_line(plan, words.data(), kept.data(), false, scratch, watch);
  require(any == support(plan.blocks, may).any, "a complete line");
  require(!any || kept == values, "a complete line's values");
  require(watch.done() == plan.cost + std::ssize(plan.blocks), "the work of a complete line");
}

// Checks that after a persistent solve the windows of a long line are the remaining starts. If all
// cells are known, the windows are unchanged.
void check_windows(const Windows& windows, const Planes& may, const Support& expected) {
  int64_t num_left = 0;
  for (const auto& plane : may) num_left += std::count(plane.begin(), plane.end(), 1);
  if (num_left == std::ssize(may[0])) return;
  for (size_t b = 0; b < expected.starts.size(); ++b) {
    const auto& starts = expected.starts[b];
    const auto first = std::find(starts.begin(), starts.end(), 1) - starts.begin();
    const auto last = starts.rend() - std::find(starts.rbegin(), starts.rend(), 1) - 1;
    require(windows.first[b] == first && windows.last[b] == last, "a window");
  }
}

// Calls the core with one pair and checks the results. Stores in `windows` the windows of a
// persistent solve.
void check_pair(const Plan& plan, const Planes& may, const Support& expected, Windows& windows) {
  const int length = plan.length;
  const std::vector<Word> words = packed(may, length), values = packed(expected.kept, length);
  std::vector<Word> kept, starts, ends;
  Scratch scratch;
  Watch watch;
  const bool any = solve_line(plan, words, kept);
  require(any == expected.any, "a line's contradiction");
  require(!any || kept == values, "a line's values");
  require(mono::agrees(plan, words, any, kept), "a line of one colour");
  const bool any_domains = block_domains(plan, words.data(), starts, ends, scratch, watch,
                                         chance(50) ? &windows : nullptr);
  require(any_domains == any, "a contradiction of domains");
  require(!any || starts == packed(expected.starts, length), "starts");
  require(!any || ends == packed(expected.ends, length), "ends");
  if (has_lost_cell(may)) windows.invalidate();  // as a board does
  require(solve_line(plan, words, kept, true, &windows) == any,
          "a contradiction of a lasting line");
  require(!any || kept == values, "a lasting line's values");
  if (any && !Plan::is_short(length)) check_windows(windows, may, expected);
  require(plan.cost > 0, "the work of a line");
}

// Sometimes with the maximal number of blocks.
Cells draw_truth(int length, int num_colours) {
  Cells cells = draw_cells(length, num_colours, std::max(length, 1));
  for (int at = chance(5) ? 0 : length; at < length; ++at) {
    cells[at] = at % 2 || chance(2) ? 0 : 1 + below(num_colours);
  }
  return cells;
}

// All cells are known except some consecutive ones, so that windows are narrow.
void remove_far_values(Planes& may, const Cells& truth) {
  const int length = static_cast<int>(truth.size());
  const int from = below(length), to = from + 1 + below(30);
  for (int cell = 0; cell < length; ++cell) {
    if (from <= cell && cell < to) continue;
    for (size_t value = 0; value < may.size(); ++value) {
      may[value][cell] = truth[cell] == static_cast<int>(value);
    }
  }
}

// Pairs of one clue with more and more known cells.
int check_line() {
  const int length = draw_length(), num_colours = draw_num_colours();
  const Cells truth = draw_truth(length, num_colours);
  Clue clue = chance(85) ? clue_of(truth) : draw_clue(length, num_colours);
  if (chance(30)) hide_lengths(clue, 1 + below(99));
  Planes may(num_colours + 1, std::vector<char>(length, 1));
  const Plan plan(length, num_colours, clue);
  Windows windows = plan.open;
  if (!Plan::is_short(length)) check_complete(plan, truth);
  const bool is_far = length > 0 && chance(20);
  for (int step = 1;; ++step) {
    is_far&& step == 1 ? remove_far_values(may, truth)
                       : remove_values(may, truth, below(is_far ? 10 : 40));
    const Support expected = support(clue, may);
    check_pair(plan, may, expected, windows);
    num_refuted += !expected.any, num_across += length >= kWordBits;
    if (!expected.any) return step;
    may = expected.kept;
    check_assumption(plan, truth, may, windows);
    if (step == 4) return step;
  }
}

// Two blocks far from each other whose windows just fit an integer, or just do not. Then one more
// cell becomes known.
void check_wide_windows() {
  for (const int width : {63, 64, 65, 127, 128, 129, 255, 256, 257}) {
    for (const int size : {1, 2, 70}) {
      const int from = 290, length = 2 * from + width + size;
      const Clue clue{{1, 1}, {size, 1}, {1, 1}};
      Planes may(2, std::vector<char>(length, 0));
      may[0].assign(length, 1);
      may[1][0] = may[1][1] = may[1][length - 1] = may[1][length - 2] = 1;
      std::fill_n(may[1].begin() + from, width + size - 1, 1);
      const Plan plan(length, 1, clue);
      for (const int offset : {0, 1, width / 2, width - 2, width - 1, width + size - 2}) {
        place = "a window of " + std::to_string(width) + ", " + std::to_string(offset);
        Windows windows = plan.open;
        check_pair(plan, may, support(clue, may), windows);
        Planes known = may;
        known[offset % 2][from + offset] = 0;
        check_pair(plan, known, support(clue, known), windows);
        known = may, windows = plan.open;
        check_pair(plan, known, support(clue, known), windows);
        known[1 - offset % 2][from + offset] = 0;
        check_pair(plan, known, support(clue, known), windows);
      }
    }
  }
}

int64_t check_random(int64_t num_pairs, int seed) {
  int64_t done = 0;
  for (int number = 0; done < num_pairs; ++number) {
    start("line", number, seed);
    vectors_allowed = number % 2;
    done += check_line();
  }
  return done;
}

// ---- All pairs of short lines ----

// Calls `visit` with every clue that needs at most `room` cells; with `unknown` also clues with
// blocks of unknown length.
template <class Visit>
void each_clue(Clue& clue, int room, int num_colours, bool unknown, Visit visit) {
  visit(clue);
  for (int colour = 1; colour <= num_colours; ++colour) {
    const int gap = !clue.empty() && clue.back().colour == colour;
    for (int size = unknown ? 0 : 1; gap + std::max(size, 1) <= room; ++size) {
      clue.push_back({size, colour});
      each_clue(clue, room - gap - std::max(size, 1), num_colours, unknown, visit);
      clue.pop_back();
    }
  }
}

// Advances to the next combination of non-empty sets of values for the cells.
bool advance(Cells& known, int num_sets) {
  for (int& set : known) {
    if (set < num_sets) return ++set, true;
    set = 1;
  }
  return false;
}

Planes planes_of(const Cells& known, int num_colours) {
  Planes may(num_colours + 1, std::vector<char>(known.size()));
  for (int value = 0; value <= num_colours; ++value) {
    for (size_t cell = 0; cell < known.size(); ++cell) may[value][cell] = known[cell] >> value & 1;
  }
  return may;
}

void check_short(const Plan& plan, const Planes& may) {
  static Scratch scratch;
  static std::vector<Word> starts, ends;
  const Support expected = support(plan.blocks, may);
  const std::vector<Word> words = packed(may, plan.length);
  const std::vector<Word> values = packed(expected.kept, plan.length);
  std::vector<Word> kept(words.size());
  Watch watch;
  for (const bool vectors : {false, true}) {
    vectors_allowed = vectors;
    const bool any = propagate_line(plan, words.data(), kept.data(), false, scratch, watch);
    require(any == expected.any && (!any || kept == values), "a short line");
  }
  require(mono::agrees(plan, words, expected.any, kept), "a short line of one colour");
  const bool any = block_domains(plan, words.data(), starts, ends, scratch, watch);
  require(any == expected.any, "a contradiction of domains");
  require(!any || starts == packed(expected.starts, plan.length), "starts");
  require(!any || ends == packed(expected.ends, plan.length), "ends");
  num_refuted += !any;
}

// Includes clues that need one cell more than there are.
int64_t check_all(int most, int num_colours, bool unknown) {
  int64_t done = 0;
  for (int length = 0; length <= most; ++length) {
    Clue clue;
    place = "length " + std::to_string(length) + ", " + std::to_string(num_colours) + " colours";
    each_clue(clue, length + 1, num_colours, unknown, [&](const Clue& blocks) {
      const Plan plan(length, num_colours, blocks);
      Cells known(length, 1);
      do ++done, check_short(plan, planes_of(known, num_colours));
      while (advance(known, (2 << num_colours) - 1));
    });
  }
  return done;
}

// ---- The oracle alone ----

// Reads `colours blocks length colour ... cells set ...` and writes `0`, or `1`, the set of each
// cell, and the starts and ends of each block with one digit per cell.
void answer() {
  for (int num_colours, num_blocks, length; std::cin >> num_colours >> num_blocks;) {
    Clue clue(num_blocks);
    for (Block& block : clue) std::cin >> block.length >> block.colour;
    std::cin >> length;
    Cells known(length);
    for (int& set : known) std::cin >> set;
    const Support found = support(clue, planes_of(known, num_colours));
    std::cout << found.any;
    for (int cell = 0; found.any && cell < length; ++cell) {
      int set = 0;
      for (int value = 0; value <= num_colours; ++value) set |= found.kept[value][cell] << value;
      std::cout << ' ' << set;
    }
    for (const Table& places : {found.starts, found.ends}) {
      for (size_t b = 0; found.any && b < places.size(); ++b) {
        std::cout << ' ';
        for (const char is_one : places[b]) std::cout << int{is_one};
      }
    }
    std::cout << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "oracle") return answer(), 0;
  const auto argument = [&](int index, int otherwise) {
    return argc > index ? std::atoi(argv[index]) : otherwise;
  };
  const int length = argument(2, 5), length_coloured = argument(3, 3);
  check_wide_windows();
  const int64_t num_random = check_random(argument(1, 8000), argument(4, 1));
  const int64_t refuted_at_random = num_refuted, across = num_across;
  require(num_random < 5000 || (across > num_random / 4 && refuted_at_random > num_random / 100),
          "too little was tried");
  const int64_t mono = check_all(length, 1, true);
  const int64_t coloured = check_all(length_coloured, 2, false);
  const int64_t coloured_unknown = check_all(length_coloured - 1, 2, true);
  print_figures(
      {{"random pairs", num_random},
       {"of these over 63 cells", across},
       {"of these without a filling", refuted_at_random},
       {"all pairs to length " + std::to_string(length), mono},
       {"all in two colours to length " + std::to_string(length_coloured), coloured},
       {"all in two colours with unknown lengths to length " + std::to_string(length_coloured - 1),
        coloured_unknown},
       {"of all pairs without a filling", num_refuted - refuted_at_random}});
}
