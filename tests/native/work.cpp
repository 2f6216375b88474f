// Amount of work of propagation, probing and prices on fixed boards: lines and cells in their
// order, probes, lessons, steps, bounds. All numbers are compared with the record in
// recorded_work.txt. Other tests compare answers; a core that takes more steps to the same answers
// passes those, and fails here.
//
// Usage: work [boards | prices | print] [RECORD]. Exit status 1 if a number differs from the
// record.
// `print` prints the record of these numbers. After a deliberate change, check that the work has
// not
// increased, and renew the record:
//     python benchmarks/trust/natively.py work print > tests/native/recorded_work.txt
#include <cstdio>
#include <string>
#include <vector>

#include "counting.hpp"
#include "work_boards.hpp"
#include "work_prices.hpp"

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "all";
  const std::string here = __FILE__;
  const std::string beside = here.substr(0, here.rfind('/') + 1) + "recorded_work.txt";
  counting::Counts counts;
  std::vector<std::string> parts;
  if (mode != "prices") {
    parts.push_back("boards, ");
    work::count_boards(counts);
  }
  if (mode != "boards") {
    parts.insert(parts.end(), {"prices, ", "regions, "});
    work::count_prices(counts);
  }
  if (mode == "print") {
    counts.print();
    return 0;
  }
  const int wrong = counts.compare(argc > 2 ? argv[2] : beside, parts);
  if (wrong) {
    std::fprintf(stderr,
                 "work: %d of %zu numbers are not as recorded. Where the answers changed, mend "
                 "them. Where the way to them is meant to change, see that it is shorter, and run "
                 "python benchmarks/trust/natively.py work print > "
                 "tests/native/recorded_work.txt\n",
                 wrong, counts.size());
    return 1;
  }
  std::printf("checked %zu numbers of counted work\n", counts.size());
}
