#include "export/node_reach.h"

#include "animation/pose.h"
#include "core/bounds.h"

#include <glm/geometric.hpp>

#include <algorithm>

namespace sinew {
namespace {

class ReachFinder {
 public:
  explicit ReachFinder(const Model& model)
      : model_(model), modelFromNode_(modelFromNodes(model.hierarchy, restPose(model.hierarchy))) {}

  NodeReach find() {
    out_.ofNode.assign(modelFromNode_.size(), 0.0);
    for (const Mesh& mesh : model_.meshes)
      include(mesh);
    for (const mat4& m : modelFromNode_)
      bounds_.include(vec3(m[3]));
    out_.size = std::max(static_cast<double>(bounds_.size()), 1e-12);
    for (std::size_t n = modelFromNode_.size(); n-- > 0;) {
      const std::uint32_t parent = model_.hierarchy.nodes[n].parent;
      // What moves no skin may carry something in the program that reads the file.
      out_.ofNode[n] = std::max(out_.ofNode[n], 0.02 * out_.size);
      if (parent == kNoNode) continue;
      const double step = static_cast<double>(
          glm::distance(vec3(modelFromNode_[n][3]), vec3(modelFromNode_[parent][3])));
      out_.ofNode[parent] = std::max(out_.ofNode[parent], step + out_.ofNode[n]);
    }
    for (const Node& node : model_.hierarchy.nodes)
      out_.parentScale.push_back(
          node.parent == kNoNode ? 1.0 : computeScale(modelFromNode_[node.parent]));
    return std::move(out_);
  }

 private:
  static double computeScale(const mat4& m) {
    return static_cast<double>(std::max(
        {glm::length(vec3(m[0])), glm::length(vec3(m[1])), glm::length(vec3(m[2])), 1e-12f}));
  }

  void include(std::uint32_t node, const vec3& place) {
    bounds_.include(place);
    double& reach = out_.ofNode[node];
    reach =
        std::max(reach, static_cast<double>(glm::distance(place, vec3(modelFromNode_[node][3]))));
  }

  void include(const Mesh& mesh) {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      if (!mesh.skin) {
        include(mesh.node, transformPoint(modelFromNode_[mesh.node], mesh.positions[v]));
        continue;
      }
      for (const Influence& influence : mesh.influences.of(v)) {
        const SkinJoint& joint = model_.skins[*mesh.skin].joints[influence.joint];
        include(joint.node, transformPoint(modelFromNode_[joint.node] * joint.jointFromBind,
                                           mesh.positions[v]));
      }
    }
  }

  const Model& model_;
  std::vector<mat4> modelFromNode_;
  Bounds bounds_;
  NodeReach out_;
};

} // namespace

NodeReach nodeReach(const Model& model) {
  return ReachFinder(model).find();
}

} // namespace sinew
