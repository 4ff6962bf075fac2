// A posed mesh against its survey: the second half of survey.h.

#include "metrics/curvature.h"
#include "metrics/flips.h"
#include "metrics/self_intersection.h"
#include "metrics/stretch.h"
#include "metrics/survey.h"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace sinew {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr float kFold = 1.0471976f; // 60 degrees

std::vector<double> newCrossings(const Survey& survey, const Rig& rig,
                                 std::span<const vec3> posed) {
  const Pairs now =
      selfIntersections(posed, rig.triangles, survey.regions[0].triangles, survey.places);
  Pairs added;
  std::set_difference(now.begin(), now.end(), survey.restCrossings.begin(),
                      survey.restCrossings.end(), std::back_inserter(added));
  std::vector<double> counts(survey.regions.size(), 0.0);
  for (const auto& [a, b] : added) {
    const std::uint32_t first = survey.regionOfTriangle[a], second = survey.regionOfTriangle[b];
    counts[0] += 1.0;
    if (first != 0) counts[first] += 1.0;
    if (second != 0 && second != first) counts[second] += 1.0;
  }
  return counts;
}

// What angles between neighbours tell of a region.
struct Angles {
  double sharpest = 0.0; // radians
  double folded = 0.0;   // length of the edges
  double length = 0.0;   // of all
};

std::vector<Angles> anglesByRegion(const Survey& survey, const Rig& rig,
                                   std::span<const vec3> posed) {
  const std::vector<float> angles = neighbourAngles(posed, rig.triangles, survey.neighbours);
  std::vector<Angles> byRegion(survey.regions.size());
  const auto include = [&](std::size_t region, std::size_t i) {
    Angles& of = byRegion[region];
    of.sharpest = std::max(of.sharpest, static_cast<double>(angles[i]));
    of.length += survey.neighbourLength[i];
    if (angles[i] - survey.restAngles[i] > kFold) of.folded += survey.neighbourLength[i];
  };
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const auto& [a, b] = survey.neighbours[i];
    const std::uint32_t first = survey.regionOfTriangle[a], second = survey.regionOfTriangle[b];
    include(0, i);
    if (first != 0) include(first, i);
    if (second != 0 && second != first) include(second, i);
  }
  return byRegion;
}

void measureDistances(const SkinRegion& region, const Survey& survey, std::span<const vec3> posed,
                      std::span<const vec3> reference, SkinFigures& out) {
  double largest = 0.0, sum = 0.0;
  std::size_t beyond = 0, count = 0;
  for (const std::uint32_t v : region.vertices) {
    const double distance = glm::length(glm::dvec3(posed[v]) - glm::dvec3(reference[v]));
    if (!std::isfinite(distance)) continue;
    largest = std::max(largest, distance);
    sum += distance;
    if (distance > survey.beyond) ++beyond;
    ++count;
  }
  if (count == 0 || !(survey.size > 0.0f)) return;
  const auto n = static_cast<double>(count);
  out.distance = largest / static_cast<double>(survey.size);
  out.meanDistance = sum / n / static_cast<double>(survey.size);
  out.beyond = static_cast<double>(beyond) / n;
}

double definedOr(double value) {
  return std::isfinite(value) ? value : SkinFigures::kUndefined;
}

SkinFigures measureRegion(const SkinRegion& region, const Survey& survey, const Rig& rig,
                          std::span<const vec3> posed, std::span<const vec3> reference) {
  SkinFigures out;
  if (region.triangles.empty()) return out;
  if (region.bindVolume != 0.0)
    out.volume = definedOr(volumeOf(region.surface, posed) / region.bindVolume);
  if (!region.sections.empty())
    out.crossSection =
        definedOr(static_cast<double>(smallestRadiusRatio(region.sections, survey.rest, posed)));
  out.stretch = definedOr(static_cast<double>(stretchOf(region.edges, survey.rest, posed).largest));
  out.flipped =
      static_cast<double>(flippedShare(rig.triangles, region.triangles, reference, posed));
  measureDistances(region, survey, posed, reference, out);
  return out;
}

} // namespace

std::vector<SkinFigures> measure(const Survey& survey, const Rig& rig, std::span<const vec3> posed,
                                 std::span<const vec3> reference) {
  const std::vector<double> crossings = newCrossings(survey, rig, posed);
  const std::vector<Angles> angles = anglesByRegion(survey, rig, posed);
  std::vector<SkinFigures> figures;
  for (std::size_t i = 0; i < survey.regions.size(); ++i) {
    SkinFigures of = measureRegion(survey.regions[i], survey, rig, posed, reference);
    if (!survey.regions[i].triangles.empty()) {
      of.selfIntersections = crossings[i];
      of.curvature = glm::degrees(angles[i].sharpest);
      if (angles[i].length > 0.0) of.folded = angles[i].folded / angles[i].length;
    }
    figures.push_back(of);
  }
  return figures;
}

std::vector<SkinFigures> measureRest(const Survey& survey, const Rig& rig) {
  return measure(survey, rig, survey.rest, survey.rest);
}

} // namespace sinew
