// Literals and reasons of the learning search.
#pragma once

#include <cstdint>

namespace nonosat::learn {

using Var = uint32_t;
using Lit = uint32_t;  // 2 v for the variable v, 2 v + 1 for its negation

constexpr Lit positive(Var var) { return 2 * var; }
constexpr Lit negated(Lit lit) { return lit ^ 1; }
constexpr bool is_negated(Lit lit) { return lit & 1; }
constexpr Var var_of(Lit lit) { return lit >> 1; }
constexpr Lit from_dimacs(int32_t lit) {
  return lit > 0 ? 2 * static_cast<Lit>(lit) : 2 * static_cast<Lit>(-lit) + 1;
}
constexpr int32_t to_dimacs(Lit lit) {
  const auto var = static_cast<int32_t>(var_of(lit));
  return is_negated(lit) ? -var : var;
}

// Variable 0 is true, so that a clause of two literals can be stored as one of three with kFalse.
inline constexpr Lit kTrue = 0;
inline constexpr Lit kFalse = 1;

using ClauseRef = uint32_t;  // an offset into the arena of clauses

// Reason of an implied literal: the other literals of a short clause, a clause of the arena, a line
// or a path, or the explanation of a line or a path.
struct Reason {
  enum class Kind : uint32_t { kNone, kShort, kClause, kLine, kPath, kExplained };

  Kind kind = Kind::kNone;
  // A literal, a ClauseRef, a line, a position of the trail, or an index of the explanations.
  uint32_t first = 0;
  Lit second = 0;

  explicit operator bool() const { return kind != Kind::kNone; }
};

}  // namespace nonosat::learn
