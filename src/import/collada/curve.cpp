#include "import/collada/curve.h"

#include "import/track_sampler.h"

#include <glm/vec2.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace sinew {
namespace {

using glm::dvec2;

using Controls = std::vector<std::array<double, 2>>;

// Where a Bezier curve of times has come to a time. The inner points lie between the outer ones, so
// it rises.
double solveParameter(double a, double b, double c, double d, double time) {
  double low = 0.0;
  double high = 1.0;
  constexpr int kHalvings = 52; // bits of a double's mantissa
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (bezier(a, b, c, d, middle) < time ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// Tangents as control points: writers give a time and a value for each number, one time for all of
// them, or values alone, which then lie at a third of the way. sign: -1 before the key, 1 behind.
Controls readControls(const ColladaSource& tangents, const ColladaCurve& curve, double sign,
                      bool hermite) {
  const std::uint32_t width = curve.width;
  Controls out;
  if (tangents.count() < curve.keys()) return out;
  if (tangents.width != 2 * width && tangents.width != width + 1 && tangents.width != width)
    return out;
  for (std::uint32_t k = 0; k < curve.keys(); ++k) {
    const std::size_t other = sign < 0.0 ? k - std::size_t{1} : k + std::size_t{1};
    const double stretch =
        other < curve.keys() ? std::abs(curve.times[other] - curve.times[k]) : 0.0;
    for (std::uint32_t i = 0; i < width; ++i) {
      const double* t = tangents.at(k);
      double time = curve.times[k] + sign * stretch / 3.0;
      double value = t[i];
      if (tangents.width == 2 * width) {
        time = t[std::size_t{2} * i];
        value = t[std::size_t{2} * i + 1];
      } else if (tangents.width == width + 1) {
        time = t[0];
        value = t[1 + i];
      }
      if (hermite) { // the tangent itself
        if (tangents.width != width) time = curve.times[k] + sign * time / 3.0;
        value = curve.value(k, i) + sign * value / 3.0;
      }
      out.push_back({time, value});
    }
  }
  return out;
}

// Sorts the keys by their times; the last of several keys at one time stays.
void sortKeys(ColladaCurve& curve, RepairLog& repairs) {
  std::size_t wrong = 0;
  for (std::size_t i = 1; i < curve.keys(); ++i)
    if (!(curve.times[i] > curve.times[i - 1])) ++wrong;
  if (wrong == 0) return;
  repairs.add(Repair::keyUnordered, wrong);
  std::vector<std::size_t> order(curve.keys());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return curve.times[i]; });
  ColladaCurve out = curve;
  out.times.clear();
  out.values.clear();
  out.kinds.clear();
  out.in.clear();
  out.out.clear();
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i + 1 < order.size() && curve.times[order[i + 1]] == curve.times[order[i]]) continue;
    const auto key = static_cast<std::ptrdiff_t>(order[i]);
    const auto width = static_cast<std::ptrdiff_t>(curve.width);
    const auto append = [&](const auto& from, auto& to) {
      if (from.empty()) return;
      to.insert(to.end(), from.begin() + key * width, from.begin() + (key + 1) * width);
    };
    out.times.push_back(curve.times[order[i]]);
    out.kinds.push_back(curve.kinds[order[i]]);
    append(curve.values, out.values);
    append(curve.in, out.in);
    append(curve.out, out.out);
  }
  curve = std::move(out);
}

constexpr std::uint32_t kMatrixNumbers = 16; // whole matrices are linear between their keys

bool isKeySpline(ColladaStretch kind) {
  return kind == ColladaStretch::bspline || kind == ColladaStretch::cardinal;
}

// The stretches between two keys as Bezier curves. Uniform cubic B-splines and cardinal splines
// (without tension: Catmull and Rom's) are cubic in the four keys around a stretch, in time as in
// value. At the ends, the keys go on straight, so that the curve begins and ends at a key.
void makeBezier(const ColladaCurve& keys, std::size_t first, std::size_t last,
                ColladaCurve& curve) {
  const bool moves = keys.kinds[first] == ColladaStretch::bspline;
  for (std::uint32_t number = 0; number < keys.width; ++number) {
    const auto point = [&](std::size_t key) {
      return dvec2(keys.times[key], keys.value(key, number));
    };
    for (std::size_t k = first; k <= last; ++k) {
      const dvec2 here = point(k);
      const dvec2 before = k > first ? point(k - 1) : 2.0 * here - point(k + 1);
      const dvec2 after = k < last ? point(k + 1) : 2.0 * here - point(k - 1);
      const dvec2 third = moves ? (before + 2.0 * here) / 3.0 : here - (after - before) / 6.0;
      const dvec2 next = moves ? (2.0 * here + after) / 3.0 : here + (after - before) / 6.0;
      const std::size_t at = k * keys.width + number;
      if (k > first) curve.in[at] = {third.x, third.y};
      if (k < last) curve.out[at] = {next.x, next.y};
      if (!moves) continue;
      const dvec2 middle = (before + 4.0 * here + after) / 6.0;
      curve.times[k] = middle.x;
      curve.values[at] = middle.y;
    }
  }
  for (std::size_t k = first; k < last; ++k)
    curve.kinds[k] = ColladaStretch::bezier;
}

void makeBezier(ColladaCurve& curve) {
  if (std::ranges::none_of(curve.kinds, isKeySpline)) return;
  const ColladaCurve keys = curve;
  curve.in.resize(curve.keys() * curve.width);
  curve.out.resize(curve.keys() * curve.width);
  std::size_t first = 0;
  while (first + 1 < curve.keys()) {
    const ColladaStretch kind = curve.kinds[first];
    std::size_t last = first + 1;
    while (last + 1 < curve.keys() && curve.kinds[last] == kind)
      ++last;
    if (isKeySpline(kind)) makeBezier(keys, first, last, curve);
    first = last;
  }
  if (isKeySpline(curve.kinds.back())) curve.kinds.back() = ColladaStretch::linear;
}

void dropUnusable(const ColladaSource& times, const ColladaSource& values, std::size_t key,
                  ColladaCurve& curve, RepairLog& repairs) {
  const auto k = static_cast<std::uint32_t>(key);
  bool usable = isUsable(static_cast<float>(*times.at(k)));
  for (std::uint32_t i = 0; i < values.width; ++i)
    usable = usable && isUsable(static_cast<float>(values.at(k)[i]));
  if (!usable) {
    repairs.add(Repair::keyNotFinite);
    // It keeps its place, since lists go by it, and has the value and time of the one before.
    curve.times.push_back(curve.times.empty() ? 0.0 : curve.times.back());
    for (std::uint32_t i = 0; i < values.width; ++i)
      curve.values.push_back(
          curve.times.size() > 1 ? curve.values[curve.values.size() - values.width] : 0.0);
    return;
  }
  curve.times.push_back(*times.at(k));
  curve.values.insert(curve.values.end(), values.at(k), values.at(k) + values.width);
}

} // namespace

std::size_t ColladaCurve::keyBefore(double time) const {
  const auto next = std::ranges::upper_bound(times, time);
  return next == times.begin() ? 0 : static_cast<std::size_t>(next - times.begin()) - 1;
}

double ColladaCurve::at(double time, std::uint32_t number) const {
  const std::size_t k = keyBefore(time);
  if (time <= times[k] || k + 1 == keys()) return value(k, number);
  const double length = times[k + 1] - times[k];
  switch (kinds[k]) {
  case ColladaStretch::step:
    return value(k, number);
  case ColladaStretch::bezier: {
    const auto& leaving = out[k * width + number];
    const auto& coming = in[(k + 1) * width + number];
    const double first = std::clamp(leaving[0], times[k], times[k + 1]);
    const double second = std::clamp(coming[0], times[k], times[k + 1]);
    const double s = solveParameter(times[k], first, second, times[k + 1], time);
    return bezier(value(k, number), leaving[1], coming[1], value(k + 1, number), s);
  }
  default:
    return std::lerp(value(k, number), value(k + 1, number), (time - times[k]) / length);
  }
}

bool ColladaCurve::isStepped() const {
  return std::ranges::all_of(kinds,
                             [](ColladaStretch kind) { return kind == ColladaStretch::step; });
}

ColladaCurve readColladaCurve(const ColladaDocument& document, const pugi::xml_node& sampler,
                              RepairLog& repairs) {
  const auto findInput = [&](const char* semantic) {
    return document.find(colladaInput(sampler, semantic).attribute("source").value(), "source");
  };
  const auto readSource = [&](const char* semantic) {
    return readColladaSource(document, findInput(semantic), 1);
  };
  const ColladaSource times = readSource("INPUT");
  ColladaSource values = readSource("OUTPUT");
  ColladaCurve curve;
  if (times.count() == 0 || times.width != 1) return curve;
  if (!findInput("OUTPUT").child("technique_common").child("accessor")) {
    // Without an accessor all numbers are shared among the keys.
    const std::size_t width = values.values.size() / times.count();
    if (width * times.count() != values.values.size() || width == 0) return curve;
    values.width = static_cast<std::uint32_t>(width);
  }
  const std::uint32_t keys = std::min(times.count(), values.count());
  curve.width = values.width;
  for (std::uint32_t k = 0; k < keys; ++k)
    dropUnusable(times, values, k, curve, repairs);
  const std::vector<std::string> kinds = readColladaNames(findInput("INTERPOLATION"));
  const auto getName = [&](std::size_t key) {
    return key < kinds.size() ? std::string_view(kinds[key]) : std::string_view("LINEAR");
  };
  const bool hermite = std::ranges::find(kinds, "HERMITE") != kinds.end();
  if (hermite || std::ranges::find(kinds, "BEZIER") != kinds.end()) {
    ColladaSource in = readSource("IN_TANGENT");
    ColladaSource out = readSource("OUT_TANGENT");
    for (ColladaSource* each : {&in, &out})
      if (each->width == 1 && each->count() == 2 * curve.width * keys)
        each->width = 2 * curve.width;
    curve.in = readControls(in, curve, -1.0, hermite);
    curve.out = readControls(out, curve, 1.0, hermite);
  }
  const bool curved = !curve.in.empty() && !curve.out.empty();
  const auto parseStretch = [&](std::string_view name) -> std::optional<ColladaStretch> {
    if (name == "STEP") return ColladaStretch::step;
    if (name == "LINEAR") return ColladaStretch::linear;
    if ((name == "BEZIER" || name == "HERMITE") && curved) return ColladaStretch::bezier;
    if (curve.width == kMatrixNumbers) return std::nullopt;
    if (name == "BSPLINE") return ColladaStretch::bspline;
    if (name == "CARDINAL") return ColladaStretch::cardinal;
    return std::nullopt;
  };
  for (std::uint32_t k = 0; k < keys; ++k) {
    const std::optional<ColladaStretch> kind = parseStretch(getName(k));
    curve.kinds.push_back(kind.value_or(ColladaStretch::linear));
    curve.unknownKind = curve.unknownKind || !kind;
  }
  sortKeys(curve, repairs);
  makeBezier(curve);
  return curve;
}

} // namespace sinew
