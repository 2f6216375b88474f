// Helpers of the bindings: conversion of tables of prices.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "cost.hpp"
#include "prices/prices.hpp"
#include "python/python_watch.hpp"

namespace nonosat {

using Priced = nanobind::typed<nanobind::list, nanobind::typed<nanobind::tuple, int, int, int>>;
using Proof = std::pair<Priced, std::vector<std::pair<int64_t, int64_t>>>;

// Returns the table as a list of (cell, value, price). The list may be long, so the watch is called
// while it is made. Throws Stopped.
inline Priced to_priced(const Prices& prices, Watch& watch) {
  const PricedBoard& priced = prices.priced();
  nanobind::list found;
  for (size_t open = 0; open < priced.cells().size(); ++open) {
    for (size_t at = priced.price_at(open); at < priced.price_at(open + 1); ++at) {
      watch.work(cost::kItem);
      const int64_t price = prices.table().prices[at];
      found.append(nanobind::make_tuple(priced.cells()[open], priced.value_of(at), price));
    }
  }
  return nanobind::borrow<Priced>(found);
}

constexpr const char* kProof =
    "The table, as by `Prices.prices`, and by line, rows first: (maximum payment by the table,\n"
    "maximum without the clue); None when stopped.";

// Returns the table with the payments of all lines; nothing when stopped.
inline std::optional<Proof> to_proof(Prices& prices, std::optional<double> remaining_s,
                                     const Poll& poll) {
  Watch watch = make_watch(remaining_s, poll);
  try {
    Proof proof{to_priced(prices, watch), {}};
    const Unlocked unlock;
    for (const auto& [most, unconstrained] : prices.payments(watch)) {
      proof.second.push_back({most, unconstrained});
    }
    return proof;
  } catch (const Stopped&) {
    return {};
  }
}

}  // namespace nonosat
