#include "import/fbx/curve.h"

#include "import/fbx/key.h"
#include "import/track_sampler.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Where the curve through 0, a, b, 1 takes the value x: it rises, since handles do not overlap.
double solve(double a, double b, double x) {
  double low = 0.0;
  double high = 1.0;
  double t = x;
  for (int i = 0; i < 60; ++i) {
    const double value = bezier(0.0, a, b, 1.0, t) - x;
    if (std::abs(value) < 1e-15) break;
    (value < 0.0 ? low : high) = t;
    const double s = 1.0 - t;
    const double slope = 3.0 * (s * s * a + 2.0 * s * t * (b - a) + t * t * (1.0 - b));
    const double newton = t - value / slope;
    t = newton > low && newton < high ? newton : 0.5 * (low + high);
  }
  return t;
}

double cubic(const FbxSegment& segment, double length, double from, double to, double x) {
  const double a = segment.rightWeight;
  const double b = 1.0 - segment.leftWeight;
  const double first = from + segment.rightSlope * a * length;
  const double second = to - segment.leftSlope * segment.leftWeight * length;
  return bezier(from, first, second, to, solve(a, b, x));
}

double between(const FbxCurve& curve, std::size_t key, double seconds) {
  const FbxSegment& segment = curve.segments[key];
  const double from = curve.values[key];
  const double to = curve.values[key + 1];
  const double length = curve.times[key + 1] - curve.times[key];
  const double x = std::clamp((seconds - curve.times[key]) / length, 0.0, 1.0);
  switch (segment.kind) {
  case FbxSegment::Kind::constant:
    return from;
  case FbxSegment::Kind::constantNext:
    return to;
  case FbxSegment::Kind::linear:
    return from + x * (to - from);
  case FbxSegment::Kind::cubic:
    break;
  }
  return cubic(segment, length, from, to, x);
}

double inside(const FbxCurve& curve, double seconds) {
  const auto after = std::upper_bound(curve.times.begin(), curve.times.end(), seconds);
  if (after == curve.times.begin()) return curve.values.front();
  if (after == curve.times.end()) return curve.values.back();
  return between(curve, static_cast<std::size_t>(after - curve.times.begin()) - 1, seconds);
}

// The slope with which a curve leaves its first or last key.
double slopeAtEnd(const FbxCurve& curve, bool first) {
  const std::size_t key = first ? 0 : curve.segments.size() - 1;
  const FbxSegment& segment = curve.segments[key];
  if (segment.kind == FbxSegment::Kind::cubic)
    return first ? segment.rightSlope : segment.leftSlope;
  if (segment.kind != FbxSegment::Kind::linear) return 0.0;
  return (curve.values[key + 1] - curve.values[key]) / (curve.times[key + 1] - curve.times[key]);
}

double outside(const FbxCurve& curve, double seconds, bool first) {
  using Beyond = FbxExtrapolation::Kind;
  const FbxExtrapolation& how = first ? curve.before : curve.after;
  const double start = curve.times.front();
  const double length = curve.times.back() - start;
  const double edge = first ? curve.values.front() : curve.values.back();
  if (how.kind == Beyond::constant || curve.segments.empty()) return edge;
  if (how.kind == Beyond::slope)
    return edge + slopeAtEnd(curve, first) * (seconds - (first ? start : curve.times.back()));
  const double cycle = std::floor((seconds - start) / length); // 0 is the curve itself
  const double passed = first ? -cycle : cycle;
  if (how.repetitions >= 0 && passed > static_cast<double>(how.repetitions)) return edge;
  const double rest = seconds - start - cycle * length;
  if (how.kind == Beyond::mirror && std::fmod(std::abs(cycle), 2.0) == 1.0)
    return inside(curve, start + length - rest);
  const double raised = how.kind == Beyond::relativeRepeat
                            ? cycle * (curve.values.back() - curve.values.front())
                            : 0.0;
  return inside(curve, start + rest) + raised;
}

FbxExtrapolation readExtrapolation(const FbxElement& curve, std::string_view name) {
  FbxExtrapolation out;
  const FbxElement* element = findChild(curve, name);
  if (element == nullptr) return out;
  const FbxElement* type = findChild(*element, "Type");
  if (type != nullptr && !type->values.empty()) {
    const FbxValue& value = type->values[0];
    const char letter = isText(value) && !value.bytes.empty() ? value.bytes[0]
                        : isNumber(value) ? static_cast<char>(toInteger(value) & 0x7f)
                                          : 'C';
    out.kind = letter == 'R'   ? FbxExtrapolation::Kind::repeat
               : letter == 'M' ? FbxExtrapolation::Kind::mirror
               : letter == 'A' ? FbxExtrapolation::Kind::relativeRepeat
               : letter == 'K' ? FbxExtrapolation::Kind::slope
                               : FbxExtrapolation::Kind::constant;
  }
  if (const FbxElement* count = findChild(*element, "Repetition"))
    out.repetitions = integerAt(*count, 0, -1);
  return out;
}

FbxCurve makeCurve(std::vector<FbxKey> keys, const FbxElement& element, FbxCurveReport& report) {
  FbxCurve curve;
  tidyKeys(keys, report);
  for (const FbxKey& key : keys) {
    curve.times.push_back(key.seconds);
    curve.values.push_back(key.value);
  }
  curve.segments = makeSegments(keys);
  curve.before = readExtrapolation(element, "Pre-Extrapolation");
  curve.after = readExtrapolation(element, "Post-Extrapolation");
  return curve;
}

} // namespace

double FbxCurve::at(double seconds) const {
  if (times.empty()) return 0.0;
  if (seconds < times.front()) return outside(*this, seconds, true);
  if (seconds > times.back()) return outside(*this, seconds, false);
  return inside(*this, seconds);
}

bool FbxCurve::isConstant() const {
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (values[i] != values[i + 1]) return false;
    if (segments[i].kind == FbxSegment::Kind::cubic &&
        (segments[i].rightSlope != 0.0 || segments[i].leftSlope != 0.0))
      return false;
  }
  return true;
}

bool FbxCurve::isStepped() const {
  return std::all_of(segments.begin(), segments.end(), [](const FbxSegment& segment) {
    return segment.kind == FbxSegment::Kind::constant ||
           segment.kind == FbxSegment::Kind::constantNext;
  });
}

FbxCurve readFbxCurve(const FbxElement& element, double ticksPerSecond, FbxCurveReport& report) {
  std::vector<FbxKey> keys = keysOfCurve(element, ticksPerSecond);
  if (std::any_of(keys.begin(), keys.end(), [](const FbxKey& key) { return key.hasVelocity; }))
    ++report.velocities;
  return makeCurve(std::move(keys), element, report);
}

FbxCurve readFbxChannel(const FbxElement& channel, double ticksPerSecond, FbxCurveReport& report) {
  return makeCurve(keysOfChannel(channel, ticksPerSecond), channel, report);
}

} // namespace sinew
