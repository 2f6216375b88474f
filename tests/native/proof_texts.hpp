// Formulas and proofs as text, just within and just outside the limits of the readers and checkers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fuzzing.hpp"
#include "proof/check.hpp"
#include "proof/check_lrat.hpp"
#include "proof/check_text.hpp"

namespace proof_texts {

using namespace nonosat;
using Lits = std::vector<int32_t>;

struct Case {
  std::string text;
  std::string refusal;  // expected message; "" if it is accepted
  Lits lits;            // expected result
};

// Calls a function and returns the message of its Refused exception, or "".
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const Refused& problem) {
    return problem.what();
  }
  return "";
}

inline void expect(const Case& wanted, const std::string& found, const Lits& lits) {
  fuzzing::place = "the text '" + wanted.text + "', found '" + found + "'";
  fuzzing::require(found == wanted.refusal, wanted.refusal.c_str());
  fuzzing::require(lits == wanted.lits, "something else was read");
}

inline void check_formulas() {
  const std::string digits_18(18, '0');
  const std::vector<Case> cases{
      {"p cnf 0 0", "", {}},
      {"p cnf 0 1\n0", "", {0}},
      {"p cnf 2 1\n1 -2 0", "", {1, -2, 0}},
      {"\n \tp\tcnf\r\n 1\r\n1\n-1 0\r\n", "", {-1, 0}},
      {"c x\nc\np cnf 2 2\nc y\n1 c\n-2\n0\n 0 c", "", {1, -2, 0, 0}},
      {"p cnf 2 " + digits_18 + "\n", "", {}},
      {"p cnf 2 " + digits_18 + "0\n", "line 1: a number of more than 18 digits", {}},
      {"p cnf 2 -" + digits_18 + "\n", "", {}},
      {"p cnf 1 999999999999999999",
       "line 1: 0 clauses, the header announces 999999999999999999",
       {}},
      {"p cnf 1073741822 0", "", {}},
      {"p cnf 1073741822 1\n-1073741822 1073741822 0", "", {-1073741822, 1073741822, 0}},
      {"p cnf 1073741823 0", "line 1: the number 1073741823, expected 0 to 1073741822", {}},
      {"p cnf -1 0", "line 1: the number -1, expected 0 to 1073741822", {}},
      {"p cnf 1 -1", "line 1: the number -1, expected 0 to 9223372036854775807", {}},
      {"c\n\np cnf 2 1\n\n\n3 0", "line 6: the number 3, expected -2 to 2", {}},
      {"p cnf 2 1\n-3 0", "line 2: the number -3, expected -2 to 2", {}},
      {"p cnf 2 1\n1 -2", "line 2: the last clause is not ended by 0", {}},
      {"p cnf 2 2\n1 0", "line 2: 1 clauses, the header announces 2", {}},
      {"p cnf 2 0\n1 0", "line 2: 1 clauses, the header announces 0", {}},
      {"", "line 1: expected the header 'p cnf'", {}},
      {"p", "line 1: expected the header 'p cnf'", {}},
      {"p cn 1 0", "line 1: expected the header 'p cnf'", {}},
      {"p cnfs 1 0", "line 1: expected the header 'p cnf'", {}},
      {"pcnf 1 0", "line 1: expected the header 'p cnf'", {}},
      {"p cnf", "line 1: the text ends where a number is expected", {}},
      {"p cnf 1\n", "line 2: the text ends where a number is expected", {}},
      {"p cnf x 0", "line 1: expected a number", {}},
      {"p cnf / 0", "line 1: expected a number", {}},
      {"p cnf : 0", "line 1: expected a number", {}},
      {"p cnf - 0", "line 1: expected a number", {}},
      {"p cnf 1 --0", "line 1: expected a number", {}},
      {"p cnf 1 0x", "line 1: expected a number", {}},
      {"p cnf 1 0 x", "line 1: expected a number", {}},
  };
  for (const Case& each : cases) {
    Watch watch;
    Formula found;
    const std::string problem = refusal([&] { found = read_dimacs(each.text, watch); });
    expect(each, problem, found.clauses);
  }
}

// Expected steps of a proof on three variables: for each step 1 or, for a deletion, -1; its line;
// its literals; and 0.
inline void check_steps() {
  const std::vector<Case> cases{
      {"", "", {}},
      {"\n\t\r\n", "", {}},
      {"0", "", {1, 1, 0}},
      {"1 -2 0\n", "", {1, 1, 1, -2, 0}},
      {"c d\n\nd 3 -3 0\n", "", {-1, 3, 3, -3, 0}},
      {"1\n2 0 d\n3 0", "", {1, 1, 1, 2, 0, -1, 2, 3, 0}},
      {"d\t0", "", {-1, 1, 0}},
      {"1 0\nd1 0", "line 2: expected a number", {}},
      {"1 d 0", "line 1: expected a number", {}},
      {"1 c\n0", "line 1: expected a number", {}},
      {"1 -2", "line 1: the text ends where a number is expected", {}},
      {"d", "line 1: the text ends where a number is expected", {}},
      {"3 4 0", "line 1: the number 4, expected -3 to 3", {}},
      {"-4 0", "line 1: the number -4, expected -3 to 3", {}},
  };
  for (const Case& each : cases) {
    Watch watch;
    Lits lits;
    const std::string problem = refusal([&] {
      const Drat found = read_drat(each.text, 3, watch);
      for (const Drat::Step& step : found.steps) {
        lits.push_back(step.is_deletion ? -1 : 1);
        lits.push_back(static_cast<int32_t>(step.line));
        lits.insert(lits.end(), found.lits.begin() + static_cast<std::ptrdiff_t>(step.first),
                    found.lits.begin() + static_cast<std::ptrdiff_t>(step.last));
        lits.push_back(0);
      }
    });
    expect(each, problem, lits);
  }
}

// Proofs of a formula that has one solution, in which both variables are true, and of one that has
// none: the numbers of read and needed lemmas.
inline void check_refutations() {
  const Formula satisfiable{2, {1, 2, 0, -1, 2, 0, 1, -2, 0}};
  const Formula unsatisfiable{
      4, {1, 2, 0, -1, 2, 0, 1, -2, 0, -1, -2, 0, 3, 1, -3, 0, 4, 0, 1, 2, -4, 3, 0}};
  const std::string not_one = ": the clause does not follow by unit propagation";
  const std::string not_empty = ": the empty clause does not follow by unit propagation";
  const std::vector<Case> cases{
      {"", "the proof ends without a conflict", {}},
      {"1 0\n2 0\n", "the proof ends without a conflict", {}},
      {"1 0\n\n-2 0\n", "line 3" + not_one, {}},
      {"c\n-1 0\n0\n", "line 2" + not_one, {}},
      {"\n\n0\n", "line 3" + not_empty, {}},
      {"1 0\n0\n", "line 2" + not_empty, {}},
      {"d 1 2 0\n1 0\n-1 0\n", "line 3" + not_one, {}},
      {"d 1 -1 0\nd 2 0\n0\n", "line 3" + not_empty, {}},
  };
  for (const Case& each : cases) {
    Watch watch;
    expect(each, refusal([&] {
             const Drat drat = read_drat(each.text, 2, watch);
             Checker(satisfiable, drat, watch).run();
           }),
           {});
  }
  const std::vector<Case> proofs{
      {"1 0\n", "", {1, 3}},                    // the lemma, "2", and the empty clause
      {"2 3 0\n1 -1 0\n1 0\n0\n", "", {3, 3}},  // no line is read after the conflict
      {"d 1 2 0\n1 0\n", "line 2" + not_one, {}},
      {"d 2 1 0\nd 1 2 0\n2 0\n", "line 3" + not_one, {}},
      {"d 2 1 0\n1 2 0\n1 0\n", "line 2" + not_one, {}},
      {"1 3 0\nd 3 1 0\n1 0\n", "", {2, 3}},
      {"-4 0\n1 0\n", "line 1" + not_one, {}},  // all variables are false at the root
      {"d 1 0\n1 0\n", "", {1, 3}},
  };
  for (const Case& each : proofs) {
    Watch watch;
    Lits counted;
    const std::string problem = refusal([&] {
      const Drat drat = read_drat(each.text, 4, watch);
      Checker checker(unsatisfiable, drat, watch);
      checker.run();
      counted = {static_cast<int32_t>(checker.num_lemmas()),
                 static_cast<int32_t>(checker.num_needed())};
    });
    expect(each, problem, counted);
  }
}

// A lemma that the last line needs is not deleted.
inline void check_last_use() {
  const Formula formula{7, {1, 2, 4, 0, 1, 2, -4, 0, 6, -1, 0, 6, -2, 0, -6, 7, 0, -6, -7, 0}};
  Watch watch;
  const Drat drat = read_drat("1 2 0\n-6 0\n", 7, watch);
  Checker checker(formula, drat, watch);
  checker.run();
  fuzzing::place = "a lemma that the last line needs";
  fuzzing::require(checker.drat() == "2 1 0\n-6 0\n-1 0\n-2 0\n0\n", "another proof");
}

// A step with more literals than the checker can store is refused before any of them is read.
inline void check_room() {
  const size_t room = (size_t{1} << 29) - 2;
  const Drat drat{{{false, 0, room + 1, 1}}, {1}};
  Watch watch;
  const std::string problem = refusal([&] { Checker(Formula{1, {}}, drat, watch).run(); });
  expect({"a step of 2^29 - 1 literals", "more than 2^29 literals", {}}, problem, {});
}

inline void check_all() {
  check_formulas();
  check_steps();
  check_refutations();
  check_last_use();
  check_room();
}

}  // namespace proof_texts
