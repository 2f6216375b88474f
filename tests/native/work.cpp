// How much work propagation, probing and prices do on boards that are always the same: lines and
// cells in their order, probes, lessons, steps, bounds. All of it is compared with the record
// beside this file, recorded_work.txt. Other tests compare answers; a core that comes to the same
// answers by a longer way passes these, and fails here.
//
// Usage: work [boards | prices | print] [RECORD]. Status 1 where a number is not the recorded one.
// `print` prints the record that these numbers make. Who has changed the work on purpose looks
// whether it has become less, and renews the record:
//     python benchmarks/trust/natively.py work print > tests/native/recorded_work.txt
#include <cstdio>
#include <string>
#include <vector>

#include "counting.hpp"
#include "work_boards.hpp"
#include "work_prices.hpp"

int main(int argc, char** argv) {
  const std::string asked = argc > 1 ? argv[1] : "all";
  const std::string here = __FILE__;
  const std::string beside = here.substr(0, here.rfind('/') + 1) + "recorded_work.txt";
  counting::Counts counts;
  std::vector<std::string> parts;
  if (asked != "prices") {
    parts.push_back("boards, ");
    work::count_boards(counts);
  }
  if (asked != "boards") {
    parts.insert(parts.end(), {"prices, ", "regions, "});
    work::count_prices(counts);
  }
  if (asked == "print") {
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
