#include "bake/baked_model.h"

#include "animation/drivers/driver_set.h"
#include "animation/sample.h"
#include "app/corrective.h"
#include "bake/clip_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr int kKeyLevels = 2;    // how often the steps between keys may be halved
constexpr double kLittle = 0.25; // share of the tolerance

std::uint32_t jointInSkin(const Skin& skin, std::uint32_t node) {
  const auto found = std::find_if(skin.joints.begin(), skin.joints.end(),
                                  [&](const SkinJoint& joint) { return joint.node == node; });
  return static_cast<std::uint32_t>(found - skin.joints.begin());
}

// JOINT_shape1 and so on, which no morph target has.
std::string freeTargetName(const Model& model, std::span<const CorrectiveShape> shapes,
                           const std::string& joint) {
  const auto isTaken = [&](const std::string& name) {
    return std::any_of(model.morphTargets.begin(), model.morphTargets.end(),
                       [&](const MorphTarget& target) { return target.name == name; }) ||
           std::any_of(shapes.begin(), shapes.end(),
                       [&](const CorrectiveShape& shape) { return shape.name == name; });
  };
  for (std::size_t number = 1;; ++number)
    if (std::string name = fmt::format("{}_shape{}", joint, number); !isTaken(name)) return name;
}

// Nodes and skin joints; returns the node of each helper.
std::vector<std::uint32_t> addNodes(const BakeProblem& problem, Model& model) {
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint32_t> counts(model.hierarchy.nodes.size(), 0);
  for (const BakeHelper& helper : problem.helpers) {
    Node node;
    const std::string& helped = model.hierarchy.nodes[helper.node].name;
    node.name = freeNodeName(model.hierarchy,
                             fmt::format("{}{}{}", helped, kHelperSuffix, ++counts[helper.node]));
    node.parent = helper.parent;
    node.rest = helper.bind;
    nodes.push_back(static_cast<std::uint32_t>(model.hierarchy.nodes.size()));
    mat4 helperFromJoint(1.0f);
    helperFromJoint[3] = vec4(-helper.center, 1.0f);
    for (Skin& skin : model.skins) {
      const std::uint32_t joint = jointInSkin(skin, helper.node);
      if (joint < skin.joints.size())
        skin.joints.push_back({nodes.back(), helperFromJoint * skin.joints[joint].jointFromBind});
    }
    model.hierarchy.nodes.push_back(std::move(node));
  }
  return nodes;
}

// The node that moves each bone.
std::vector<std::uint32_t> nodesOfBones(const BakeProblem& problem,
                                        const std::vector<std::uint32_t>& helperNodes) {
  std::vector<std::uint32_t> out;
  out.reserve(problem.bones.size());
  for (const BakeBone& bone : problem.bones)
    out.push_back(bone.helper == kNoHelper ? problem.workbench->rig.joints[bone.joint].node
                                           : helperNodes[bone.helper]);
  return out;
}

// Morph targets of the corrective shapes; returns the first.
std::uint32_t addMorphTargets(const BakeProblem& problem, Model& model) {
  const auto first = static_cast<std::uint32_t>(model.morphTargets.size());
  const Rig& rig = problem.workbench->rig;
  std::vector<CorrectiveShape> shapes;
  for (const BakeMorph& morph : problem.morphs) {
    std::vector<vec3> offsets(rig.positions.size(), vec3(0.0f));
    for (std::size_t i = 0; i < morph.places.size(); ++i)
      for (const std::uint32_t v : problem.verticesByPlace[morph.places[i]])
        offsets[v] = morph.offsets[i];
    const std::string& joint = problem.workbench->model.hierarchy.nodes[morph.node].name;
    shapes.push_back(makeCorrectiveShape(rig, freeTargetName(model, shapes, joint), offsets, 0.0f));
  }
  addShapes(model, shapes);
  return first;
}

// The moments between keys at which the motion misses what it meets at the keys.
std::vector<float> missed(const MotionErrors& errors, double tolerance) {
  std::vector<float> out;
  for (std::size_t i = 0; i < errors.midpoints.size(); ++i)
    if (errors.atMidpoints[i] > tolerance &&
        (errors.atMidpoints[i] > errors.atKeys[i] || errors.excesses[i] > kLittle * tolerance))
      out.push_back(errors.midpoints[i]);
  return out;
}

// Adds the clip with the motion of helpers and shapes, and returns its errors.
BakedClipErrors bakeClip(const BakeProblem& problem, std::uint32_t index,
                         const std::vector<std::uint32_t>& nodes, std::uint32_t firstTarget,
                         std::vector<float> times, double tolerance, ProgressMeter& meter,
                         Model& model) {
  const Clip& source = problem.workbench->model.clips[index];
  for (int level = 0;; ++level) {
    const ClipMotion motion = fitMotion(problem, index, times, meter);
    Clip clip = source;
    addMotion(motion, model, nodes, firstTarget, clip);
    clip.twists.clear();
    MotionErrors errors = measureMotion(problem, model, index, clip, times);
    const std::vector<float> more = missed(errors, tolerance);
    if (more.empty() || level == kKeyLevels) {
      model.clips.push_back(std::move(clip));
      return {source.name,
              times.size(),
              std::move(errors.keys),
              std::move(errors.between),
              std::move(errors.linear),
              errors.excess,
              std::move(errors.excessAt)};
    }
    times.insert(times.end(), more.begin(), more.end());
    std::sort(times.begin(), times.end());
  }
}

} // namespace

std::vector<Pose> bakedPoses(const BakeShapes& shapes, const Model& source, const Model& baked) {
  std::vector<Pose> out = shapes.poses;
  for (std::size_t pose = 0; pose < out.size(); ++pose) {
    const std::vector<Transform>& helpers = shapes.helpers[pose];
    std::vector<Transform>& locals = out[pose].parentFromNode;
    locals.insert(locals.end(), helpers.begin(), helpers.end());
    if (!out[pose].twists.empty()) out[pose].twists.resize(baked.hierarchy.nodes.size(), 0.0f);
    MorphWeights& weights = out[pose].morphWeights;
    weights = getMorphWeights(source, out[pose]);
    if (!shapes.morphWeights.empty())
      weights.insert(weights.end(), shapes.morphWeights[pose].begin(),
                     shapes.morphWeights[pose].end());
  }
  return out;
}

BakedClips bakedModel(const BakeResult& result, const std::vector<std::uint32_t>& clips,
                      double framesPerSecond, double tolerance, const Progress& progress) {
  const BakeProblem& problem = result.problem;
  const Model& source = problem.workbench->model;
  BakedClips out;
  out.sources = clips;
  out.model = source;
  Model& model = out.model;
  model.skinnedBy.clear(); // helpers are for linear blending
  for (Mesh& mesh : model.meshes)
    mesh.dualQuaternionShares.clear();
  const std::vector<std::uint32_t> nodes = addNodes(problem, model);
  writeWeights(problem, nodesOfBones(problem, nodes), model);
  for (Mesh& mesh : model.meshes)
    if (mesh.skin) mesh.splineInfluences = {};
  model.splines.clear();
  model.clips.clear();

  BakeShapes rest = shapesIn(problem, {restPose(source)}, {"rest pose"});
  fitFreshly(problem, rest);
  for (std::size_t h = 0; h < nodes.size(); ++h)
    model.hierarchy.nodes[nodes[h]].rest = rest.helpers[0][h];
  const std::uint32_t firstTarget = addMorphTargets(problem, model);
  for (std::size_t k = 0; k < problem.morphs.size(); ++k)
    model.morphTargets[firstTarget + k].weight = rest.morphWeights[0][k];

  ProgressMeter meter(progress);
  ErrorSum whole;
  for (const std::uint32_t index : clips) {
    const Clip& clip = source.clips[index];
    std::vector<float> times = motionTimes(clip, framesPerSecond);
    meter.startStage("clip " + clip.name,
                     static_cast<float>(model.clips.size() + 1) / static_cast<float>(clips.size()),
                     times.size() / kMotionTimesAtOnce + 1);
    BakedClipErrors errors =
        bakeClip(problem, index, nodes, firstTarget, std::move(times), tolerance, meter, model);
    whole.add(errors.atKeys, errors.keys);
    whole.add(errors.between, std::max<std::size_t>(errors.keys, 2) - 1);
    out.clips.push_back(std::move(errors));
  }
  out.error = whole.result();
  return out;
}

} // namespace sinew
