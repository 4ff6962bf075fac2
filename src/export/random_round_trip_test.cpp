// A random model with damage -> repaired -> .glb -> read -> rig -> every method -> .glb -> read
// again: the same.
#include "animation/random_model.h"
#include "core/test_effort.h"
#include "export/glb.h"
#include "import/import_test_tools.h"
#include "import/model_finish.h"
#include "model/check_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

using namespace sinew;

namespace {

// SINEW_SEEDS, where it is set: docs/testing.md has the result of the longest run.
int seeds() {
  const char* number = std::getenv("SINEW_SEEDS");
  return number != nullptr ? std::atoi(number) : test::rounds(400, 6);
}

// What a damaged file leaves: useless keys, and useless vertices that no triangle has.
void damageModel(Model& model, Random& random) {
  constexpr float kBad[] = {std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::infinity(), 1e38f};
  const float bad = kBad[random.below(3)];
  Mesh& mesh = model.meshes[0];
  mesh.texcoords.assign(mesh.positions.size(), vec2(0.5f));
  mesh.texcoords[random.below(static_cast<std::uint32_t>(mesh.positions.size()))].x = bad;
  const auto nodes = static_cast<std::uint32_t>(model.hierarchy.nodes.size());
  Clip clip{"clip", 2.0f, {}};
  for (std::uint32_t node = 0; node < nodes; ++node) {
    Channel channel{node, {}, {}, {}};
    for (int key = 0; key < 3; ++key) {
      channel.rotation.times.push_back(static_cast<float>(key));
      channel.rotation.values.push_back(randomRotation(random));
    }
    if (random.below(4) == 0) channel.rotation.times[1] = bad;
    if (random.below(4) == 0) channel.rotation.values[0].x = bad;
    clip.channels.push_back(std::move(channel));
  }
  model.clips = {clip};
}

Model writtenAndRead(const Model& model) {
  const test::TempFolder folder;
  return importModel(folder.write("m.glb", toGlb(model)));
}

// Corners of the mesh of that name, in the rig's vertices.
std::vector<std::uint32_t> cornersOfMesh(const Model& model, const Rig& rig,
                                         const std::string& name) {
  std::vector<std::uint32_t> out;
  for (std::size_t m = 0; m < model.meshes.size(); ++m)
    if (model.meshes[m].name == name)
      for (std::uint32_t t = 0; t < rig.meshes[m].triangleCount; ++t)
        for (const std::uint32_t v : rig.triangles[rig.meshes[m].firstTriangle + t])
          out.push_back(v);
  return out;
}

void checkSameSkin(const Model& model, const Model& back, std::uint64_t seed) {
  const Rig before = buildRig(model);
  const Rig after = buildRig(back);
  const Pose pose = sample(model, model.clips[0], 0.7f);
  const Pose again = sample(back, back.clips[0], 0.7f);
  for (const Method& method : methods()) {
    CAPTURE(method.name);
    CAPTURE(seed);
    const SkinnedMesh a = test::pose(model, before, pose, 12, method);
    const SkinnedMesh b = test::pose(back, after, again, 12, method);
    for (const Mesh& mesh : model.meshes) {
      const auto from = cornersOfMesh(model, before, mesh.name);
      const auto to = cornersOfMesh(back, after, mesh.name);
      REQUIRE(from.size() == to.size());
      std::size_t far = 0;
      for (std::size_t c = 0; c < from.size(); ++c) {
        const vec3 p = a.positions[from[c]];
        CHECK(isFinite(p));
        if (!(glm::length(p - b.positions[to[c]]) < 2e-3f)) ++far;
      }
      // Where a method decides by a sign, a rounding may turn it.
      CHECK(far * 50 <= from.size());
    }
  }
}

} // namespace

TEST_CASE("random models survive damage, repair, every method and a .glb") {
  for (int seed = 1, last = seeds(); seed <= last; ++seed) {
    const auto number = static_cast<std::uint64_t>(seed);
    Random random(number);
    Model model = randomModel(number, {.joints = 3 + random.below(12), .vertices = 30});
    if (random.below(2) == 0) addRandomMorphs(model, 2, number);
    damageModel(model, random);
    repairNumbers(model);
    REQUIRE(modelProblem(model).empty());
    // Reading repairs the random surface too (normals, vertices of no triangle): what it made of it
    // is what has to come back.
    const Model read = writtenAndRead(model);
    REQUIRE(modelProblem(read).empty());
    const Model back = writtenAndRead(read);
    REQUIRE(modelProblem(back).empty());
    REQUIRE(back.clips.size() == 1);
    checkSameSkin(read, back, number);
  }
}
