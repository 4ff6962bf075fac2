
#include "demo/humanoid_parts.h"
#include "model/implicit.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::humanoid {
namespace {

// Trunk over height: half width, half depth, middle of the depth. The step at 0.92 is the shirt's
// hem.
constexpr std::array kTrunkWidth = {
    vec2(0.80f, 0.120f), vec2(0.85f, 0.146f),  vec2(0.905f, 0.156f), vec2(0.925f, 0.166f),
    vec2(0.98f, 0.156f), vec2(1.05f, 0.142f),  vec2(1.13f, 0.148f),  vec2(1.22f, 0.164f),
    vec2(1.28f, 0.164f), vec2(1.325f, 0.140f), vec2(1.365f, 0.092f), vec2(1.42f, 0.056f)};
constexpr std::array kTrunkDepth = {
    vec2(0.80f, 0.066f), vec2(0.85f, 0.096f),  vec2(0.905f, 0.104f), vec2(0.925f, 0.114f),
    vec2(0.98f, 0.106f), vec2(1.05f, 0.094f),  vec2(1.13f, 0.098f),  vec2(1.22f, 0.108f),
    vec2(1.28f, 0.100f), vec2(1.325f, 0.084f), vec2(1.365f, 0.066f), vec2(1.42f, 0.050f)};
constexpr std::array kTrunkMiddle = {vec2(0.80f, -0.008f), vec2(0.92f, -0.006f),
                                     vec2(1.05f, 0.002f),  vec2(1.22f, 0.004f),
                                     vec2(1.32f, -0.006f), vec2(1.42f, -0.014f)};

// Arm over x: half thickness. The step at 0.29 is the sleeve's end.
constexpr std::array kUpperArmRadius = {
    vec2(0.10f, 0.066f),  vec2(0.17f, 0.063f), vec2(0.23f, 0.057f), vec2(0.284f, 0.056f),
    vec2(0.304f, 0.043f), vec2(0.40f, 0.038f), vec2(0.46f, 0.040f), vec2(0.55f, 0.033f),
    vec2(0.63f, 0.025f),  vec2(0.67f, 0.025f)};

// Leg over height: half thickness and middle. The step at 0.10 is the trousers' end.
constexpr std::array kLegRadius = {vec2(0.06f, 0.040f), vec2(0.09f, 0.041f), vec2(0.115f, 0.054f),
                                   vec2(0.22f, 0.054f), vec2(0.34f, 0.058f), vec2(0.46f, 0.059f),
                                   vec2(0.56f, 0.063f), vec2(0.68f, 0.071f), vec2(0.77f, 0.077f),
                                   vec2(0.83f, 0.084f), vec2(0.88f, 0.088f)};
constexpr std::array kLegX = {vec2(0.06f, 0.100f), vec2(0.48f, 0.097f), vec2(0.78f, 0.091f),
                              vec2(0.88f, 0.083f)};
constexpr std::array kLegZ = {vec2(0.06f, -0.022f), vec2(0.20f, -0.022f), vec2(0.34f, -0.014f),
                              vec2(0.50f, 0.004f), vec2(0.88f, -0.002f)};

float trunk(const vec3& p) {
  const float width = curveThrough(kTrunkWidth, p.y);
  const float depth = curveThrough(kTrunkDepth, p.y);
  const float x = p.x / width;
  const float z = std::abs(p.z - curveThrough(kTrunkMiddle, p.y)) / depth;
  // Between an ellipse and a box: a superellipse of power 2.5.
  const float across = std::pow(std::pow(x, 2.5f) + std::pow(z, 2.5f), 0.4f) - 1.0f;
  return smoothIntersection(across * std::min(width, depth), std::max(0.835f - p.y, p.y - 1.42f),
                            0.03f);
}

float arm(const vec3& p) {
  const float flat = 0.12f * smoothStep(p.x - 0.55f, 0.12f); // the wrist is wider than high
  const float radius = curveThrough(kUpperArmRadius, p.x);
  const vec2 across((p.y - kArmHeight) * (1.0f + flat), (p.z + 0.014f) * (1.0f - flat));
  return smoothIntersection(glm::length(across) - radius, std::max(0.06f - p.x, p.x - 0.66f),
                            0.02f);
}

float hand(const vec3& p) {
  if (p.x < 0.5f) return 1.0f;
  float f = ellipsoidField(p, {0.688f, 1.305f, -0.004f}, {0.056f, 0.019f, 0.044f});
  constexpr std::array kLength = {0.088f, 0.104f, 0.110f, 0.098f}; // little finger first
  float fingers = 1.0f;
  for (std::size_t i = 0; i < kLength.size(); ++i) {
    const float z = -0.036f + 0.0205f * static_cast<float>(i);
    const float spread = 1.13f;
    fingers =
        smoothUnion(fingers,
                    taperedCapsule(p, {0.705f, 1.306f, z},
                                   {0.705f + kLength[i], 1.300f, z * spread}, 0.0108f, 0.0088f),
                    0.004f);
  }
  f = smoothUnion(f, fingers, 0.016f);
  const float thumb = smoothUnion(
      taperedCapsule(p, {0.655f, 1.301f, 0.014f}, {0.696f, 1.293f, 0.052f}, 0.0165f, 0.0130f),
      taperedCapsule(p, {0.696f, 1.293f, 0.052f}, {0.733f, 1.289f, 0.066f}, 0.0125f, 0.0098f),
      0.01f);
  return smoothUnion(f, thumb, 0.018f);
}

float leg(const vec3& p) {
  const vec2 across(p.x - curveThrough(kLegX, p.y), p.z - curveThrough(kLegZ, p.y));
  return smoothIntersection(glm::length(across) - curveThrough(kLegRadius, p.y),
                            std::max(0.05f - p.y, p.y - 0.90f), 0.02f);
}

float shoe(const vec3& p) {
  if (p.y > 0.3f) return 1.0f;
  float f = ellipsoidField(p, {0.100f, 0.042f, -0.034f}, {0.046f, 0.056f, 0.054f});
  f = smoothUnion(f, ellipsoidField(p, {0.104f, 0.030f, 0.080f}, {0.050f, 0.046f, 0.084f}), 0.05f);
  f = smoothUnion(f, ellipsoidField(p, {0.100f, 0.075f, -0.016f}, {0.044f, 0.050f, 0.046f}), 0.04f);
  return smoothIntersection(f, -p.y, 0.012f);
}

float head(const vec3& p) {
  if (p.y < 1.25f) return 1.0f;
  float f = ellipsoidField(p, {0, 1.582f, -0.010f}, {0.094f, 0.105f, 0.108f});
  f = smoothUnion(f, ellipsoidField(p, {0, 1.510f, 0.022f}, {0.068f, 0.076f, 0.076f}), 0.05f);
  f = smoothUnion(f, ellipsoidField(p, {0, 1.543f, 0.103f}, {0.015f, 0.019f, 0.021f}), 0.018f);
  f = smoothUnion(f, ellipsoidField(p, {0.097f, 1.548f, -0.010f}, {0.015f, 0.031f, 0.021f}),
                  0.010f);
  // Hair: a fuller skull, down to the hairline.
  const float mop = ellipsoidField(p, {0, 1.590f, -0.016f}, {0.110f, 0.110f, 0.120f});
  f = smoothUnion(f, smoothIntersection(mop, -aboveHairline(p), 0.012f), 0.008f);
  const float neck = taperedCapsule(p, {0, 1.34f, -0.018f}, {0, 1.49f, -0.008f}, 0.054f, 0.048f);
  return smoothUnion(f, neck, 0.03f);
}

} // namespace

float aboveHairline(const vec3& p) {
  const float fringe = 1.622f - 0.25f * p.x + 0.01f * std::sin(2.2f + 38.0f * p.x);
  const float overEar = 1.583f;
  const float nape = 1.475f;
  const float side = glm::mix(nape, overEar, smoothStep(p.z + 0.043f, 0.018f));
  return p.y - glm::mix(side, fringe, smoothStep(p.z - 0.040f, 0.030f));
}

float bodyField(const vec3& p) {
  // Far parts are skipped where they cannot matter: a field need only be right near its zero set.
  float f = trunk(p);
  f = smoothUnion(f, arm(p), 0.06f);
  f = smoothUnion(f, hand(p), 0.02f);
  if (p.y > 1.25f) f = smoothUnion(f, head(p), 0.035f);
  if (p.y < 1.0f) {
    // Both legs, so that the crotch is round.
    const float legs = smoothUnion(leg(p), leg(vec3(-p.x, p.y, p.z)),
                                   glm::mix(0.015f, 0.07f, smoothStep(p.y - 0.80f, 0.05f)));
    f = smoothUnion(f, legs, 0.05f);
    f = smoothUnion(f, shoe(p), 0.025f);
  }
  return f;
}

} // namespace sinew::humanoid
