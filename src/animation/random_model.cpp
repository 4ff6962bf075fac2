#include "animation/random_model.h"

#include "animation/pose.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace sinew {
namespace {

vec3 randomPoint(Random& random, float reach) {
  return {random.uniform(-reach, reach), random.uniform(-reach, reach),
          random.uniform(-reach, reach)};
}

Hierarchy randomHierarchy(Random& random, std::uint32_t joints) {
  Hierarchy hierarchy;
  hierarchy.nodes.push_back({"root", kNoNode, {}});
  for (std::uint32_t i = 0; i < joints; ++i) {
    Node node;
    node.name = "joint" + std::to_string(i);
    // Mostly chains, some branches.
    node.parent = random.uniform() < 0.7f ? i : random.below(i + 1);
    node.rest.translation = randomPoint(random, 0.3f);
    node.rest.rotation = randomRotation(random);
    hierarchy.nodes.push_back(node);
  }
  return hierarchy;
}

// Distinct joints with falling weights that sum to 1.
std::vector<Influence> randomInfluences(Random& random, std::uint32_t joints, std::uint32_t max) {
  const std::uint32_t count = 1 + random.below(std::min(max, joints));
  std::set<std::uint32_t> chosen;
  while (chosen.size() < count)
    chosen.insert(random.below(joints));
  std::vector<Influence> influences;
  float sum = 0.0f;
  for (const std::uint32_t joint : chosen) {
    influences.push_back({joint, random.uniform(0.01f, 1.0f)});
    sum += influences.back().weight;
  }
  for (Influence& influence : influences)
    influence.weight /= sum;
  std::sort(influences.begin(), influences.end(),
            [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  return influences;
}

Mesh randomMesh(Random& random, std::uint32_t vertices) {
  Mesh mesh;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    mesh.positions.push_back(randomPoint(random, 0.5f));
    mesh.normals.push_back(randomDirection(random));
    mesh.texcoords.emplace_back(random.uniform(), random.uniform());
  }
  for (std::uint32_t v = 0; v + 2 < vertices; ++v)
    mesh.triangles.push_back({v, v + 1, v + 2});
  return mesh;
}

} // namespace

quat randomRotation(Random& random) {
  // Uniform over all rotations (Shoemake 1992).
  const float u = random.uniform();
  const float a = random.uniform(0.0f, 6.2831853f);
  const float b = random.uniform(0.0f, 6.2831853f);
  return {std::sqrt(u) * std::cos(b), std::sqrt(1.0f - u) * std::sin(a),
          std::sqrt(1.0f - u) * std::cos(a), std::sqrt(u) * std::sin(b)};
}

Model randomModel(std::uint64_t seed, const RandomModelOptions& options) {
  Random random(seed);
  Model model;
  model.name = "random " + std::to_string(seed);
  model.format = "generated";
  model.hierarchy = randomHierarchy(random, options.joints);
  model.materials.emplace_back();

  const std::vector<mat4> bindFromNode = modelFromNodes(model.hierarchy, restPose(model.hierarchy));
  Skin skin;
  for (std::uint32_t i = 0; i < options.joints; ++i)
    skin.joints.push_back({i + 1, glm::inverse(bindFromNode[i + 1])});
  model.skins.push_back(skin);

  Mesh skinned = randomMesh(random, options.vertices);
  skinned.name = "skinned";
  skinned.skin = 0;
  for (std::uint32_t v = 0; v < options.vertices; ++v)
    skinned.influences.append(randomInfluences(random, options.joints, options.influences));
  model.meshes.push_back(std::move(skinned));

  if (options.rigidMesh) {
    Mesh rigid = randomMesh(random, 12);
    rigid.name = "rigid";
    rigid.node = 1 + random.below(options.joints);
    model.meshes.push_back(std::move(rigid));
  }
  return model;
}

void addRandomMorphs(Model& model, std::uint32_t targets, std::uint64_t seed) {
  Random random(seed ^ 0x304f);
  for (std::uint32_t i = 0; i < targets; ++i) {
    const auto target = static_cast<std::uint32_t>(model.morphTargets.size());
    model.morphTargets.push_back({"target " + std::to_string(target), 0.0f});
    for (Mesh& mesh : model.meshes) {
      MorphOffsets morph{target, {}, {}, {}};
      for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
        if (random.uniform() > 0.33f) continue;
        morph.vertices.push_back(v);
        morph.positions.push_back(randomPoint(random, 0.05f));
        if (i % 2 == 0) morph.normals.push_back(randomPoint(random, 0.2f));
      }
      if (!morph.vertices.empty()) mesh.morphs.push_back(std::move(morph));
    }
  }
}

MorphWeights randomWeights(const Model& model, std::uint64_t seed) {
  Random random(seed ^ 0x77e1);
  MorphWeights weights;
  for (std::size_t i = 0; i < model.morphTargets.size(); ++i)
    weights.push_back(random.uniform() < 0.2f ? 0.0f : random.uniform(-0.5f, 1.5f));
  return weights;
}

Pose randomPose(const Model& model, std::uint64_t seed, const RandomModelOptions& options) {
  Random random(seed ^ 0x5eed);
  Pose pose = restPose(model.hierarchy);
  pose.parentFromNode[0].translation += randomPoint(random, 0.2f);
  for (Transform& t : pose.parentFromNode) {
    t.rotation = randomRotation(random);
    if (!options.nonUniformScale || random.uniform() < 0.5f) continue;
    t.scale =
        vec3(random.uniform(0.8f, 1.25f), random.uniform(0.8f, 1.25f), random.uniform(0.8f, 1.25f));
    if (random.uniform() < 0.1f) t.scale.x = -t.scale.x;
  }
  return pose;
}

} // namespace sinew
