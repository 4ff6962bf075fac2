#include "animation/layers/expression.h"

#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <muParser.h>
#include <numbers>
#include <utility>

namespace sinew {
namespace {

double roundDown(double x) {
  return std::floor(x);
}

// The result has the sign of b, unlike std::fmod: negative time wraps the same way.
double modulo(double a, double b) {
  return b == 0.0 ? 0.0 : a - b * std::floor(a / b);
}

double smooth(double a, double b, double x) {
  if (a == b) return x < a ? 0.0 : 1.0;
  const double t = std::clamp((x - a) / (b - a), 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

} // namespace

struct Expression::Parsed {
  mu::Parser parser;
  double t = 0.0;
};

Expression::Expression(std::string text)
    : text_(std::move(text)), parsed_(std::make_unique<Parsed>()) {
  // muParser recurses once per nested bracket.
  constexpr std::size_t kMaxLength = 1000;
  if (text_.size() > kMaxLength)
    throw usageError(fmt::format("an expression of {} characters", text_.size()),
                     fmt::format("at most {} are read", kMaxLength));
  try {
    mu::Parser& parser = parsed_->parser;
    parser.DefineVar("t", &parsed_->t);
    parser.DefineConst("pi", std::numbers::pi);
    parser.DefineFun("floor", roundDown);
    parser.DefineFun("mod", modulo);
    parser.DefineFun("smooth", smooth);
    parser.SetExpr(text_);
    parser.Eval(); // reports errors in the text now
  } catch (const mu::Parser::exception_type& error) {
    throw usageError(fmt::format("expression '{}': {}", text_, error.GetMsg()));
  }
}

Expression::Expression(const Expression& other) : Expression(other.text_) {}

Expression& Expression::operator=(const Expression& other) {
  if (this != &other) *this = Expression(other.text_);
  return *this;
}

Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

double Expression::at(double t) const {
  parsed_->t = t;
  const double value = parsed_->parser.Eval();
  return std::isfinite(value) ? value : 0.0;
}

} // namespace sinew
