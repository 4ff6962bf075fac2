#include "demo/models.h"
#include "demo/rigging.h"
#include "model/shapes.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr float kShoulder = 0.0f; // x of the joints
constexpr float kElbow = 0.30f;
constexpr float kWrist = 0.56f;
constexpr float kStart = -0.20f; // x of the surface's ends
constexpr float kEnd = 0.79f;
constexpr std::uint32_t kSegments = 28;
constexpr std::uint32_t kCoarseSegments = 10; // segments of the coarse arm
constexpr int kCoarseRings = 9;

// Half height and half depth of the cross-section over x.
constexpr std::array kHeight = {vec2(-0.20f, 0.0f),   vec2(-0.192f, 0.030f), vec2(-0.17f, 0.056f),
                                vec2(-0.12f, 0.072f), vec2(-0.03f, 0.072f),  vec2(0.05f, 0.064f),
                                vec2(0.15f, 0.056f),  vec2(0.24f, 0.046f),   vec2(0.30f, 0.043f),
                                vec2(0.37f, 0.045f),  vec2(0.47f, 0.034f),   vec2(0.55f, 0.025f),
                                vec2(0.60f, 0.024f),  vec2(0.66f, 0.023f),   vec2(0.74f, 0.017f),
                                vec2(0.775f, 0.011f), vec2(0.786f, 0.006f),  vec2(0.79f, 0.0f)};
constexpr std::array kDepth = {vec2(-0.20f, 0.0f),   vec2(-0.192f, 0.030f), vec2(-0.17f, 0.055f),
                               vec2(-0.12f, 0.070f), vec2(-0.03f, 0.069f),  vec2(0.05f, 0.062f),
                               vec2(0.15f, 0.056f),  vec2(0.24f, 0.047f),   vec2(0.30f, 0.045f),
                               vec2(0.37f, 0.050f),  vec2(0.47f, 0.041f),   vec2(0.55f, 0.032f),
                               vec2(0.60f, 0.042f),  vec2(0.66f, 0.050f),   vec2(0.74f, 0.043f),
                               vec2(0.775f, 0.028f), vec2(0.786f, 0.014f),  vec2(0.79f, 0.0f)};

// Rings are closer together where the skin will bend or curves much.
float ringSpacing(float x) {
  const auto dip = [x](float center, float width) {
    const float d = (x - center) / width;
    return std::exp(-d * d);
  };
  const float dense =
      std::max({dip(kElbow, 0.10f), 0.8f * dip(kShoulder, 0.10f), 0.85f * dip(kWrist, 0.07f),
                dip(kStart, 0.04f), 1.1f * dip(kEnd, 0.05f)});
  return 0.030f - 0.0195f * dense;
}

Ring crossSection(float x) {
  return {vec3(x, 0, 0), vec3(0, curveThrough(kHeight, x), 0), vec3(0, 0, curveThrough(kDepth, x))};
}

std::vector<Ring> crossSections() {
  std::vector<Ring> rings;
  for (float x = kStart + 0.006f; x < kEnd - 0.003f; x += ringSpacing(x))
    rings.push_back(crossSection(x));
  return rings;
}

std::vector<Ring> coarseCrossSections() {
  std::vector<Ring> rings;
  for (int i = 0; i <= kCoarseRings; ++i) {
    const float t = static_cast<float>(i) / kCoarseRings;
    rings.push_back(crossSection(kStart + 0.02f + t * (kEnd - kStart - 0.04f)));
  }
  return rings;
}

// Out of the front edge of the hand, turning towards the fingers.
void growThumb(Shape& shape, std::span<const Ring> rings) {
  std::uint32_t first = 0;
  while (rings[first].center.x < kWrist + 0.015f)
    ++first;
  const Patch patch = {.tubeSegments = kSegments,
                       .firstRing = first,
                       .rings = 2,
                       .firstSegment = kSegments / 4 - 2,
                       .segments = 4};
  const vec3 root = 0.5f * (rings[first].center + rings[first + 2].center) +
                    vec3(0, -0.004f, rings[first + 1].v.z - 0.003f);
  std::vector<Ring> loops;
  constexpr int kLoops = 8;
  for (int i = 1; i <= kLoops; ++i) {
    const float t = static_cast<float>(i) / kLoops;
    // The thumb's direction turns from straight out (+Z) towards the fingers (+X).
    const float angle = glm::radians(28.0f + 20.0f * t);
    const vec3 along(std::sin(angle), -0.12f * t, std::cos(angle));
    const vec3 across = glm::normalize(glm::cross(vec3(0, 1, 0), along));
    const float radius = 0.0175f * (1.0f - 0.32f * t * t);
    loops.push_back({root + 0.070f * t * along, vec3(0, -radius, 0), across * radius});
  }
  growLimb(shape, patch, loops, 0.014f);
}

Clip elbowClip(const Model& model, std::string_view name, float bend, float twist) {
  const std::uint32_t elbow = jointNamed(model, "LowerArm");
  return bakeClip(model, name, 4.0f, 96, [=](float phase, std::span<Transform> local) {
    const float part = upAndDown(phase);
    local[elbow].rotation =
        rotationAbout(vec3(0, 0, 1), bend * part) * rotationAbout(vec3(1, 0, 0), twist * part);
  });
}

std::vector<Clip> makeClips(const Model& model) {
  const std::uint32_t shoulder = jointNamed(model, "UpperArm");
  std::vector<Clip> clips;
  clips.push_back(elbowClip(model, "elbow-bend", 135.0f, 0.0f));
  clips.push_back(elbowClip(model, "elbow-twist", 0.0f, 180.0f));
  clips.push_back(
      bakeClip(model, "shoulder-twist", 4.0f, 96, [=](float phase, std::span<Transform> local) {
        local[shoulder].rotation = rotationAbout(vec3(1, 0, 0), 90 * upAndDown(phase));
      }));
  clips.push_back(elbowClip(model, "bend-and-twist", 90.0f, 135.0f));
  return clips;
}

Model buildArm(const Shape& shape) {
  constexpr std::array kJoints = {JointSpec{"Body", "", {-0.15f, 0, 0}},
                                  JointSpec{"UpperArm", "Body", {kShoulder, 0, 0}},
                                  JointSpec{"LowerArm", "UpperArm", {kElbow, 0, 0}},
                                  JointSpec{"Hand", "LowerArm", {kWrist, 0, 0}}};
  Model model = makeSkeleton("arm", kJoints);

  Mesh mesh = toMesh(shape, "arm");
  mesh.skin = 0;
  for (const vec3& p : mesh.positions) {
    const float shoulder = smoothStep(p.x - kShoulder, 0.07f);
    const float elbow = smoothStep(p.x - kElbow, 0.05f);
    const float wrist = smoothStep(p.x - kWrist, 0.035f);
    appendWeights(mesh.influences,
                  std::array{1.0f - shoulder, shoulder - elbow, elbow - wrist, wrist});
  }
  model.meshes.push_back(std::move(mesh));

  Material material;
  material.name = "skin";
  material.baseColor = {0.80f, 0.50f, 0.36f, 1.0f};
  material.texture = 0;
  model.materials.push_back(material);
  model.textures.push_back(gridTexture(6, 36));
  model.clips = makeClips(model);
  return model;
}

} // namespace

Model makeArm() {
  const std::vector<Ring> rings = crossSections();
  Shape shape = sweep(vec3(kStart, 0, 0), rings, vec3(kEnd, 0, 0), kSegments);
  growThumb(shape, rings);
  return buildArm(shape);
}

Model makeCoarseArm() {
  return buildArm(
      sweep(vec3(kStart, 0, 0), coarseCrossSections(), vec3(kEnd, 0, 0), kCoarseSegments));
}

} // namespace sinew
