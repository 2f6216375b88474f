#include "encoding/clauses.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>

#include "cost.hpp"

namespace nonosat {
namespace {

// Largest numbers of characters for a literal or the terminating 0: "-2147483647 " in DIMACS, "+1
// x2147483647 " and "+0 x1 >= -2147483647 ;\n" in OPB.
constexpr size_t kMostDimacsChars = 12, kMostOpbChars = 24;

char* put_number(char* at, int64_t number) { return std::to_chars(at, at + 12, number).ptr; }

char* put_chars(char* at, const char* chars) {
  while (*chars) *at++ = *chars++;
  return at;
}

}  // namespace

int64_t num_clauses(Lits clauses) { return std::count(clauses.begin(), clauses.end(), 0); }

std::string dimacs_text(Lits clauses, Watch& watch) {
  assert(clauses.empty() || clauses.back() == 0);
  std::string text(clauses.size() * kMostDimacsChars, '\0');
  char* at = text.data();
  for (const int32_t lit : clauses) {
    at = put_number(at, lit);
    *at++ = lit ? ' ' : '\n';
    if (!lit) watch.work(cost::kClauseText);
  }
  text.resize(at - text.data());
  return text;
}

std::string opb_text(Lits clauses, Watch& watch) {
  std::string text(clauses.size() * kMostOpbChars, '\0');
  char* at = text.data();
  int64_t num_lits = 0, num_negated = 0;
  for (const int32_t lit : clauses) {
    if (lit) {
      at = put_chars(at, lit > 0 ? "+1 x" : "-1 x");
      at = put_number(at, lit > 0 ? int64_t{lit} : -int64_t{lit});
      *at++ = ' ';
      ++num_lits;
      num_negated += lit < 0;
      continue;
    }
    if (!num_lits) at = put_chars(at, "+0 x1 ");  // a constraint has at least one term
    at = put_chars(at, ">= ");
    at = put_number(at, 1 - num_negated);
    at = put_chars(at, " ;\n");
    watch.work(cost::kClauseText);
    num_lits = num_negated = 0;
  }
  text.resize(at - text.data());
  return text;
}

}  // namespace nonosat
