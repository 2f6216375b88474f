// Times line propagation and the propagation of whole puzzles; benchmarks/native/line.py builds and
// runs this program, and documents the figures.
//
// Usage: line lines LENGTH GAP COLOURS ROUNDS | line board FILE ROUNDS. Prints one JSON object.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "board/board.hpp"

using namespace nonosat;

namespace {

double cpu_s() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Line {
  Plan plan;
  std::vector<Word> may;
};

// A line whose gaps and blocks have 1 to 2 * `gap` - 1 cells, with a random share of its cells
// known.
Line draw_line(int length, int gap, int num_colours, std::mt19937_64& rng) {
  const auto below = [&](int bound) { return static_cast<int>(rng() % bound); };
  std::vector<int> cells;
  Clue clue;
  while (static_cast<int>(cells.size()) < length) {
    cells.insert(cells.end(), 1 + below(2 * gap - 1), 0);
    const int rest = length - static_cast<int>(cells.size());
    if (rest <= 0) break;
    clue.push_back({std::min(rest, 1 + below(2 * gap - 1)), 1 + below(num_colours)});
    cells.insert(cells.end(), clue.back().length, clue.back().colour);
  }
  cells.resize(length);
  const int num_words = words_for(length), percent = below(101);
  Line line{Plan(length, num_colours, clue), std::vector<Word>((num_colours + 1) * num_words)};
  for (int i = 0; i < length; ++i) {
    const bool is_known = below(100) < percent;
    for (int value = 0; value <= num_colours; ++value) {
      if (is_known && value != cells[i]) continue;
      line.may[value * num_words + i / kWordBits] |= Word{1} << (i % kWordBits);
    }
  }
  return line;
}

void time_lines(int length, int gap, int num_colours, int rounds) {
  std::mt19937_64 rng(static_cast<uint64_t>(length));
  std::vector<Line> lines;
  size_t num_blocks = 0;
  for (int i = 0; i < std::max(64, 65536 / length); ++i) {
    lines.push_back(draw_line(length, gap, num_colours, rng));
    num_blocks += lines.back().plan.blocks.size();
  }
  std::vector<Word> kept(lines[0].may.size());
  Scratch scratch;
  Watch watch;
  double least = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const double started = cpu_s();
    for (Line& line : lines) {
      if (!propagate_line(line.plan, line.may.data(), kept.data(), false, scratch, watch))
        std::abort();  // the known cells are those of the generated line
    }
    least = std::min(least, cpu_s() - started);
  }
  const auto num_lines = static_cast<double>(lines.size());
  const double units = static_cast<double>(watch.done()) / rounds;
  std::printf("{\"lines\": %zu, \"blocks\": %.1f, \"ns\": %.1f, \"units_per_ns\": %.2f}\n",
              lines.size(), static_cast<double>(num_blocks) / num_lines, 1e9 * least / num_lines,
              units / (1e9 * least));
}

// A puzzle as numbers: colours, height, width; for each line the number of its blocks, and each
// block's length and colour.
void time_board(const char* path, int rounds) {
  std::ifstream file(path);
  int num_colours, height, width;
  file >> num_colours >> height >> width;
  std::vector<Clue> clues(height + width);
  for (Clue& clue : clues) {
    size_t num_blocks;
    file >> num_blocks;
    clue.resize(num_blocks);
    for (Block& block : clue) file >> block.length >> block.colour;
  }
  Watch watch;
  const auto columns = clues.begin() + height;
  const Board fresh(num_colours, {clues.begin(), columns}, {columns, clues.end()}, watch);
  std::vector<double> seconds;
  bool is_complete = true;
  for (int round = 0; round < rounds; ++round) {
    Board board = fresh;
    const double started = cpu_s();
    if (!board.propagate(watch)) std::abort();
    seconds.push_back(cpu_s() - started);
    is_complete = board.is_complete();
  }
  std::sort(seconds.begin(), seconds.end());
  std::printf("{\"ms\": %.4f, \"least_ms\": %.4f, \"complete\": %s}\n",
              1e3 * seconds[seconds.size() / 2], 1e3 * seconds[0], is_complete ? "true" : "false");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "lines" && argc == 6) {
    time_lines(std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]), std::atoi(argv[5]));
  } else if (what == "board" && argc == 4) {
    time_board(argv[2], std::atoi(argv[3]));
  } else {
    std::fprintf(stderr, "usage: line lines LENGTH GAP COLOURS ROUNDS | line board FILE ROUNDS\n");
    return 2;
  }
}
