// A formula of time: "10 * sin(2 * pi * t)", "-6 * floor(t)" for the second hand of a clock. Parsed
// and evaluated by muParser. It also has x ^ y, c ? a : b, abs, min, max, sqrt, exp, ln, rint,
// floor, mod(a, b) and smooth(a, b, x) (0 below a, 1 above b).
#pragma once

#include <memory>
#include <string>

namespace sinew {

class Expression {
 public:
  // Throws usageError with the text, the error and its position.
  explicit Expression(std::string text);
  Expression(const Expression& other);
  Expression& operator=(const Expression& other);
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  const std::string& text() const { return text_; }
  // At time t in seconds; 0 where the result is not a number (1/0, sqrt(-1)).
  double at(double t) const;

  bool operator==(const Expression& other) const { return text_ == other.text_; }

 private:
  struct Parsed;
  std::string text_;
  std::unique_ptr<Parsed> parsed_;
};

} // namespace sinew
