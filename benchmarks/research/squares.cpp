// Counts the pictures of n x n cells that are the only solution of their clues (OEIS A242876).
//
// Usage: squares count N PART PARTS | squares sample N SEED SAMPLES. Prints one JSON object;
// squares.py builds and runs it, and documents the figures.
//
// Method: pictures with the same clues have the same row clues. So for each list of row clues all
// pictures with these rows are enumerated, and their column clues put into a hash table; a picture
// is unique if no other one of the same list has its column clues. Lists are taken up to the order
// of rows and the direction of all rows, two symmetries that keep the number. A picture costs one
// table look-up for every two columns and one for the hash table.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

double cpu_s() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Lengths of the runs of ones among n bits, from the lowest bit on.
std::vector<int> runs(unsigned bits, int n) {
  std::vector<int> found;
  for (int i = 0; i < n; ++i) {
    if (!(bits >> i & 1)) continue;
    if (i > 0 && bits >> (i - 1) & 1) {
      ++found.back();
    } else {
      found.push_back(1);
    }
  }
  return found;
}

class Squares {
 public:
  explicit Squares(int n) : n_(n), num_groups_((n + 1) / 2) {
    std::map<std::vector<int>, int> numbers;
    for (unsigned bits = 0; bits < 1u << n; ++bits) numbers.try_emplace(runs(bits, n), 0);
    for (auto& [clue, number] : numbers) number = num_clues_++;
    clue_of_.resize(size_t{1} << n);
    fillings_.resize(num_clues_);
    mirrored_.resize(num_clues_);
    for (unsigned bits = 0; bits < 1u << n; ++bits) {
      const auto clue = runs(bits, n);
      clue_of_[bits] = numbers[clue];
      fillings_[clue_of_[bits]].push_back(spread(bits));
      mirrored_[clue_of_[bits]] = numbers[{clue.rbegin(), clue.rend()}];
    }
    // Codes of the clues of two columns, by the cells of both: row r has bits 2 r and 2 r + 1.
    uint64_t place = 1;
    for (int group = 0; group < num_groups_; ++group) {
      auto& codes = codes_[group];
      codes.resize(size_t{1} << (2 * n));
      for (unsigned cells = 0; cells < codes.size(); ++cells) {
        unsigned even = 0, odd = 0;
        for (int row = 0; row < n; ++row) {
          even |= (cells >> (2 * row) & 1) << row;
          odd |= (cells >> (2 * row + 1) & 1) << row;
        }
        codes[cells] = place * (clue_of_[even] + static_cast<uint64_t>(num_clues_) * clue_of_[odd]);
      }
      place *= static_cast<uint64_t>(num_clues_) * num_clues_;
    }
  }

  uint64_t num_lists() const {
    uint64_t number = 1;
    for (int row = 0; row < n_; ++row) number *= num_clues_;
    return number;
  }

  std::vector<int> list(uint64_t number) const {
    std::vector<int> clues(n_);
    for (int& clue : clues) {
      clue = static_cast<int>(number % num_clues_);
      number /= num_clues_;
    }
    return clues;
  }

  // Row clues of a picture, given as n bits a row.
  std::vector<int> clues_of(uint64_t picture) const {
    std::vector<int> clues(n_);
    for (int& clue : clues) {
      clue = clue_of_[picture & ((1u << n_) - 1)];
      picture >>= n_;
    }
    return clues;
  }

  // Number of equivalent lists; 0 unless this is the least of them.
  int weight(const std::vector<int>& clues) const {
    auto other = clues;
    std::reverse(other.begin(), other.end());
    int num_equal = 1;
    if (other < clues) return 0;
    num_equal += other == clues;
    for (const bool reversed : {false, true}) {
      auto image = reversed ? other : clues;
      for (int& clue : image) clue = mirrored_[clue];
      if (image < clues) return 0;
      num_equal += image == clues;
    }
    return 4 / num_equal;
  }

  uint64_t num_pictures(const std::vector<int>& clues) const {
    uint64_t number = 1;
    for (const int clue : clues) number *= fillings_[clue].size();
    return number;
  }

  // Number of pictures with these rows that are the only solution of their clues.
  uint64_t num_unique(const std::vector<int>& clues) {
    const uint64_t number = num_pictures(clues);
    int bits = 3;
    while (uint64_t{1} << bits < 2 * number) ++bits;
    if (table_.size() < size_t{1} << bits) table_.resize(size_t{1} << bits);
    std::fill_n(table_.begin(), size_t{1} << bits, 0);
    shift_ = 64 - bits;
    num_unique_ = 0;
    fill(clues, 0, 0);
    return num_unique_;
  }

 private:
  uint64_t spread(unsigned bits) const {
    uint64_t word = 0;
    for (int column = 0; column < n_; ++column) {
      const int at = column / 2 * 2 * n_ + column % 2;
      word |= static_cast<uint64_t>(bits >> column & 1) << at;
    }
    return word;
  }

  void fill(const std::vector<int>& clues, int row, uint64_t above) {
    const auto& fillings = fillings_[clues[row]];
    if (row + 1 < n_) {
      for (const uint64_t filling : fillings) fill(clues, row + 1, above | filling << (2 * row));
      return;
    }
    const uint64_t mask = (uint64_t{1} << (2 * n_)) - 1;
    for (const uint64_t filling : fillings) {
      const uint64_t cells = above | filling << (2 * row);
      uint64_t key = 1;  // 0 is an empty place of the table
      for (int group = 0; group < num_groups_; ++group) {
        key += codes_[group][cells >> (2 * n_ * group) & mask];
      }
      add(key);
    }
  }

  void add(uint64_t key) {
    const size_t mask = (size_t{1} << (64 - shift_)) - 1;
    for (size_t at = key * 0x9E3779B97F4A7C15u >> shift_;; at = (at + 1) & mask) {
      uint64_t& place = table_[at];
      if (!place) {
        place = key << 1;
        ++num_unique_;
        return;
      }
      if (place >> 1 != key) continue;
      num_unique_ -= !(place & 1);
      place |= 1;
      return;
    }
  }

  int n_, num_groups_, num_clues_ = 0, shift_ = 61;
  std::vector<int> clue_of_, mirrored_;
  std::vector<std::vector<uint64_t>> fillings_;  // by clue, spread over the groups of columns
  std::array<std::vector<uint64_t>, 4> codes_;
  std::vector<uint64_t> table_;  // a key in the upper bits, and 1 if it occurred twice
  uint64_t num_unique_ = 0;
};

void count(int n, uint64_t part, uint64_t parts) {
  Squares squares(n);
  uint64_t unique = 0, pictures = 0, enumerated = 0, lists = 0;
  for (uint64_t number = part; number < squares.num_lists(); number += parts) {
    const auto clues = squares.list(number);
    const int weight = squares.weight(clues);
    if (!weight) continue;
    const uint64_t here = squares.num_pictures(clues);
    ++lists;
    enumerated += here;
    pictures += here * weight;
    unique += squares.num_unique(clues) * weight;
  }
  std::printf(
      "{\"n\": %d, \"unique\": %llu, \"pictures\": %llu, \"enumerated\": %llu, "
      "\"lists\": %llu, \"cpu_s\": %.2f}\n",
      n, static_cast<unsigned long long>(unique), static_cast<unsigned long long>(pictures),
      static_cast<unsigned long long>(enumerated), static_cast<unsigned long long>(lists), cpu_s());
}

// Estimates the share of unique pictures from the lists of row clues of random pictures.
void sample(int n, uint64_t seed, int samples) {
  Squares squares(n);
  std::mt19937_64 draw(seed);
  double sum = 0, squared = 0;
  uint64_t enumerated = 0, most = 0;
  const double start_s = cpu_s();
  for (int i = 0; i < samples; ++i) {
    const auto clues = squares.clues_of(draw() >> (64 - n * n));
    const uint64_t here = squares.num_pictures(clues);
    const double share = static_cast<double>(squares.num_unique(clues)) / static_cast<double>(here);
    sum += share;
    squared += share * share;
    enumerated += here;
    most = std::max(most, here);
  }
  const double mean = sum / samples, variance = squared / samples - mean * mean;
  std::printf(
      "{\"n\": %d, \"seed\": %llu, \"samples\": %d, \"share\": %.8f, \"variance\": %.8f, "
      "\"enumerated\": %llu, \"largest\": %llu, \"cpu_s\": %.2f}\n",
      n, static_cast<unsigned long long>(seed), samples, mean, variance,
      static_cast<unsigned long long>(enumerated), static_cast<unsigned long long>(most),
      cpu_s() - start_s);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc == 5 ? argv[1] : "";
  const int n = argc == 5 ? std::atoi(argv[2]) : 0;
  if (n < 1 || n > 7 || (what != "count" && what != "sample")) {
    std::fprintf(stderr, "usage: squares count N PART PARTS | squares sample N SEED SAMPLES\n");
    return 2;
  }
  const uint64_t first = std::strtoull(argv[3], nullptr, 10);
  const uint64_t second = std::strtoull(argv[4], nullptr, 10);
  if (what == "count") {
    count(n, first, second);
  } else {
    sample(n, first, static_cast<int>(second));
  }
}
