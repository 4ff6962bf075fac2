#include "skinning/surface_gradients.h"

#include "core/directions.h"
#include "rig/joint_rates.h"
#include "rig/welded_vertices.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

using glm::dvec2;
using glm::dvec3;

// Vertices at one position whose normals differ by less are one place of a smooth surface.
constexpr float kSmooth = 0.999f;   // cosine
constexpr float kSteepest = 1e-3f;  // part of an edge that has to lie in the tangent plane
constexpr double kLeastSpan = 1e-6; // span of the plane by the edges that least squares assume
constexpr double kMatters = 1e-9;   // growth along an edge

// Per vertex the vertices at the other ends of its edges, seams of the surface welded.
Lists<std::uint32_t> collectRings(const Rig& rig) {
  const std::vector<std::uint32_t> welded = weldVertices(rig);
  std::vector<std::vector<std::uint32_t>> near(rig.positions.size());
  for (const Triangle& t : rig.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      near[t[i]].push_back(t[(i + 1) % 3]);
      near[t[i]].push_back(t[(i + 2) % 3]);
    }
  std::vector<std::vector<std::uint32_t>> twins(rig.positions.size());
  for (std::uint32_t v = 0; v < welded.size(); ++v)
    twins[welded[v]].push_back(v);
  Lists<std::uint32_t> rings;
  std::vector<std::uint32_t> ring;
  for (std::uint32_t v = 0; v < welded.size(); ++v) {
    ring.clear();
    for (const std::uint32_t twin : twins[welded[v]])
      if (twin == v || glm::dot(rig.normals[v], rig.normals[twin]) > kSmooth)
        ring.insert(ring.end(), near[twin].begin(), near[twin].end());
    const auto byPlace = [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(welded[a], a) < std::pair(welded[b], b);
    };
    std::sort(ring.begin(), ring.end(), byPlace);
    const auto samePlace = [&](std::uint32_t a, std::uint32_t b) { return welded[a] == welded[b]; };
    ring.erase(std::unique(ring.begin(), ring.end(), samePlace), ring.end());
    rings.append(ring);
  }
  return rings;
}

// The linear function on a plane that has given growths along given steps.
class Plane {
 public:
  // In units of the tangents' length; nothing of an edge that leaves the plane steeply.
  static dvec2 step(const SurfaceTangents& tangents, const vec3& edge) {
    const double squared = glm::dot(dvec3(tangents.u), dvec3(tangents.u));
    const dvec2 flat =
        dvec2(glm::dot(dvec3(edge), dvec3(tangents.u)), glm::dot(dvec3(edge), dvec3(tangents.v))) /
        std::max(squared, 1e-300);
    const double length = std::sqrt(squared) * glm::length(flat);
    const double full = glm::length(dvec3(edge));
    return length > kSteepest * full ? full / length * flat : dvec2(0.0);
  }

  void add(const dvec2& step) {
    const double squared = glm::dot(step, step);
    if (!(squared > 0.0)) return;
    xx_ += step.x * step.x / squared;
    xy_ += step.x * step.y / squared;
    yy_ += step.y * step.y / squared;
  }

  // right: the sum of growth * step / |step|^2.
  dvec2 solve(const dvec2& right) const {
    const double least = kLeastSpan * (xx_ + yy_);
    const double xx = xx_ + least;
    const double yy = yy_ + least;
    const double determinant = xx * yy - xy_ * xy_;
    if (!(determinant > 0.0)) return dvec2(0.0);
    return dvec2(yy * right.x - xy_ * right.y, xx * right.y - xy_ * right.x) / determinant;
  }

 private:
  double xx_ = 0.0, xy_ = 0.0, yy_ = 0.0;
};

// One edge of a vertex.
struct Edge {
  dvec2 step{0.0};
  std::vector<EdgeRate> rates;
  SurfaceShare::Rate share;
};

const EdgeRate* find(const std::vector<EdgeRate>& rates, std::uint32_t entry) {
  const auto found = std::ranges::find(rates, entry, &EdgeRate::entry);
  return found != rates.end() ? &*found : nullptr;
}

// What begins to matter along some edge and is not chosen yet: the most first.
std::vector<JointAttachment> arriving(const std::vector<Edge>& edges,
                                      const std::vector<JointAttachment>& chosen) {
  struct Arrival {
    double growth = 0.0, blendFactor = 0.0;
  };
  std::vector<std::pair<std::uint32_t, Arrival>> arrivals;
  for (const Edge& edge : edges)
    for (const EdgeRate& rate : edge.rates) {
      if (std::ranges::find(chosen, rate.entry, &JointAttachment::joint) != chosen.end()) continue;
      const double growth = std::abs(rate.weightGrowth) + std::abs(rate.blendGrowth);
      if (!(growth > kMatters)) continue;
      auto at = std::ranges::find(arrivals, rate.entry, &std::pair<std::uint32_t, Arrival>::first);
      if (at == arrivals.end()) at = arrivals.insert(at, {rate.entry, {}});
      at->second.growth += growth;
      at->second.blendFactor += growth * static_cast<double>(rate.blendFactor);
    }
  std::ranges::stable_sort(
      arrivals, [](const auto& a, const auto& b) { return a.second.growth > b.second.growth; });
  std::vector<JointAttachment> out;
  out.reserve(arrivals.size());
  for (const auto& [entry, arrival] : arrivals)
    out.push_back({entry, 0.0f, static_cast<float>(arrival.blendFactor / arrival.growth)});
  return out;
}

// The growths along one edge of the chosen attachments, whose weights sum to 1 all along it.
void addGrowths(const Edge& edge, const std::vector<JointAttachment>& chosen,
                std::vector<std::array<dvec2, 2>>& sums) {
  const double squared = glm::dot(edge.step, edge.step);
  if (!(squared > 0.0)) return;
  double weight = 0.0;
  double growth = 0.0;
  for (const JointAttachment& each : chosen)
    if (const EdgeRate* rate = find(edge.rates, each.joint)) {
      weight += rate->weight;
      growth += rate->weightGrowth;
    }
  if (!(weight > 0.0)) return;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (const EdgeRate* rate = find(edge.rates, chosen[i].joint)) {
      const double own = rate->weightGrowth - rate->weight / weight * growth;
      const double ofShare = edge.share.share * own + edge.share.growth * rate->weight;
      sums[i][0] += ofShare / weight / squared * edge.step;
      sums[i][1] += edge.share.share * rate->blendGrowth / weight / squared * edge.step;
    }
}

} // namespace

SurfaceTangents surfaceTangents(const vec3& normal) {
  const vec3 u = glm::cross(normal, axisAcross(normal));
  return {u, glm::cross(normal, u)};
}

EdgeRates jointEdgeRates(const Rig& rig) {
  return [&rig](std::uint32_t from, std::uint32_t to) {
    std::vector<EdgeRate> out;
    for (const JointRate& rate : jointRates(rig, rig.influences.of(from), rig.influences.of(to)))
      out.push_back({rate.joint, rate.weight(), rate.weightGrowth(),
                     static_cast<float>(rate.blendFactor()), rate.blendGrowth()});
    return out;
  };
}

EdgeRates influenceEdgeRates(const Influences& influences) {
  return [&influences](std::uint32_t from, std::uint32_t to) {
    std::vector<EdgeRate> out;
    for (const Influence& influence : influences.of(from)) {
      const auto weight = static_cast<double>(influence.weight);
      out.push_back({.entry = influence.joint, .weight = weight, .weightGrowth = -weight});
    }
    for (const Influence& influence : influences.of(to)) {
      auto at = std::ranges::find(out, influence.joint, &EdgeRate::entry);
      if (at == out.end()) at = out.insert(at, {.entry = influence.joint});
      at->weightGrowth += static_cast<double>(influence.weight);
    }
    return out;
  };
}

std::vector<AttachmentGradient> attachmentGradients(const Rig& rig, const EdgeRates& rates,
                                                    std::size_t limit, const SurfaceShare* share,
                                                    JointAttachments& attachments) {
  const Lists<std::uint32_t> rings = collectRings(rig);
  std::vector<AttachmentGradient> gradients;
  JointAttachments extended;
  std::vector<Edge> edges;
  std::vector<JointAttachment> chosen;
  std::vector<std::array<dvec2, 2>> sums;
  for (std::uint32_t v = 0; v < rig.positions.size(); ++v) {
    const SurfaceTangents tangents = surfaceTangents(rig.normals[v]);
    Plane plane;
    edges.clear();
    for (const std::uint32_t n : rings.of(v)) {
      edges.push_back({Plane::step(tangents, rig.positions[n] - rig.positions[v]), rates(v, n),
                       share != nullptr ? share->along(v, n) : SurfaceShare::Rate{}});
      plane.add(edges.back().step);
    }
    chosen.assign(attachments.of(v).begin(), attachments.of(v).end());
    for (const JointAttachment& arrival : arriving(edges, chosen))
      if (chosen.size() < limit) chosen.push_back(arrival);
    sums.assign(chosen.size(), {dvec2(0.0), dvec2(0.0)});
    for (const Edge& edge : edges)
      addGrowths(edge, chosen, sums);
    for (const auto& [weight, parameter] : sums)
      gradients.push_back({vec2(plane.solve(weight)), vec2(plane.solve(parameter))});
    extended.append(chosen);
  }
  attachments = std::move(extended);
  return gradients;
}

void dropIdle(JointAttachments& attachments, std::vector<AttachmentGradient>& gradients) {
  constexpr float kStored = 0.5f / 65535.0f; // smaller weights are stored as 0
  JointAttachments used;
  std::vector<AttachmentGradient> usedGradients;
  for (std::size_t v = 0; v < attachments.count(); ++v) {
    for (std::uint32_t i = attachments.offsets[v]; i < attachments.offsets[v + 1]; ++i) {
      const JointAttachment& each = attachments.values[i];
      const AttachmentGradient& gradient = gradients[i];
      const bool idle = each.weight < kStored && gradient.weight == vec2(0.0f) &&
                        gradient.parameter == vec2(0.0f);
      if (idle && i > attachments.offsets[v]) continue;
      used.values.push_back(each);
      usedGradients.push_back(gradient);
    }
    used.endList();
  }
  attachments = std::move(used);
  gradients = std::move(usedGradients);
}

} // namespace sinew
