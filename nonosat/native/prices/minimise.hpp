// The least value of a smooth convex function, by its gradients: L-BFGS (Liu, Nocedal 1989) with a
// line search by bisection that ends at the weak Wolfe conditions (Lewis, Overton 2013).
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

  // Begins at a point, which takes one evaluation.
  Minimiser(Function function, Numbers point);

  // Goes to a lower point. False where no lower one is found: numbers are too coarse, or this is
  // the lowest. What `function` throws passes through, and the point stays.
  bool step();

  const Numbers& point() const { return point_; }
  const Numbers& gradient() const { return gradient_; }
  double value() const { return value_; }
  int num_evaluations() const { return num_evaluations_; }

 private:
  static constexpr size_t kMemory = 20;

  // A step taken, and what it changed in the gradient.
  struct Pair {
    Numbers step, change;
    double curvature;  // their product, above 0
  };

  void direct();
  bool search(double slope);
  double look(double length);
  void take(double next_value);

  Function function_;
  Numbers point_, gradient_;
  double value_;
  int num_evaluations_ = 1;
  Numbers direction_, next_point_, next_gradient_;
  std::vector<double> shares_;
  std::deque<Pair> pairs_;
};

}  // namespace nonosat
