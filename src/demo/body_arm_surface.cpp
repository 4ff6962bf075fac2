#include "demo/body_arm_surface.h"

#include "demo/rigging.h"
#include "model/implicit.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::body_arm {
namespace {

constexpr float kHeight = 1.0f; // height of the body
constexpr float kTip = 1.16f;

// 70 * 85 corners of the body's rings, its two poles, and 108 loops of 64 make the paper's 12,864.
constexpr std::uint32_t kBodySegments = 70;
constexpr std::uint32_t kRings = 85;
constexpr std::uint32_t kPatch = 16; // the arm grows out of 16 x 16 faces
constexpr std::uint32_t kLoops = 108;

constexpr std::array kBodyWidth = {vec2(0.0f, 0.185f),  vec2(0.15f, 0.180f), vec2(0.42f, 0.155f),
                                   vec2(0.70f, 0.190f), vec2(0.85f, 0.185f), vec2(1.0f, 0.150f)};
constexpr std::array kBodyDepth = {vec2(0.0f, 0.150f),  vec2(0.15f, 0.145f), vec2(0.42f, 0.120f),
                                   vec2(0.70f, 0.145f), vec2(0.85f, 0.140f), vec2(1.0f, 0.120f)};
constexpr std::array kArmRadius = {vec2(0.0f, 0.100f),  vec2(0.25f, 0.090f), vec2(0.45f, 0.078f),
                                   vec2(0.62f, 0.066f), vec2(0.72f, 0.064f), vec2(0.93f, 0.040f),
                                   vec2(1.02f, 0.026f)};

float bodyArmField(const vec3& p) {
  const vec2 across(p.x / curveThrough(kBodyWidth, p.y), p.z / curveThrough(kBodyDepth, p.y));
  const float side = (glm::length(across) - 1.0f) * 0.13f;
  const float body =
      smoothIntersection(smoothIntersection(side, p.y - kHeight, 0.16f), -p.y, 0.04f);
  const float arm =
      smoothIntersection(glm::length(vec2(p.y - kArmHeight, p.z)) - curveThrough(kArmRadius, p.x),
                         std::max(-p.x, p.x - 1.04f), 0.04f);
  // A flat hand, so that its twist shows.
  const float hand = ellipsoidField(p, {1.03f, kArmHeight, 0.0f}, {0.13f, 0.036f, 0.085f});
  return smoothUnion(body, smoothUnion(arm, hand, 0.06f), 0.12f);
}

// Rings at even steps up the body's outline: over the base, up the side, over the top.
std::vector<Ring> bodyRings() {
  constexpr float kCap = 0.16f;
  std::vector<Ring> rings;
  for (std::uint32_t r = 0; r < kRings; ++r) {
    const float along =
        (2.0f * kCap + kHeight) * static_cast<float>(r + 1) / static_cast<float>(kRings + 1);
    const float y = std::clamp(along - kCap, 0.0f, kHeight);
    const float part = std::min({1.0f, along / kCap, (2.0f * kCap + kHeight - along) / kCap});
    rings.push_back({vec3(0, y, 0), vec3(part * curveThrough(kBodyWidth, y), 0, 0),
                     vec3(0, 0, -part * curveThrough(kBodyDepth, y))});
  }
  return rings;
}

std::vector<Ring> armLoops() {
  std::vector<Ring> loops;
  for (std::uint32_t i = 0; i < kLoops; ++i) {
    const float x = glm::mix(0.215f, kTip - 0.055f, static_cast<float>(i) / (kLoops - 1));
    const float flat = smoothStep(x - kWrist, 0.10f);
    const float radius = curveThrough(kArmRadius, x);
    const float height = glm::mix(radius, 0.026f, flat);
    const float depth = glm::mix(radius, 0.070f, flat);
    loops.push_back({vec3(x, kArmHeight, 0), vec3(0, 0, -depth), vec3(0, height, 0)});
  }
  return loops;
}

Shape makeShape() {
  const std::vector<Ring> rings = bodyRings();
  Shape shape = sweep(vec3(0), rings, vec3(0, kHeight, 0), kBodySegments);
  std::uint32_t middle = 0;
  while (rings[middle].center.y < kArmHeight)
    ++middle;
  const Patch patch = {.tubeSegments = kBodySegments,
                       .firstRing = middle - kPatch / 2,
                       .rings = kPatch,
                       .firstSegment = kBodySegments - kPatch / 2,
                       .segments = kPatch};
  growLimb(shape, patch, armLoops(), 0.05f);

  // Onto the common surface, and evened out there.
  for (vec3& p : shape.positions)
    p = projectTo(bodyArmField, p);
  const auto around = neighbours(shape.positions.size(), triangulate(shape));
  relax(shape.positions, around, bodyArmField, 12,
        [](std::uint32_t /*vertex*/, const vec3& p) { return p; });
  // A picture laid on from the front, the same on the back.
  for (std::size_t v = 0; v < shape.positions.size(); ++v)
    shape.texcoords[v] = {(shape.positions[v].x + 0.20f) / 1.36f,
                          0.99f - 0.98f * shape.positions[v].y / kHeight};
  return shape;
}

} // namespace

Mesh makeMesh() {
  return toMesh(makeShape(), "body-arm");
}

float armShare(const vec3& p) {
  const float near = smoothStep(0.19f - std::abs(p.y - kArmHeight), 0.09f);
  const float out = smoothStep(p.x - 0.32f, 0.06f);
  return smoothStep(p.y - kUpper, 0.28f) * smoothStep(p.x - kShoulder, 0.13f) *
         (1.0f - (1.0f - near) * (1.0f - out));
}

vec4 computeArmColor(float arm, float elbow) {
  const vec3 red(0.70f, 0.10f, 0.08f);
  const vec3 green(0.12f, 0.52f, 0.10f);
  const vec3 blue(0.08f, 0.16f, 0.68f);
  return {(1.0f - arm - elbow) * red + arm * green + elbow * blue, 1.0f};
}

void bend(float phase, Transform& body, Transform& arm, Transform& elbow) {
  const vec3 z(0, 0, 1);
  const float part = upAndDown(phase);
  body.rotation = rotationAbout(z, 14.0f * part);
  arm.rotation = rotationAbout(z, -65.0f * part);
  elbow.rotation = rotationAbout(z, 115.0f * part);
}

void addMaterial(Model& model) {
  Material material;
  material.name = "body-arm";
  material.baseColor = vec4(1.0f);
  material.texture = 0;
  model.materials.push_back(material);
  model.textures.push_back(gridTexture(34, 25));
}

} // namespace sinew::body_arm
