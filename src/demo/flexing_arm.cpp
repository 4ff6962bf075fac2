#include "demo/models.h"
#include "demo/rigging.h"
#include "model/morph_targets.h"

#include <glm/geometric.hpp>

#include <array>
#include <cmath>
#include <functional>

namespace sinew {
namespace {

// 1 at the centre, 0 from the radius on, smooth.
float bump(float distance, float radius) {
  const float t = distance / radius;
  return std::abs(t) < 1.0f ? (1.0f - t * t) * (1.0f - t * t) : 0.0f;
}

struct Muscle {
  const char* name;
  std::function<vec3(const vec3& position, const vec3& normal)> offset; // metres
};

const std::array<Muscle, 4>& muscles() {
  static const std::array<Muscle, 4> kMuscles{{
      {"biceps",
       [](const vec3& p, const vec3& n) {
         return 0.030f * bump(p.x - 0.16f, 0.13f) * std::max(n.y, 0.0f) * vec3(0, 1, 0);
       }},
      {"triceps",
       [](const vec3& p, const vec3& n) {
         return 0.022f * bump(p.x - 0.14f, 0.14f) * std::min(n.y, 0.0f) * vec3(0, 1, 0);
       }},
      {"forearm",
       [](const vec3& p, const vec3& n) { return 0.014f * bump(p.x - 0.40f, 0.10f) * n; }},
      {"reach",
       [](const vec3& p, const vec3& /*n*/) {
         return vec3(0.06f * smoothStep(p.x - 0.66f, 0.10f), 0, 0);
       }},
  }};
  return kMuscles;
}

// The elbow bends, and the muscles with it; the hand reaches out where the arm is straight.
Clip flexClip(const Model& model) {
  constexpr float kSeconds = 4.0f;
  constexpr std::uint32_t kKeys = 48;
  const std::uint32_t elbow = jointNamed(model, "LowerArm");
  Clip clip =
      bakeClip(model, "flex", kSeconds, kKeys, [=](float phase, std::span<Transform> local) {
        local[elbow].rotation = rotationAbout(vec3(0, 0, 1), 120.0f * upAndDown(phase));
      });
  for (std::uint32_t target = 0; target < model.morphTargets.size(); ++target) {
    MorphChannel channel{target, {}};
    for (std::uint32_t key = 0; key <= kKeys; ++key) {
      const float phase = static_cast<float>(key) / kKeys;
      const float bent = upAndDown(key == kKeys ? 0.0f : phase);
      channel.weight.times.push_back(kSeconds * phase);
      channel.weight.values.push_back(target < 3 ? bent : 1.0f - bent);
    }
    clip.morphs.push_back(std::move(channel));
  }
  return clip;
}

} // namespace

Model makeFlexingArm() {
  Model model = makeArm();
  model.name = "flexing-arm";
  Mesh& mesh = model.meshes[0];
  for (const Muscle& muscle : muscles()) {
    std::vector<vec3> offsets;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
      offsets.push_back(muscle.offset(mesh.positions[v], mesh.normals[v]));
    mesh.morphs.push_back(
        sparseOffsets(static_cast<std::uint32_t>(model.morphTargets.size()), offsets, {}));
    model.morphTargets.push_back({muscle.name, 0.0f});
  }
  model.clips.insert(model.clips.begin(), flexClip(model));
  return model;
}

} // namespace sinew
