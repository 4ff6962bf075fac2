// What tests of exact normals share.
#pragma once
#include "skinning/method.h"

#include <glm/geometric.hpp>

#include <cmath>
#include <string_view>

namespace sinew::test {

constexpr double kDegreesInRadian = 57.29577951;
constexpr const char* kExactMethods[] = {"bones-blending", "arc-spline", "bezier-spline"};

inline double degreesBetween(const glm::dvec3& a, const glm::dvec3& b) {
  return kDegreesInRadian * std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

// Exact normals. source: 0 blends by weights, 1 by zones.
inline BindOptions exactly(std::string_view name, float source) {
  BindOptions options;
  options.parameters = {source, 3, 0, 1};
  if (name == "bones-blending") options.parameters = {source, 3, 1};
  return options;
}

} // namespace sinew::test
