#include "bake/baked_method.h"

#include "core/affine.h"
#include "core/error.h"
#include "skinning/methods.h"

#include <utility>

namespace sinew {

BakedSkin bakedSkin(std::shared_ptr<const BakeOutcome> outcome) {
  Rig rig = buildRig(outcome->model);
  return {std::move(outcome), std::move(rig)};
}

Method bakedMethod(const std::shared_ptr<const BakedSkin>& skin) {
  const Method& linear = findMethod("lbs");
  Method out;
  out.name = "baked";
  out.title = "Baked: linear blend with helper joints";
  out.summary = "What a bake gives, with its helper joints fitted to each pose.";
  out.shaders = linear.shaders;
  out.usesSurface = true; // no vertex can be bound alone
  out.bind = [skin, &linear](const Rig& rig, const BindOptions& options) {
    if (!skin->outcome || skin->rig.positions.size() != rig.positions.size())
      throw usageError("what was baked is another mesh", "bake this one");
    BindOptions own;
    own.influences = kBakeInfluences;
    own.tangents = options.tangents;
    own.formPerCount = options.formPerCount;
    return linear.bind(skin->rig, own);
  };
  out.pack = [skin, &linear](const Rig&, const Binding& binding,
                             std::span<const mat4> modelFromNode, std::span<vec4> rows) {
    const BakeProblem& problem = skin->outcome->result.problem;
    BakeShapes shapes = shapeAt(problem, modelFromNode);
    fitFreshly(problem, shapes);
    std::vector<mat4> all(modelFromNode.begin(), modelFromNode.end());
    for (std::size_t h = 0; h < problem.helpers.size(); ++h)
      all.push_back(affineProduct(modelFromNode[problem.helpers[h].parent],
                                  matrixOf(shapes.helpers.front()[h])));
    return linear.pack(skin->rig, binding, all, rows);
  };
  out.skin = linear.skin;
  out.tangentShaders = linear.tangentShaders;
  out.skinTangents = linear.skinTangents;
  return out;
}

} // namespace sinew
