#include "weights/templates/solid_shape.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

// The parts of every layer across the axis, by flooding.
std::vector<std::vector<SlicePart>> sliceSolid(const VoxelSolid& solid, std::size_t axis) {
  const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
  const std::array<std::size_t, 3> step{1, solid.counts[0], solid.counts[0] * solid.counts[1]};
  std::vector<std::vector<SlicePart>> out(solid.counts[axis]);
  std::vector<std::uint8_t> seen(solid.solid.size(), 0);
  std::vector<std::size_t> open;
  for (std::size_t first = 0; first < solid.solid.size(); ++first) {
    if (solid.solid[first] == 0 || seen[first] != 0) continue;
    SlicePart part;
    glm::dvec3 sum(0.0);
    open.assign(1, first);
    seen[first] = 1;
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      const vec3 center =
          solid.center(at % solid.counts[0], at / step[1] % solid.counts[1], at / step[2]);
      part.box.include(center);
      sum += glm::dvec3(center);
      ++part.voxels;
      for (const std::size_t side : {step[u], step[v]}) // the border is empty
        for (const std::size_t next : {at - side, at + side})
          if (solid.solid[next] != 0 && seen[next] == 0) {
            seen[next] = 1;
            open.push_back(next);
          }
    }
    part.center = vec3(sum / static_cast<double>(part.voxels));
    out[first / step[axis] % solid.counts[axis]].push_back(part);
  }
  return out;
}

} // namespace

SolidShape::SolidShape(VoxelSolid solid) : solid_(std::move(solid)) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    slices_[axis] = sliceSolid(solid_, axis);
  forEach([&](const vec3& center) { box_.include(center); });
}

const std::vector<SlicePart>& SolidShape::parts(int axis, float at) const {
  const float index = std::round((at - solid_.origin[axis]) / solid_.cell);
  const auto last = static_cast<float>(layers(axis) - 1);
  return layer(axis, static_cast<std::size_t>(std::clamp(index, 0.0f, last)));
}

bool SolidShape::isSolid(const vec3& p) const {
  std::array<std::size_t, 3> index{};
  for (int a = 0; a < 3; ++a) {
    const float at = std::round((p[a] - solid_.origin[a]) / solid_.cell);
    const auto axis = static_cast<std::size_t>(a);
    if (!(at >= 0.0f) || at >= static_cast<float>(solid_.counts[axis])) return false;
    index[axis] = static_cast<std::size_t>(at);
  }
  return solid_.solid[solid_.index(index[0], index[1], index[2])] != 0;
}

std::optional<vec3> SolidShape::middleWithin(const Bounds& box) const {
  glm::dvec3 sum(0.0);
  std::size_t count = 0;
  forEach([&](const vec3& p) {
    if (!glm::all(glm::greaterThanEqual(p, box.min)) || !glm::all(glm::lessThanEqual(p, box.max)))
      return;
    sum += glm::dvec3(p);
    ++count;
  });
  if (count == 0) return std::nullopt;
  return vec3(sum / static_cast<double>(count));
}

vec3 SolidShape::centered(const vec3& p, const vec3& direction, float radius) const {
  const float length = glm::length(direction);
  if (!(length > 0.0f)) return p;
  const vec3 across = direction / length;
  vec3 at = p;
  for (int round = 0; round < 3; ++round) {
    glm::dvec3 sum(0.0);
    std::size_t count = 0;
    forEach([&](const vec3& center) {
      const vec3 apart = center - at;
      if (glm::dot(apart, apart) > radius * radius) return;
      if (std::fabs(glm::dot(center - p, across)) > 1.2f * solid_.cell) return;
      sum += glm::dvec3(center);
      ++count;
    });
    if (count == 0) return at;
    at = vec3(sum / static_cast<double>(count));
  }
  return at;
}

vec3 SolidShape::inside(const vec3& p) const {
  const float cell = solid_.cell;
  vec3 best = p;
  float nearest = std::numeric_limits<float>::max();
  forEach([&](const vec3& center) {
    float apart = glm::length(center - p);
    if (apart >= nearest) return;
    for (int a = 0; a < 3; ++a)
      for (const float side : {-cell, cell}) {
        vec3 next = center;
        next[a] += side;
        if (!isSolid(next)) apart += cell; // rather deeper than nearer
      }
    if (apart >= nearest) return;
    nearest = apart;
    best = center;
  });
  // A point that is well within stays where it is.
  return glm::length(best - p) <= cell && isSolid(p) ? p : best;
}

double SolidShape::symmetry(int axis) const {
  std::size_t all = 0, both = 0;
  forEach([&](vec3 p) {
    ++all;
    p[axis] = box_.min[axis] + box_.max[axis] - p[axis];
    both += isSolid(p) ? 1 : 0;
  });
  return static_cast<double>(both) / static_cast<double>(all);
}

} // namespace sinew
