#include "demo/models.h"
#include "demo/rigging.h"
#include "model/shapes.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr std::uint32_t kJointCount = 60;
constexpr float kLength = 1.8f;
constexpr float kBoneLength = kLength / kJointCount;
constexpr std::uint32_t kTentacleSegments = 32;
constexpr std::uint32_t kTentacleRings = 125;

// Half thickness over height: a flared foot, then an even taper to a blunt tip.
constexpr std::array kTentacleRadius = {
    vec2(0.0f, 0.175f),  vec2(0.03f, 0.165f), vec2(0.10f, 0.135f),
    vec2(0.25f, 0.115f), vec2(1.0f, 0.062f),  vec2(1.6f, 0.026f),
    vec2(1.74f, 0.018f), vec2(1.78f, 0.012f), vec2(1.80f, 0.0f)};

// Two rows of suckers on the front (+Z), as bumps of unit height.
struct Suckers {
  float bump = 0.0f; // 0 .. 1
  float cup = 0.0f;  // 0 .. 1, the dent in the middle
};

Suckers suckersAt(float height, float angleFromFront) {
  if (height < 0.12f || height > 1.72f) return {};
  // Spacing shrinks with the radius: count along the integral of 1 / radius, roughly.
  const float place = 16.0f * (1.0f - std::pow(1.0f - height / 2.05f, 1.25f)) * 1.9f;
  const float across = (std::abs(angleFromFront) - 0.42f) / 0.36f;
  const float along = 2.0f * (place - std::floor(place)) - 1.0f;
  const float distance = std::sqrt(across * across + along * along);
  const float fade = std::clamp((1.74f - height) / 0.3f, 0.0f, 1.0f);
  return {fade * smoothStep(0.75f - distance, 0.25f), fade * smoothStep(0.30f - distance, 0.25f)};
}

float angleFromFront(std::uint32_t corner) {
  const float cycles = static_cast<float>(corner) / kTentacleSegments - 0.25f; // corner 8 faces +Z
  return glm::two_pi<float>() * (cycles - std::round(cycles));
}

Shape makeTentacleShape() {
  std::vector<Ring> rings;
  for (std::uint32_t r = 0; r < kTentacleRings; ++r) {
    // Evenly over the length, closer at the tip.
    const float t = static_cast<float>(r) / (kTentacleRings - 1);
    const float height = 0.004f + (kLength - 0.008f) * (t + 0.12f * t * (1.0f - t));
    const float radius = curveThrough(kTentacleRadius, height);
    rings.push_back({vec3(0, height, 0), vec3(-radius, 0, 0), vec3(0, 0, radius)});
  }
  Shape shape = sweep(vec3(0), rings, vec3(0, kLength, 0), kTentacleSegments);
  for (std::uint32_t r = 0; r < kTentacleRings; ++r)
    for (std::uint32_t k = 0; k < kTentacleSegments; ++k) {
      vec3& p = shape.positions[1 + r * kTentacleSegments + k];
      const Suckers suckers = suckersAt(p.y, angleFromFront(k));
      const float grow = 1.0f + 0.16f * suckers.bump - 0.10f * suckers.cup;
      p.x *= grow;
      p.z *= grow;
    }
  return shape;
}

std::vector<vec4> computeColors(const Shape& shape) {
  const vec3 back(0.17f, 0.035f, 0.21f);
  const vec3 band(0.36f, 0.08f, 0.27f);
  const vec3 front(0.42f, 0.19f, 0.22f);
  const vec3 rim(0.72f, 0.50f, 0.40f);
  const vec3 cup(0.22f, 0.04f, 0.09f);
  std::vector<vec4> colors;
  for (const vec3& p : shape.positions) {
    const float angle = std::atan2(p.x, p.z);
    const Suckers suckers = suckersAt(p.y, angle);
    vec3 color = glm::mix(back, band, smoothStep(std::sin(p.y * 42.0f), 0.5f));
    color = glm::mix(color, front, smoothStep(1.05f - std::abs(angle), 0.25f));
    color = glm::mix(color, rim, suckers.bump);
    color = glm::mix(color, cup, suckers.cup);
    colors.emplace_back(color, 1.0f);
  }
  return colors;
}

// Joint j takes over from joint j - 1 across one bone's length on either side.
void bind(Mesh& mesh) {
  mesh.skin = 0;
  std::vector<float> weights(kJointCount);
  for (const vec3& p : mesh.positions) {
    float reached = 1.0f;
    for (std::uint32_t j = 0; j < kJointCount; ++j) {
      const float next =
          j + 1 == kJointCount
              ? 0.0f
              : smoothStep(p.y - kBoneLength * static_cast<float>(j + 1), kBoneLength);
      weights[j] = reached - next;
      reached = next;
    }
    appendWeights(mesh.influences, weights);
  }
}

// A wave that runs from the foot to the tip, once sideways and once back and forth.
void waveTentacle(float phase, std::span<Transform> local) {
  for (std::uint32_t j = 1; j < kJointCount; ++j) {
    const float along = static_cast<float>(j) / kJointCount;
    const float swing = 6.0f * std::min(1.0f, 3.0f * along) * (0.6f + 0.6f * along);
    const float angle = glm::two_pi<float>() * (1.6f * along - phase);
    local[j].rotation = rotationAbout(vec3(0, 0, 1), swing * std::sin(angle)) *
                        rotationAbout(vec3(1, 0, 0), 0.45f * swing * std::cos(angle));
  }
}

// Rolls up from the tip, suckers inside, and unrolls. The slight lean keeps the coils apart.
void curl(float phase, std::span<Transform> local) {
  const float part = upAndDown(phase);
  for (std::uint32_t j = 1; j < kJointCount; ++j) {
    const float along = static_cast<float>(j) / kJointCount;
    const float bend = 1.2f + 27.0f * along * along * along;
    local[j].rotation = rotationAbout(vec3(1, 0, 0), bend * part) *
                        rotationAbout(vec3(0, 0, 1), -1.4f * part * along);
  }
}

} // namespace

Model makeTentacle() {
  std::vector<std::string> names;
  for (std::uint32_t j = 0; j < kJointCount; ++j)
    names.push_back("Joint" + std::to_string(j));
  std::vector<JointSpec> joints;
  for (std::uint32_t j = 0; j < kJointCount; ++j)
    joints.push_back({names[j], j == 0 ? std::string_view() : std::string_view(names[j - 1]),
                      vec3(0, kBoneLength * static_cast<float>(j), 0)});
  Model model = makeSkeleton("tentacle", joints);

  const Shape shape = makeTentacleShape();
  Mesh mesh = toMesh(shape, "tentacle");
  mesh.colors = computeColors(shape);
  bind(mesh);
  model.meshes.push_back(std::move(mesh));

  Material material;
  material.name = "tentacle";
  material.baseColor = vec4(1.0f);
  material.shininess = 48.0f;
  material.roughness = toRoughness(material.shininess);
  material.specular = 0.35f;
  model.materials.push_back(material);
  model.clips.push_back(bakeClip(model, "wave", 3.0f, 60, waveTentacle));
  model.clips.push_back(bakeClip(model, "curl", 5.0f, 60, curl));
  return model;
}

} // namespace sinew
