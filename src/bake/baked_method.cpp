#include "bake/baked_method.h"

#include "core/affine.h"
#include "core/error.h"
#include "skinning/methods.h"
#include "skinning/shown_model.h"

#include <utility>

namespace sinew {
namespace {

ShownModel::Pose bakedPose(const BakedSkin& skin, const PoseView& pose) {
  const BakeProblem& problem = skin.outcome->result.problem;
  BakeShapes shapes = shapeAt(problem, pose);
  fitFreshly(problem, shapes);
  ShownModel::Pose out{{pose.modelFromNode.begin(), pose.modelFromNode.end()},
                       {pose.morphWeights.begin(), pose.morphWeights.end()}};
  for (std::size_t h = 0; h < problem.helpers.size(); ++h)
    out.modelFromNode.push_back(affineProduct(out.modelFromNode[problem.helpers[h].parent],
                                              toMatrix(shapes.helpers.front()[h])));
  out.morphWeights.resize(problem.workbench->rig.morphs.size(), 0.0f);
  out.morphWeights.insert(out.morphWeights.end(), shapes.morphWeights.front().begin(),
                          shapes.morphWeights.front().end());
  return out;
}

} // namespace

BakedSkin bakedSkin(std::shared_ptr<const BakeOutcome> outcome) {
  Rig rig = buildRig(outcome->model);
  return {std::move(outcome), std::move(rig)};
}

Method bakedMethod(const std::shared_ptr<const BakedSkin>& skin) {
  const Method& linear = findMethod("lbs");
  Method out;
  out.name = "baked";
  out.title = "Baked: linear blend with helper joints";
  out.shortTitle = "Baked";
  out.summary = "What a bake gives, with its helper joints fitted to each pose.";
  out.shaders = linear.shaders;
  out.needsAllVertices = true; // no vertex can be bound alone
  out.bind = [skin, &linear](const Rig& rig, const BindOptions& options) {
    if (!skin->outcome || skin->rig.positions.size() != rig.positions.size())
      throw usageError("the baked mesh does not match this model", "bake this one");
    BindOptions own;
    own.influences = kBakeInfluences;
    own.tangents = options.tangents;
    own.formPerCount = options.formPerCount;
    return linear.bind(skin->rig, own);
  };
  out.pack = [skin, &linear](const Rig&, const Binding& binding,
                             std::span<const mat4> modelFromNode, std::span<vec4> rows) {
    const bool baked = modelFromNode.size() == skin->outcome->model.hierarchy.nodes.size();
    ShownModel::Pose own;
    if (!baked) own = bakedPose(*skin, {modelFromNode, {}, {}});
    return linear.pack(skin->rig, binding, baked ? modelFromNode : own.modelFromNode, rows);
  };
  out.shows = std::make_shared<const ShownModel>(
      ShownModel{[skin]() -> const Rig& { return skin->rig; },
                 [skin](const PoseView& pose) { return bakedPose(*skin, pose); }});
  out.skin = linear.skin;
  out.tangentShaders = linear.tangentShaders;
  out.skinTangents = linear.skinTangents;
  return out;
}

} // namespace sinew
