#include "animation/random_model.h"
#include "core/test_effort.h"
#include "skinning/inverse_skinning.h"
#include "skinning/methods.h"
#include "skinning/rebind.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>

using namespace sinew;

namespace {

// The mesh of a method with its bound data, in one random pose.
struct SculptScene {
  Model model;
  Rig rig;
  Binding binding;
  Palette palette;
};

SculptScene sculptScene(const Method& method, std::uint64_t seed) {
  SculptScene scene;
  scene.model = randomModel(seed, {.joints = 8, .vertices = 120});
  addRandomMorphs(scene.model, 2, seed);
  scene.rig = buildRig(scene.model);
  scene.binding = method.bind(scene.rig, {});
  const Pose pose = blend(restPose(scene.model), randomPose(scene.model, seed), 0.4f);
  packPalette(method, scene.rig, scene.binding, modelFromNodes(scene.model.hierarchy, pose),
              scene.palette);
  return scene;
}

} // namespace

TEST_CASE("inverse skinning: offsets bring every method's vertices back to a sculpt") {
  for (const Method& method : methods())
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(test::rounds(6, 2)); ++seed) {
      CAPTURE(method.name);
      CAPTURE(seed);
      SculptScene scene = sculptScene(method, seed);
      const MorphWeights weights = randomWeights(scene.model, seed);
      SkinnedMesh posed;
      skinMorphed(method, scene.rig, scene.binding, scene.palette, weights, posed);
      Random random(seed);
      std::vector<vec3> sculpt = posed.positions;
      for (vec3& place : sculpt)
        place += 0.05f * random.uniform() * randomDirection(random);
      const InverseSkinning inverse =
          invertSkinning(method, scene.rig, scene.binding, scene.palette, weights, sculpt);
      // The offsets as a further morph target, added to the others.
      const auto target = static_cast<std::uint32_t>(scene.model.morphTargets.size());
      scene.model.morphTargets.push_back({"fix", 0.0f});
      for (std::size_t m = 0; m < scene.rig.meshes.size(); ++m) {
        const RigMesh& mesh = scene.rig.meshes[m];
        MorphOffsets offsets{target, {}, {}, {}};
        for (std::uint32_t v = 0; v < mesh.vertexCount; ++v) {
          offsets.vertices.push_back(v);
          offsets.positions.push_back(inverse.offsets[mesh.firstVertex + v]);
        }
        scene.model.meshes[m].morphs.push_back(std::move(offsets));
      }
      const Rig corrected = buildRig(scene.model);
      MorphWeights with = weights;
      with.push_back(1.0f);
      skinMorphed(method, corrected, scene.binding, scene.palette, with, posed);
      std::size_t far = 0;
      for (std::size_t v = 0; v < sculpt.size(); ++v)
        if (glm::distance(posed.positions[v], sculpt[v]) > 1e-4f) ++far;
      CHECK(far <= inverse.missed);
      // Random weights over random joints flatten some vertices; most are not.
      CHECK(inverse.missed <= sculpt.size() / 20);
    }
}

TEST_CASE("inverse skinning: where a pose has no scale the sculpt is met to rounding") {
  for (const char* name : {"lbs", "dqs", "bones-blending", "arc-spline"}) {
    CAPTURE(name);
    const Method& method = findMethod(name);
    SculptScene scene = sculptScene(method, 5);
    packPalette(method, scene.rig, scene.binding,
                modelFromNodes(scene.model.hierarchy, restPose(scene.model)), scene.palette);
    SkinnedMesh posed;
    method.skin(scene.rig, scene.binding, scene.palette, posed);
    std::vector<vec3> sculpt = posed.positions;
    for (vec3& place : sculpt)
      place += vec3(0.01f, -0.02f, 0.03f);
    const InverseSkinning inverse = invertSkinning(method, scene.rig, scene.binding, scene.palette,
                                                   restWeights(scene.model), sculpt);
    CHECK(inverse.missed == 0);
    CHECK(inverse.largestError < 1e-5f);
  }
}
