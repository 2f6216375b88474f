// Random test of counting by components, built with sanitizers by .ci/run.
//
// On drawn rules: the number equals that of enumeration, in one call, in many small ones, and
// stopped in between; with hardly any memory for components it is the same, and with none it is
// never above.

#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <vector>

#include "count/rules.hpp"

namespace {

using namespace nonosat;

int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "failed: %s\n", what);
  ++failures;
}

struct Drawn {
  int32_t num_vars;
  std::vector<Rule> rules;
  std::vector<int32_t> chosen;
};

Drawn drawn(std::mt19937& rng) {
  Drawn made{static_cast<int32_t>(1 + rng() % 11), {}, {}};
  for (unsigned rules = rng() % 14; rules--;) {
    Rule rule{};
    // Neighbouring variables share rules more often, so that there are components.
    const auto first = static_cast<int32_t>(1 + rng() % made.num_vars);
    for (int32_t var = first; var <= made.num_vars && var < first + 5; ++var) {
      if (rng() % 2) rule.lits.push_back(rng() % 3 ? var : -var);
    }
    const auto size = static_cast<unsigned>(rule.lits.size());
    rule.lower = rng() % 2 && size ? 1 : static_cast<int32_t>(rng() % (size + 1));
    const auto span = size + 1 - static_cast<unsigned>(rule.lower);
    rule.upper =
        rng() % 2 ? static_cast<int32_t>(size) : rule.lower + static_cast<int32_t>(rng() % span);
    if (rng() % 20 == 0) rule.lower = 1, rule.upper = 0;
    made.rules.push_back(rule);
  }
  for (int32_t var = 1; var <= made.num_vars; ++var) {
    if (rng() % 3) made.chosen.push_back(var);
  }
  return made;
}

uint64_t enumerated(const Drawn& made) {
  std::set<unsigned> found;
  unsigned mask = 0;
  for (const int32_t var : made.chosen) mask |= 1u << (var - 1);
  for (unsigned values = 0; values < 1u << made.num_vars; ++values) {
    bool is_kept = true;
    for (const Rule& rule : made.rules) {
      int count = 0;
      for (const int32_t lit : rule.lits) {
        count += static_cast<bool>(values >> (std::abs(lit) - 1) & 1) == (lit > 0);
      }
      is_kept &= rule.lower <= count && count <= rule.upper;
    }
    if (is_kept) found.insert(values & mask);
  }
  return found.size();
}

void check(std::mt19937& rng) {
  const Drawn made = drawn(rng);
  const Natural number(enumerated(made));
  Watch watch;
  RulesCount whole(made.num_vars, made.rules, made.chosen, 1 << 24);
  expect(whole.run(watch, int64_t{1} << 40) && whole.is_exact(), "a count that ends");
  expect(whole.total() == number, "the number of enumeration");
  RulesCount slow(made.num_vars, made.rules, made.chosen, 30'000);
  int turn = 0;
  Watch hurried({}, [&] { return ++turn % 3 == 0; }, {1, std::chrono::milliseconds(0)});
  Natural least;
  for (bool is_done = false; !is_done && !slow.is_full();) {
    try {
      is_done = slow.run(hurried, 1);
    } catch (const Stopped&) {
    }
    expect(!(number < slow.total()) && !(slow.total() < least), "a bound that grows");
    least = slow.total();
  }
  expect(slow.is_full() || slow.total() == number, "the number in many turns");
  RulesCount poor(made.num_vars, made.rules, made.chosen, 300);
  expect(poor.run(watch, int64_t{1} << 40) == poor.is_exact(), "the result of a run that ends");
  expect(poor.is_exact() ? poor.total() == number : !(number < poor.total()), "a bound");
}

}  // namespace

int main() {
  std::mt19937 rng(1);
  for (int i = 0; i < 6000; ++i) check(rng);
  if (!failures) std::puts("rules counts: ok");
  return failures ? 1 : 0;
}
