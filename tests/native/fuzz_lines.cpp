// The line propagator against a program that shares nothing with the core (reference.hpp): random
// pairs of a clue and what is known of the cells, and all such pairs of short lines. Values, starts
// and ends must be the same. Random lines are solved in goes that are stopped, one piece of
// knowledge after another, with and without vectors.
//
// Usage: fuzz_lines [random pairs] [length] [length in two colours] [seed]
//        (lines up to these lengths are gone through, with every clue and all that may be known)
//        fuzz_lines oracle < pairs
//        (what reference.hpp says of pairs, for the tests that hold it to the oracle in Python)
// The last line that it prints has its figures as JSON. Status 1 at a mistake.
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

// Where windows need one integer more, or too many.
constexpr int kLongSides[] = {254, 257, 258, 600};

int draw_length() {
  if (chance(1)) return kLongSides[below(std::size(kLongSides))];
  if (chance(40)) return kSides[below(17)];  // around the ends of words, up to 129
  return below(131);
}

int draw_num_colours() { return chance(60) ? 1 : chance(97) ? 2 + below(3) : 200; }

// What follows from an assumption, with the windows of the lasting solve that led to `may`.
void check_assumption(const Plan& plan, const Cells& truth, const Planes& may, Windows& windows) {
  Planes assumed = may;
  const int length = plan.length;
  forget(assumed, truth, 5);
  if (has_lost_cell(assumed)) return;
  std::vector<Word> kept;
  const Support under = support(plan.blocks, assumed);
  require(solve_line(plan, packed(assumed, length), kept, false, &windows) == under.any,
          "an assumption");
  require(!under.any || kept == packed(under.kept, length), "values under an assumption");
}

// Calls of the core with one pair, which must agree with what is expected. Leaves in `windows` what
// a lasting solve says of the blocks.
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
  if (has_lost_cell(may)) windows.unsettle();  // as a board does
  require(solve_line(plan, words, kept, true, &windows) == any,
          "a contradiction of a lasting line");
  require(!any || kept == values, "a lasting line's values");
}

// A line of which more and more is known, and the pairs that this makes.
int check_line() {
  const int length = draw_length(), num_colours = draw_num_colours();
  const Cells truth = draw_cells(length, num_colours, std::max(length, 1));
  Clue clue = chance(85) ? clue_of(truth) : draw_clue(length, num_colours);
  if (chance(30)) blot(clue, 1 + below(99));
  Planes may(num_colours + 1, std::vector<char>(length, 1));
  const Plan plan(length, num_colours, clue);
  Windows windows = plan.open;
  for (int step = 1;; ++step) {
    forget(may, truth, below(40));
    const Support expected = support(clue, may);
    check_pair(plan, may, expected, windows);
    num_refuted += !expected.any, num_across += length >= kWordBits;
    if (!expected.any) return step;
    may = expected.kept;
    check_assumption(plan, truth, may, windows);
    if (step == 4) return step;
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

// Calls `visit` with every clue that takes at most `room` cells; with `unknown` also those with
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

// The next state of knowledge: a set of values that is not empty for each cell.
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

// Clues that need a cell more than there is are among them.
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

// ---- The oracle by itself ----

// Reads `colours blocks length colour ... cells set ...` and writes `0`, or `1`, the set of each
// cell, and the starts and ends of each block as one digit a cell.
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
