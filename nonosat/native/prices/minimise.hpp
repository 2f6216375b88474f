// Minimisation of a smooth convex function by its gradients: L-BFGS (Liu, Nocedal 1989) with a line
// search by bisection that ends at the weak Wolfe conditions (Lewis, Overton 2013).
#pragma once

#include <deque>
#include <functional>
#include <vector>

namespace nonosat {

using Numbers = std::vector<double>;

class Minimiser {
 public:
  // Returns the value at a point and sets the gradient.
  using Function = std::function<double(const Numbers& point, Numbers& gradient)>;

  // Evaluates the function once, at the starting point.
  Minimiser(Function function, Numbers point);

  // Moves to a point with a lower value. Returns false if none is found, because this is the
  // minimum or the precision is exhausted. If `function` throws, the point is unchanged.
  bool step();

  const Numbers& point() const { return point_; }
  const Numbers& gradient() const { return gradient_; }
  double value() const { return value_; }
  int num_evaluations() const { return num_evaluations_; }

 private:
  static constexpr size_t kMemory = 20;

  // A past step and the change of the gradient over it.
  struct Pair {
    Numbers step, change;
    double curvature;  // product of step and change, above 0
  };

  void set_direction();
  bool line_search(double slope);
  double evaluate(double length);
  void accept(double next_value);

  Function function_;
  Numbers point_, gradient_;
  double value_;
  int num_evaluations_ = 1;
  Numbers direction_, next_point_, next_gradient_;
  std::vector<double> shares_;
  std::deque<Pair> pairs_;
};

}  // namespace nonosat
