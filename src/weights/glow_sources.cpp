#include "core/parallel.h"
#include "weights/sources.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

using glm::dvec3;

constexpr std::size_t kPiece = 1024;
constexpr double kNearest = 1e-6;  // of the bone's length: light from nearer is taken from there
constexpr double kLeast = 5e-4;    // bones that could add less than this share are not looked at
constexpr float kHeatShare = 0.4f; // of the time: how firmly places hold, which is bone heat's
constexpr int kHalvings = 6;       // of the span in which visibility changes

// A bone as a place sees it (methods, "Weights"): u along the bone's line from the foot of the
// perpendicular; light comes where h g + k u > 0.
struct View {
  dvec3 from{0.0};
  dvec3 axis{0.0};
  double length = 0.0;
  double foot = 0.0; // distance of the perpendicular's foot from `from`
  double h = 0.0;    // of the place from the line
  double g = 0.0;    // n . h_hat
  double k = 0.0;    // -n . axis
};

View viewOf(const BoneSegment& bone, const vec3& place, const vec3& normal) {
  View view;
  view.from = dvec3(bone.from);
  const dvec3 along = dvec3(bone.to) - view.from;
  view.length = glm::length(along);
  if (view.length == 0.0) return view;
  view.axis = along / view.length;
  const dvec3 off = dvec3(place) - view.from;
  view.foot = glm::dot(off, view.axis);
  const dvec3 across = off - view.foot * view.axis;
  const double h = glm::length(across);
  view.h = std::max(h, kNearest * view.length);
  view.g = h > 0.0 ? glm::dot(dvec3(normal), across) / h : 0.0;
  view.k = -glm::dot(dvec3(normal), view.axis);
  return view;
}

struct Span {
  double from = 0.0;
  double to = 0.0;
  bool empty() const { return !(from < to); }
};

// The part of [from, to] (of u) that shines on the inner side.
Span lit(const View& view, Span span) {
  const double rise = view.h * view.g;
  if (view.k == 0.0) return rise > 0.0 ? span : Span{};
  const double turn = -rise / view.k;
  if (view.k > 0.0)
    span.from = std::max(span.from, turn);
  else
    span.to = std::min(span.to, turn);
  return span;
}

// The integral of h (g h + k u) / (h^2 + u^2)^2 up to u.
double primitive(const View& view, double u) {
  const double squared = view.h * view.h + u * u;
  return 0.5 *
         (view.g * (u / squared + std::atan(u / view.h) / view.h) - view.k * view.h / squared);
}

double integral(const View& view, const Span& span) {
  return span.empty() ? 0.0 : std::max(primitive(view, span.to) - primitive(view, span.from), 0.0);
}

Span whole(const View& view) {
  return lit(view, {-view.foot, view.length - view.foot});
}

vec3 pointAt(const View& view, double u) {
  return vec3(view.from + (view.foot + u) * view.axis);
}

// u at even steps of the angle under which the place sees the line: where most light is, rays are.
double atShare(const View& view, const Span& span, double share) {
  const double low = std::atan(span.from / view.h);
  const double high = std::atan(span.to / view.h);
  return std::clamp(view.h * std::tan(low + share * (high - low)), span.from, span.to);
}

// Between a seen point and one that is not, where sight ends.
double sightEnds(const View& view, const vec3& place, const SurfaceRays& rays, double seen,
                 double hidden) {
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (seen + hidden);
    (rays.blocked(place, pointAt(view, middle)) ? hidden : seen) = middle;
  }
  return 0.5 * (seen + hidden);
}

double visibleIntegral(const View& view, const vec3& place, const SurfaceRays& rays,
                       const Span& span) {
  std::array<double, 8> u{};
  std::array<vec3, 8> points{};
  for (std::size_t i = 0; i < u.size(); ++i) {
    u[i] = atShare(view, span, static_cast<double>(i) / 7.0);
    points[i] = pointAt(view, u[i]);
  }
  const std::array<bool, 8> hidden = rays.blocked(place, points);
  double light = 0.0;
  double start = u[0];
  for (std::size_t i = 1; i < u.size(); ++i) {
    if (hidden[i] == hidden[i - 1]) continue;
    if (hidden[i])
      light += integral(view, {start, sightEnds(view, place, rays, u[i - 1], u[i])});
    else
      start = sightEnds(view, place, rays, u[i], u[i - 1]);
  }
  return hidden.back() ? light : light + integral(view, {start, u.back()});
}

struct Light {
  double most = 0.0; // were all of it visible
  View view;
  std::uint32_t bone = 0;
};

// Brightest first, until the rest could add next to nothing.
void addLight(const WeightSurface& surface, std::span<const BoneSegment> bones,
              const SurfaceRays& rays, std::size_t place, std::vector<Light>& lights,
              std::vector<Influence>& out) {
  const vec3& at = surface.positions[place];
  lights.clear();
  double rest = 0.0;
  for (std::uint32_t b = 0; b < bones.size(); ++b) {
    const View view = viewOf(bones[b], at, surface.normals[place]);
    if (view.length == 0.0) continue;
    const double most = integral(view, whole(view));
    if (most <= 0.0) continue;
    lights.push_back({most, view, b});
    rest += most;
  }
  std::sort(lights.begin(), lights.end(), [](const Light& a, const Light& b) {
    return std::pair(-a.most, a.bone) < std::pair(-b.most, b.bone);
  });
  double sum = 0.0;
  for (const Light& light : lights) {
    if (rest < kLeast * sum) break;
    rest -= light.most;
    const double seen = visibleIntegral(light.view, at, rays, whole(light.view));
    if (seen <= 0.0) continue;
    sum += seen;
    out.push_back({light.bone, static_cast<float>(seen)});
  }
}

void addSteppedLight(const WeightSurface& surface, std::span<const BoneSegment> bones,
                     const SurfaceRays& rays, std::size_t place, std::uint32_t steps,
                     std::vector<Influence>& out) {
  for (std::uint32_t b = 0; b < bones.size(); ++b) {
    const double light =
        steppedLight(bones[b], surface.positions[place], surface.normals[place], rays, steps);
    if (light > 0.0) out.push_back({b, static_cast<float>(light)});
  }
}

// Relative to the brightest first: the light has a unit, and powers of it overflow.
void sharpen(std::vector<Influence>& bones, float sharpness) {
  if (sharpness == 1.0f) return;
  float most = 0.0f;
  for (const Influence& bone : bones)
    most = std::max(most, bone.weight);
  for (Influence& bone : bones)
    bone.weight = std::pow(bone.weight / most, sharpness);
}

void makeSharesOfOne(std::vector<Influence>& bones) {
  double sum = 0.0;
  for (const Influence& bone : bones)
    sum += static_cast<double>(bone.weight);
  for (Influence& bone : bones)
    bone.weight = static_cast<float>(static_cast<double>(bone.weight) / sum);
}

} // namespace

double lightOf(const BoneSegment& bone, const vec3& place, const vec3& normal, double from,
               double to) {
  const View view = viewOf(bone, place, normal);
  return view.length == 0.0 ? 0.0 : integral(view, lit(view, {from - view.foot, to - view.foot}));
}

double steppedLight(const BoneSegment& bone, const vec3& place, const vec3& normal,
                    const SurfaceRays& rays, std::uint32_t steps) {
  const View view = viewOf(bone, place, normal);
  if (view.length == 0.0) return 0.0;
  const double step = view.length / steps;
  double sum = 0.0;
  for (std::uint32_t i = 0; i < steps; ++i) {
    const double u = (i + 0.5) * step - view.foot;
    const double rise = view.h * view.g + view.k * u;
    if (rise <= 0.0 || rays.blocked(place, pointAt(view, u))) continue;
    const double squared = view.h * view.h + u * u;
    sum += step * view.h * rise / (squared * squared);
  }
  return sum;
}

double visibleLight(const BoneSegment& bone, const vec3& place, const vec3& normal,
                    const SurfaceRays& rays) {
  const View view = viewOf(bone, place, normal);
  if (view.length == 0.0) return 0.0;
  const Span span = whole(view);
  return span.empty() ? 0.0 : visibleIntegral(view, place, rays, span);
}

WeightSources glowSources(const WeightSurface& surface, std::span<const BoneSegment> bones,
                          const SurfaceRays& rays, const GlowOptions& options,
                          ProgressMeter* meter) {
  const WeightSources heat = heatSources(surface, bones, &rays, meter, kHeatShare * kSourcesEnd);
  const std::size_t count = surface.positions.size();
  WeightSources out;
  out.hold = heat.hold;
  out.offsets.assign(count + 1, 0);
  std::vector<std::vector<Influence>> pieces((count + kPiece - 1) / kPiece);
  if (meter != nullptr)
    meter->startStage("gathering the light of all bones", kSourcesEnd,
                      std::max<std::size_t>(pieces.size(), 1));
  forEachPieceInParallel(count, kPiece, [&](std::size_t first, std::size_t last) {
    std::vector<Light> lights;
    std::vector<Influence> place;
    std::vector<Influence>& piece = pieces[first / kPiece];
    for (std::size_t p = first; p < last; ++p) {
      if (heat.hold[p] == 0.0) continue; // no bone's nearest point is seen: it takes what comes
      place.clear();
      if (options.steps > 0)
        addSteppedLight(surface, bones, rays, p, options.steps, place);
      else
        addLight(surface, bones, rays, p, lights, place);
      if (!place.empty()) {
        sharpen(place, options.sharpness);
        makeSharesOfOne(place);
      } else {
        place.assign(heat.of(p).begin(), heat.of(p).end());
      }
      piece.insert(piece.end(), place.begin(), place.end());
      out.offsets[p + 1] = static_cast<std::uint32_t>(place.size());
    }
    if (meter != nullptr) meter->piece();
  });
  std::partial_sum(out.offsets.begin(), out.offsets.end(), out.offsets.begin());
  out.values.reserve(out.offsets.back());
  for (std::vector<Influence>& piece : pieces) {
    out.values.insert(out.values.end(), piece.begin(), piece.end());
    piece = {};
  }
  return out;
}

} // namespace sinew
