#include "loops/clauses.hpp"

#include <algorithm>
#include <initializer_list>

#include "cost.hpp"

namespace nonosat::loops {
namespace {

using Batch = std::vector<int32_t>;

bool is_variable(int32_t lit) { return lit > 0 && lit < INT32_MAX; }

void put(Batch& batch, std::initializer_list<int32_t> lits) {
  batch.insert(batch.end(), lits);
  batch.push_back(0);
}

// Literals of the edges at each vertex, in the order of the edges.
class Vertices {
 public:
  Vertices(size_t num_vertices, std::span<const int32_t> edges) : starts_(num_vertices + 1) {
    for (size_t i = 0; i < edges.size(); i += 3)
      ++starts_[edges[i] + 1], ++starts_[edges[i + 1] + 1];
    for (size_t v = 0; v < num_vertices; ++v) starts_[v + 1] += starts_[v];
    lits_.resize(starts_.back());
    std::vector<size_t> next(starts_.begin(), starts_.end() - 1);
    for (size_t i = 0; i < edges.size(); i += 3) {
      lits_[next[edges[i]]++] = lits_[next[edges[i + 1]]++] = edges[i + 2];
    }
  }

  size_t count() const { return starts_.size() - 1; }
  std::span<const int32_t> operator[](size_t vertex) const {
    return std::span(lits_).subspan(starts_[vertex], starts_[vertex + 1] - starts_[vertex]);
  }

 private:
  std::vector<size_t> starts_;
  std::vector<int32_t> lits_;
};

// Clause groups, for all vertices of a degree: not exactly one edge, and not three.
void put_degrees(Batch& batch, size_t degree, std::span<const std::span<const int32_t>> all) {
  for (size_t one = 0; one < degree; ++one) {
    for (const auto lits : all) {
      batch.push_back(-lits[one]);
      for (size_t other = 0; other < degree; ++other) {
        if (other != one) batch.push_back(lits[other]);
      }
      batch.push_back(0);
    }
  }
  for (size_t a = 0; a < degree; ++a) {
    for (size_t b = a + 1; b < degree; ++b) {
      for (size_t c = b + 1; c < degree; ++c) {
        for (const auto lits : all) put(batch, {-lits[a], -lits[b], -lits[c]});
      }
    }
  }
}

// Clause group: an edge is chosen exactly if one of its faces is inside and the other is outside.
void put_faces(Batch& batch, std::span<const int32_t> edges, std::span<const int32_t> faces) {
  constexpr int kSigns[4][3] = {{-1, 1, 1}, {-1, -1, -1}, {1, -1, 1}, {1, 1, -1}};
  for (const bool is_outer : {false, true}) {
    for (const auto& signs : kSigns) {
      for (size_t i = 0; i < faces.size(); i += 2) {
        const int32_t pair[] = {faces[i], faces[i + 1]};
        if ((pair[0] == kOuterFace || pair[1] == kOuterFace) != is_outer) continue;
        const auto holds = [&](int k) { return pair[k] == kOuterFace && signs[k + 1] < 0; };
        if (holds(0) || holds(1)) continue;
        batch.push_back(signs[0] * edges[i / 2 * 3 + 2]);
        for (const int k : {0, 1}) {
          if (pair[k] != kOuterFace) batch.push_back(signs[k + 1] * pair[k]);
        }
        batch.push_back(0);
      }
    }
  }
}

// Returns the most integers of the clauses of a vertex: they are reserved, as a batch that grows by
// doubling takes three times its size for a moment.
size_t most_at_vertex(size_t degree) {
  return degree * (degree + 1) + degree * (degree - 1) * (degree - 2) / 6 * 4;
}

}  // namespace

std::optional<Batch> cycle_clauses(size_t num_vertices, std::span<const int32_t> edges,
                                   std::span<const int32_t> faces, size_t most_edges,
                                   Watch& watch) {
  const auto is_vertex = [&](int32_t v) { return v >= 0 && static_cast<size_t>(v) < num_vertices; };
  for (size_t i = 0; i < edges.size(); i += 3) {
    const int32_t one = edges[i], other = edges[i + 1], lit = edges[i + 2];
    if (one == other || !is_vertex(one) || !is_vertex(other)) return {};
    if (!lit || lit == INT32_MAX || lit <= -INT32_MAX) return {};
  }
  const auto is_face = [](int32_t face) { return is_variable(face) || face == kOuterFace; };
  if (!std::ranges::all_of(faces, is_face)) return {};
  const Vertices at(num_vertices, edges);
  std::vector<std::vector<std::span<const int32_t>>> by_degree(most_edges + 1);
  for (size_t vertex = 0; vertex < num_vertices; ++vertex) {
    if (at[vertex].size() > most_edges) return {};
    by_degree[at[vertex].size()].push_back(at[vertex]);
  }
  size_t most = 16 * (faces.size() / 2);
  for (size_t degree = 1; degree <= most_edges; ++degree)
    most += by_degree[degree].size() * most_at_vertex(degree);
  Batch batch;
  batch.reserve(most);
  for (size_t degree = 1; degree <= most_edges; ++degree) {
    put_degrees(batch, degree, by_degree[degree]);
    watch.work(cost::kLoopLit * std::ssize(batch));
  }
  put_faces(batch, edges, faces);
  watch.work(cost::kLoopLit * std::ssize(batch));
  return batch;
}

}  // namespace nonosat::loops
