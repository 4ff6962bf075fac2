#include "bake/baked_model.h"

#include "animation/drivers/driver_set.h"
#include "animation/sample.h"
#include "app/corrective.h"
#include "bake/place_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr std::size_t kFramesAtOnce = 64;  // whose shapes are held in memory
constexpr std::size_t kMaxFrames = 100000; // of a clip

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
    node.name =
        freeNodeName(model.hierarchy, fmt::format("{}_helper{}", helped, ++counts[helper.node]));
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

void setWeights(const BakeProblem& problem, const std::vector<std::uint32_t>& helperNodes,
                Model& model) {
  const Rig& rig = problem.bench->rig;
  for (std::size_t m = 0; m < model.meshes.size(); ++m) {
    Mesh& mesh = model.meshes[m];
    if (!mesh.skin) continue;
    const Skin& skin = model.skins[*mesh.skin];
    Influences out;
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
      const PlaceWeights& weights = problem.weights[problem.placeOf[rig.meshes[m].firstVertex + v]];
      for (std::uint32_t i = 0; i < weights.count; ++i) {
        const BakeBone& bone = problem.bones[weights.bones[i]];
        const std::uint32_t node =
            bone.helper == kNoHelper ? rig.joints[bone.joint].node : helperNodes[bone.helper];
        out.values.push_back({jointInSkin(skin, node), weights.weights[i]});
      }
      out.endList();
    }
    mesh.influences = std::move(out);
    mesh.splineInfluences = {};
  }
  model.splines.clear();
}

// Morph targets of the corrective shapes; returns the first.
std::uint32_t addMorphTargets(const BakeProblem& problem, Model& model) {
  const auto first = static_cast<std::uint32_t>(model.morphTargets.size());
  const Rig& rig = problem.bench->rig;
  std::vector<CorrectiveShape> shapes;
  for (const BakeMorph& morph : problem.morphs) {
    std::vector<vec3> offsets(rig.positions.size(), vec3(0.0f));
    for (std::size_t i = 0; i < morph.places.size(); ++i)
      for (const std::uint32_t v : problem.verticesOf[morph.places[i]])
        offsets[v] = morph.offsets[i];
    const std::string& joint = problem.bench->model.hierarchy.nodes[morph.node].name;
    shapes.push_back(shapeOf(rig, freeTargetName(model, shapes, joint), offsets, 0.0f));
  }
  addShapes(model, shapes);
  return first;
}

// Keys of a helper; of its scale only where that changes.
void addKeys(const Node& node, std::uint32_t index, const std::vector<float>& times,
             const std::vector<Transform>& locals, Clip& clip) {
  Channel channel{index, {}, {}, {}};
  for (std::size_t i = 0; i < times.size(); ++i) {
    quat rotation = locals[i].rotation;
    if (i > 0 && glm::dot(channel.rotation.values.back(), rotation) < 0.0f) rotation = -rotation;
    channel.translation.values.push_back(locals[i].translation);
    channel.rotation.values.push_back(rotation);
    channel.scale.values.push_back(locals[i].scale);
  }
  channel.translation.times = channel.rotation.times = channel.scale.times = times;
  const auto& scales = channel.scale.values;
  if (std::all_of(scales.begin(), scales.end(),
                  [&](const vec3& scale) { return scale == node.rest.scale; }))
    channel.scale = {};
  const auto isRest = [&](const Transform& local) { return local == node.rest; };
  if (!std::all_of(locals.begin(), locals.end(), isRest))
    clip.channels.push_back(std::move(channel));
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
    weights = morphWeightsOf(source, out[pose]);
    if (!shapes.morphWeights.empty())
      weights.insert(weights.end(), shapes.morphWeights[pose].begin(),
                     shapes.morphWeights[pose].end());
  }
  return out;
}

BakedClips bakedModel(const BakeResult& result, const std::vector<std::uint32_t>& clips,
                      double framesPerSecond, const Progress& progress) {
  const BakeProblem& problem = result.problem;
  const Model& source = problem.bench->model;
  BakedClips out;
  out.model = source;
  Model& model = out.model;
  const std::vector<std::uint32_t> nodes = addNodes(problem, model);
  setWeights(problem, nodes, model);
  model.clips.clear();

  BakeShapes rest = shapesIn(problem, {restPose(source)}, {"rest pose"});
  fitFreshly(problem, rest);
  for (std::size_t h = 0; h < nodes.size(); ++h)
    model.hierarchy.nodes[nodes[h]].rest = rest.helpers[0][h];
  const std::uint32_t firstTarget = addMorphTargets(problem, model);
  for (std::size_t k = 0; k < problem.morphs.size(); ++k)
    model.morphTargets[firstTarget + k].weight = rest.morphWeights[0][k];

  ProgressMeter meter(progress);
  double sum = 0.0, count = 0.0;
  for (const std::uint32_t index : clips) {
    Clip clip = source.clips[index];
    const double seconds = static_cast<double>(clip.seconds);
    const auto frames = static_cast<std::size_t>(std::clamp(
        std::ceil(seconds * framesPerSecond - 1e-6), 1.0, static_cast<double>(kMaxFrames)));
    meter.startStage("clip " + clip.name,
                     static_cast<float>(model.clips.size() + 1) / static_cast<float>(clips.size()),
                     frames / kFramesAtOnce + 1);
    std::vector<float> times;
    for (std::size_t i = 0; i <= frames; ++i)
      times.push_back(
          static_cast<float>(std::min(seconds, static_cast<double>(i) / framesPerSecond)));
    if (times.size() > 1 && !(times.back() > times[times.size() - 2])) times.pop_back();
    std::vector<std::vector<Transform>> locals(nodes.size());
    std::vector<std::vector<float>> weights(problem.morphs.size());
    for (std::size_t first = 0; first < times.size(); first += kFramesAtOnce) {
      const std::size_t last = std::min(first + kFramesAtOnce, times.size());
      std::vector<Pose> poses;
      std::vector<std::string> names;
      for (std::size_t i = first; i < last; ++i) {
        poses.push_back(sample(source, source.clips[index], times[i]));
        replaceNonFinite(source.hierarchy, poses.back());
        names.push_back(fmt::format("clip {}, {:.3f} s", clip.name, static_cast<double>(times[i])));
      }
      BakeShapes shapes = shapesIn(problem, std::move(poses), std::move(names));
      fitFreshly(problem, shapes);
      for (std::size_t h = 0; h < nodes.size(); ++h)
        for (const std::vector<Transform>& each : shapes.helpers)
          locals[h].push_back(each[h]);
      for (std::size_t k = 0; k < weights.size(); ++k)
        for (const std::vector<float>& each : shapes.morphWeights)
          weights[k].push_back(each[k]);
      const std::vector<float> errors = errorsOf(problem, shapes);
      BakeError error = summaryOf(problem, shapes, errors);
      sum += error.mean * static_cast<double>(errors.size());
      count += static_cast<double>(errors.size());
      const double p999 = std::max(out.error.p999, error.p999);
      if (error.largest >= out.error.largest) out.error = std::move(error);
      out.error.p999 = p999;
      meter.piece();
    }
    for (std::size_t h = 0; h < nodes.size(); ++h)
      addKeys(model.hierarchy.nodes[nodes[h]], nodes[h], times, locals[h], clip);
    for (std::uint32_t k = 0; k < weights.size(); ++k)
      clip.morphs.push_back({firstTarget + k, {times, std::move(weights[k])}});
    clip.twists.clear();
    model.clips.push_back(std::move(clip));
  }
  if (count > 0.0) out.error.mean = sum / count;
  return out;
}

} // namespace sinew
