#include "weights/glow_initial_weights.h"

#include "core/parallel.h"
#include "weights/initial_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

using glm::dvec3;

constexpr std::size_t kPiece = 1024;
constexpr double kNearest = 1e-6;    // share of the bone's length; smaller distances count as this
constexpr double kNegligible = 5e-4; // bones that could add less than this fraction are skipped
constexpr float kHeatPart = 0.4f;    // share of the progress for the anchoring, by bone heat
constexpr int kHalvings = 6;         // how often the span in which visibility changes is halved

// A bone seen from a vertex (docs/methods.md, section 9): u along the bone's line from the foot of
// the perpendicular; light arrives where h g + k u > 0.
struct View {
  dvec3 from{0.0};
  dvec3 axis{0.0};
  double length = 0.0;
  double foot = 0.0; // distance of the perpendicular's foot from `from`
  double h = 0.0;    // distance of the vertex from the line
  double g = 0.0;    // n . h_hat
  double k = 0.0;    // -n . axis
};

View makeView(const BoneSegment& bone, const vec3& point, const vec3& normal) {
  View view;
  view.from = dvec3(bone.from);
  const dvec3 along = dvec3(bone.to) - view.from;
  view.length = glm::length(along);
  if (view.length == 0.0) return view;
  view.axis = along / view.length;
  const dvec3 off = dvec3(point) - view.from;
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

// The part of [from, to] (of u) that lights the inner side.
Span lit(const View& view, Span span) {
  const double rise = view.h * view.g;
  if (view.k == 0.0) return rise > 0.0 ? span : Span{};
  const double terminator = -rise / view.k;
  if (view.k > 0.0)
    span.from = std::max(span.from, terminator);
  else
    span.to = std::min(span.to, terminator);
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

// u at even steps of the angle under which the vertex sees the line: more rays where there is more
// light.
double atFraction(const View& view, const Span& span, double t) {
  const double low = std::atan(span.from / view.h);
  const double high = std::atan(span.to / view.h);
  return std::clamp(view.h * std::tan(low + t * (high - low)), span.from, span.to);
}

// The limit of visibility between a visible and a hidden point.
double sightEnds(const View& view, const vec3& point, const SurfaceRays& rays, double seen,
                 double hidden) {
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (seen + hidden);
    (rays.blocked(point, pointAt(view, middle)) ? hidden : seen) = middle;
  }
  return 0.5 * (seen + hidden);
}

double visibleIntegral(const View& view, const vec3& point, const SurfaceRays& rays,
                       const Span& span) {
  std::array<double, 8> u{};
  std::array<vec3, 8> points{};
  for (std::size_t i = 0; i < u.size(); ++i) {
    u[i] = atFraction(view, span, static_cast<double>(i) / 7.0);
    points[i] = pointAt(view, u[i]);
  }
  const std::array<bool, 8> hidden = rays.blocked(point, points);
  double light = 0.0;
  double start = u[0];
  for (std::size_t i = 1; i < u.size(); ++i) {
    if (hidden[i] == hidden[i - 1]) continue;
    if (hidden[i])
      light += integral(view, {start, sightEnds(view, point, rays, u[i - 1], u[i])});
    else
      start = sightEnds(view, point, rays, u[i], u[i - 1]);
  }
  return hidden.back() ? light : light + integral(view, {start, u.back()});
}

struct Light {
  double unoccluded = 0.0; // light without occlusion
  View view;
  std::uint32_t bone = 0;
};

// Brightest first, until the rest is negligible.
void addLight(const WeightSurface& surface, std::span<const BoneSegment> bones,
              const SurfaceRays& rays, std::size_t welded, std::vector<Light>& lights,
              std::vector<Influence>& out) {
  const vec3& at = surface.positions[welded];
  lights.clear();
  double rest = 0.0;
  for (std::uint32_t b = 0; b < bones.size(); ++b) {
    const View view = makeView(bones[b], at, surface.normals[welded]);
    if (view.length == 0.0) continue;
    const double unoccluded = integral(view, whole(view));
    if (unoccluded <= 0.0) continue;
    lights.push_back({unoccluded, view, b});
    rest += unoccluded;
  }
  std::sort(lights.begin(), lights.end(), [](const Light& a, const Light& b) {
    return std::pair(-a.unoccluded, a.bone) < std::pair(-b.unoccluded, b.bone);
  });
  double sum = 0.0;
  for (const Light& light : lights) {
    if (rest < kNegligible * sum) break;
    rest -= light.unoccluded;
    const double seen = visibleIntegral(light.view, at, rays, whole(light.view));
    if (seen <= 0.0) continue;
    sum += seen;
    out.push_back({light.bone, static_cast<float>(seen)});
  }
}

void addSteppedLight(const WeightSurface& surface, std::span<const BoneSegment> bones,
                     const SurfaceRays& rays, std::size_t welded, std::uint32_t steps,
                     std::vector<Influence>& out) {
  for (std::uint32_t b = 0; b < bones.size(); ++b) {
    const double light =
        steppedLight(bones[b], surface.positions[welded], surface.normals[welded], rays, steps);
    if (light > 0.0) out.push_back({b, static_cast<float>(light)});
  }
}

// Relative to the brightest: the light has a unit, and powers of it would overflow.
void sharpen(std::vector<Influence>& bones, float sharpness) {
  if (sharpness == 1.0f) return;
  float brightest = 0.0f;
  for (const Influence& bone : bones)
    brightest = std::max(brightest, bone.weight);
  for (Influence& bone : bones)
    bone.weight = std::pow(bone.weight / brightest, sharpness);
}

void normalise(std::vector<Influence>& bones) {
  double sum = 0.0;
  for (const Influence& bone : bones)
    sum += static_cast<double>(bone.weight);
  for (Influence& bone : bones)
    bone.weight = static_cast<float>(static_cast<double>(bone.weight) / sum);
}

} // namespace

double computeLight(const BoneSegment& bone, const vec3& point, const vec3& normal, double from,
                    double to) {
  const View view = makeView(bone, point, normal);
  return view.length == 0.0 ? 0.0 : integral(view, lit(view, {from - view.foot, to - view.foot}));
}

double steppedLight(const BoneSegment& bone, const vec3& point, const vec3& normal,
                    const SurfaceRays& rays, std::uint32_t steps) {
  const View view = makeView(bone, point, normal);
  if (view.length == 0.0) return 0.0;
  const double step = view.length / steps;
  double sum = 0.0;
  for (std::uint32_t i = 0; i < steps; ++i) {
    const double u = (i + 0.5) * step - view.foot;
    const double rise = view.h * view.g + view.k * u;
    if (rise <= 0.0 || rays.blocked(point, pointAt(view, u))) continue;
    const double squared = view.h * view.h + u * u;
    sum += step * view.h * rise / (squared * squared);
  }
  return sum;
}

double visibleLight(const BoneSegment& bone, const vec3& point, const vec3& normal,
                    const SurfaceRays& rays) {
  const View view = makeView(bone, point, normal);
  if (view.length == 0.0) return 0.0;
  const Span span = whole(view);
  return span.empty() ? 0.0 : visibleIntegral(view, point, rays, span);
}

InitialWeights glowInitialWeights(const WeightSurface& surface, std::span<const BoneSegment> bones,
                                  const SurfaceRays& rays, const GlowOptions& options,
                                  ProgressMeter* meter) {
  const InitialWeights heat =
      heatInitialWeights(surface, bones, &rays, meter, kHeatPart * kInitialWeightsEnd);
  const std::size_t count = surface.positions.size();
  InitialWeights out;
  out.anchoring = heat.anchoring;
  out.offsets.assign(count + 1, 0);
  std::vector<std::vector<Influence>> pieces((count + kPiece - 1) / kPiece);
  if (meter != nullptr)
    meter->startStage("gathering the light of all bones", kInitialWeightsEnd,
                      std::max<std::size_t>(pieces.size(), 1));
  forEachPieceInParallel(count, kPiece, [&](std::size_t first, std::size_t last) {
    std::vector<Light> lights;
    std::vector<Influence> bonesLit;
    std::vector<Influence>& piece = pieces[first / kPiece];
    for (std::size_t p = first; p < last; ++p) {
      if (heat.anchoring[p] == 0.0) continue; // sees no bone's nearest point: not anchored
      bonesLit.clear();
      if (options.steps > 0)
        addSteppedLight(surface, bones, rays, p, options.steps, bonesLit);
      else
        addLight(surface, bones, rays, p, lights, bonesLit);
      if (!bonesLit.empty()) {
        sharpen(bonesLit, options.sharpness);
        normalise(bonesLit);
      } else {
        bonesLit.assign(heat.of(p).begin(), heat.of(p).end());
      }
      piece.insert(piece.end(), bonesLit.begin(), bonesLit.end());
      out.offsets[p + 1] = static_cast<std::uint32_t>(bonesLit.size());
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
