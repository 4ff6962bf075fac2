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

// Control points of the bind pose, in the plane z = 0, and what sticks out beyond them.
constexpr vec3 kTubeStart(-0.42f, 0.24f, 0.0f);
constexpr vec3 kMiddle(-0.32f, 0.82f, 0.0f);
constexpr vec3 kTubeEnd(0.28f, 0.95f, 0.0f);
constexpr float kBeyond = 0.20f;
constexpr float kRadius = 0.10f;
constexpr std::uint32_t kTubeSegments = 48;
constexpr std::uint32_t kCurveRings = 64; // with 14 on either side
constexpr std::uint32_t kBeyondRings = 14;

// The position of a ring: x from 0 to half pi on the curve, and how far beyond one of its ends.
struct TubeSample {
  float x;
  float beyond;
};

std::vector<TubeSample> samples() {
  std::vector<TubeSample> out;
  const auto part = [](std::uint32_t i, std::uint32_t count) {
    return static_cast<float>(i) / static_cast<float>(count);
  };
  for (std::uint32_t i = 0; i < kBeyondRings; ++i)
    out.push_back({0.0f, -kBeyond * (1.0f - part(i, kBeyondRings))});
  for (std::uint32_t i = 0; i <= kCurveRings; ++i)
    out.push_back({glm::half_pi<float>() * part(i, kCurveRings), 0.0f});
  for (std::uint32_t i = 1; i <= kBeyondRings; ++i)
    out.push_back({glm::half_pi<float>(), kBeyond * part(i, kBeyondRings)});
  return out;
}

Ring ringAt(const TubeSample& sample) {
  const float s = std::sin(sample.x);
  const float c = std::cos(sample.x);
  const vec3 tangent = glm::normalize(c * (kMiddle - kTubeStart) + s * (kTubeEnd - kMiddle));
  const vec3 center = kTubeStart + s * (kMiddle - kTubeStart) + (1.0f - c) * (kTubeEnd - kMiddle) +
                      sample.beyond * tangent;
  // Rounded off at the tips.
  const float left = std::max(kBeyond - std::abs(sample.beyond), 0.0f) / kRadius;
  const float flat = std::max(1.0f - left, 0.0f);
  const float radius = kRadius * std::sqrt(std::max(1.0f - flat * flat, 0.03f));
  const vec3 z(0, 0, 1);
  return {center, radius * glm::cross(z, tangent), radius * z};
}

vec4 colorAt(const TubeSample& sample) {
  const float t = sample.x / glm::half_pi<float>();
  const vec3 half = t < 0.5f ? vec3(0.12f, 0.52f, 0.10f) : vec3(0.08f, 0.20f, 0.68f);
  const bool band = static_cast<int>(std::min(t, 0.999f) * 8.0f) % 2 == 1;
  const vec3 color = sample.beyond != 0.0f ? vec3(0.55f) : band ? 1.6f * half : half;
  return {color, 1.0f};
}

Mesh makeTube() {
  const std::vector<TubeSample> along = samples();
  std::vector<Ring> rings;
  rings.reserve(along.size());
  for (const TubeSample& sample : along)
    rings.push_back(ringAt(sample));
  const vec3 tips[] = {rings.front().center, rings.back().center};
  const vec3 first = glm::normalize(kMiddle - kTubeStart);
  const vec3 last = glm::normalize(kTubeEnd - kMiddle);
  const Shape shape =
      sweep(tips[0] - 0.004f * first, rings, tips[1] + 0.004f * last, kTubeSegments);
  Mesh mesh = toMesh(shape, "curved-tube");
  mesh.skin = 0;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const std::size_t ring = v == 0 ? 0 : std::min((v - 1) / kTubeSegments, along.size() - 1);
    mesh.colors.push_back(colorAt(along[ring]));
    mesh.splineInfluences.append({{Influence{0, 1.0f}}});
    const float t = along[ring].x / glm::half_pi<float>();
    const float second = smoothStep(t - 0.5f, 0.5f);
    const float third = second * smoothStep(t - 0.75f, 0.25f);
    appendWeights(mesh.influences, std::array{1.0f - second, second - third, third});
  }
  return mesh;
}

// By what the middle node turns to straighten the tube.
float bindBend() {
  return glm::degrees(std::acos(
      glm::dot(glm::normalize(kMiddle - kTubeStart), glm::normalize(kTubeEnd - kMiddle))));
}

} // namespace

Model makeCurvedTube() {
  constexpr std::array kJoints = {JointSpec{"Start", "", kTubeStart},
                                  JointSpec{"Middle", "Start", kMiddle},
                                  JointSpec{"End", "Middle", kTubeEnd}};
  Model model = makeSkeleton("curved-tube", kJoints);
  model.splines = {splineOver(model, "Tube", {"Start", "Middle", "End"})};
  model.meshes.push_back(makeTube());
  Material material;
  material.name = "tube";
  material.baseColor = vec4(1.0f);
  material.texture = 0;
  model.textures.push_back(gridTexture(12, 30)); // so that a twist shows
  model.materials.push_back(material);
  const auto clip = [&](std::string_view name, const PoseFunction& pose) {
    model.clips.push_back(bakeClip(model, name, 4.0f, 96, pose));
  };
  const vec3 end = glm::normalize(kTubeEnd - kMiddle);
  clip("straighten", [](float phase, std::span<Transform> local) {
    local[1].rotation = rotationAbout(vec3(0, 0, 1), bindBend() * upAndDown(phase));
  });
  clip("bend", [](float phase, std::span<Transform> local) {
    local[1].rotation = rotationAbout(vec3(0, 0, 1), -50.0f * upAndDown(phase));
  });
  clip("twist", [end](float phase, std::span<Transform> local) {
    local[2].rotation = rotationAbout(end, 180.0f * upAndDown(phase));
  });
  return model;
}

} // namespace sinew
