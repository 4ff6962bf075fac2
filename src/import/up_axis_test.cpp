#include "animation/pose.h"
#include "demo/demo.h"
#include "import/up_axis.h"
#include "model/rotate_model.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/quaternion.hpp>

using namespace sinew;

namespace {

const quat kOnItsBack = glm::angleAxis(glm::half_pi<float>(), vec3(1, 0, 0));

Model lying(Model model) {
  rotateModel(model, kOnItsBack);
  return model;
}

// A skeleton with its clips, as a BVH file has it.
Model bones(Model model) {
  model.meshes.clear();
  model.skins.clear();
  return model;
}

vec3 headOf(const Model& model) {
  return vec3(modelFromNodes(model.hierarchy, restPose(model.hierarchy))
                  .at(findNode(model.hierarchy, "Head").value())[3]);
}

} // namespace

TEST_CASE("a body that stands along Z is turned to Y, by its skin, its clips or its rest pose") {
  const Model humanoid = findDemo("humanoid").make();
  Model still = bones(humanoid);
  still.clips.clear();
  for (const Model& upright : {humanoid, bones(humanoid), still}) {
    CHECK_FALSE(standsAlongZ(upright));
    CHECK(standsAlongZ(lying(upright)));
    Model model = lying(upright);
    rotateUpright(SourceKind::x, UpAxis::automatic, model);
    CHECK(glm::distance(headOf(model), headOf(upright)) < 1e-5f);
    REQUIRE_FALSE(model.warnings.empty());
    CHECK(model.warnings.back().find("--up y") != std::string::npos);
  }
}

TEST_CASE("axes that are stated, asked for, or not known by names stay as they are") {
  const Model humanoid = findDemo("humanoid").make();
  const vec3 lies = headOf(lying(humanoid));
  for (const SourceKind kind : {SourceKind::gltf, SourceKind::fbx, SourceKind::collada}) {
    Model model = lying(humanoid);
    rotateUpright(kind, UpAxis::automatic, model);
    CHECK(headOf(model) == lies);
    rotateUpright(kind, UpAxis::z, model);
    CHECK(glm::distance(headOf(model), headOf(humanoid)) < 1e-5f);
  }
  Model same = lying(humanoid);
  rotateUpright(SourceKind::x, UpAxis::y, same);
  CHECK(headOf(same) == lies);
  CHECK(same.warnings.size() == humanoid.warnings.size());
  CHECK_FALSE(standsAlongZ(lying(findDemo("tentacle").make())));
}
