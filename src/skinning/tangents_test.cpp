// Skinned tangents against how the reference moves what lies beside a vertex.
#include "animation/random_model.h"
#include "skinning/methods.h"
#include "skinning/rebind.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

// With a tangent across the normal at every vertex.
Rig withTangents(Rig rig, std::uint64_t seed) {
  Random random(seed);
  for (const vec3& normal : rig.normals) {
    vec3 tangent = glm::cross(normal, randomDirection(random));
    while (glm::length(tangent) < 0.1f)
      tangent = glm::cross(normal, randomDirection(random));
    rig.tangents.emplace_back(glm::normalize(tangent), random.below(2) == 0 ? 1.0f : -1.0f);
  }
  return rig;
}

// Every vertex a little further along its tangent and bound as before: a morph target does that.
MorphedVertices shifted(const Rig& rig, float step) {
  MorphedVertices out;
  out.weights = {step};
  out.normals = rig.normals;
  for (std::uint32_t v = 0; v < rig.positions.size(); ++v) {
    out.positions.push_back(rig.positions[v] + step * vec3(rig.tangents[v]));
    out.vertices.push_back(v);
  }
  return out;
}

SkinnedMesh skinnedAt(const Method& method, const Rig& rig, const Binding& binding,
                      const Palette& palette, float step) {
  const MorphedVertices morphed = shifted(rig, step);
  std::optional<MorphedBinding> cached;
  const Binding& moved = morphBinding(method, rig, binding, morphed, cached);
  SkinnedMesh out;
  method.skin(BindVertices(rig, morphed), moved, palette, out);
  return out;
}

// A vertex of several attachments has the mean of unit tangents, as it has of normals; by one
// attachment, and by blended matrices, the tangent is the derivative itself.
void checkDerivative(const Method& method, const BindOptions& options, bool stretch,
                     std::uint64_t seed) {
  CAPTURE(method.name);
  CAPTURE(stretch);
  CAPTURE(seed);
  const RandomModelOptions of{.joints = 12, .vertices = 150, .nonUniformScale = stretch};
  const Model model = randomModel(seed, of);
  const Rig rig = withTangents(buildRig(model), seed);
  const Binding binding = method.bind(rig, options);
  Palette palette;
  packPalette(method, rig, binding,
              modelFromNodes(model.hierarchy, randomPose(model, seed + 100, of)), palette);
  const std::vector<vec4> tangents = method.skinTangents(rig, binding, palette);
  REQUIRE(tangents.size() == rig.positions.size());
  constexpr float kStep = 0.02f; // the motion is linear in it
  const SkinnedMesh ahead = skinnedAt(method, rig, binding, palette, kStep);
  const SkinnedMesh behind = skinnedAt(method, rig, binding, palette, -kStep);
  std::size_t compared = 0;
  for (std::size_t v = 0; v < tangents.size(); ++v) {
    const vec3 way = ahead.positions[v] - behind.positions[v];
    if (glm::length(way) < 0.2f * 2.0f * kStep) continue; // mostly rounding
    ++compared;
    CHECK(glm::length(glm::normalize(way) - vec3(tangents[v])) < 2e-3f);
    CHECK(std::abs(tangents[v].w) == 1.0f);
  }
  CHECK(compared > tangents.size() / 2);
}

} // namespace

TEST_CASE("a skinned tangent is how the skin beside a vertex moves, under every method") {
  for (const char* name : {"rigid", "lbs", "bones-blending", "arc-spline", "bezier-spline"})
    for (const bool stretch : {false, true})
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const Method& method = findMethod(name);
        BindOptions options;
        if (method.usesZones) options.parameters = {0, 1}; // by weights, one attachment
        checkDerivative(method, options, stretch, seed);
      }
  // Without stretches these blend rotations alone.
  for (const char* name : {"dqs", "cor", "stbs", "ddm"})
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
      checkDerivative(findMethod(name), {}, false, seed);
}

TEST_CASE("a mirrored model has its bitangents on the other side") {
  const Model model = randomModel(4);
  const Rig rig = withTangents(buildRig(model), 4);
  Pose pose = randomPose(model, 5);
  for (const Method& method : methods()) {
    CAPTURE(method.name);
    if (method.skinTangents == nullptr) continue;
    const Binding binding = method.bind(rig, {});
    const auto sides = [&](const vec3& scale) {
      Pose scaled = pose;
      scaled.parentFromNode[0].scale = scale;
      Palette palette;
      packPalette(method, rig, binding, modelFromNodes(model.hierarchy, scaled), palette);
      return method.skinTangents(rig, binding, palette);
    };
    const std::vector<vec4> plain = sides(vec3(1));
    const std::vector<vec4> mirrored = sides(vec3(-1, 1, 1));
    std::size_t same = 0;
    std::size_t turned = 0;
    for (std::size_t v = 0; v < plain.size(); ++v) {
      same += plain[v].w == rig.tangents[v].w ? 1 : 0;
      turned += mirrored[v].w == -plain[v].w ? 1 : 0;
    }
    CHECK(20 * same >= 19 * plain.size()); // linear blending turns some skin inside out
    CHECK(turned == plain.size());
  }
}
