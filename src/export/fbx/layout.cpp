#include "export/fbx/layout.h"

#include <glm/matrix.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

namespace sinew {
namespace {

using glm::dmat3;
using glm::dmat4;

// "face" of "face-0": reading numbers the parts of a mesh so.
std::string_view baseName(std::string_view name) {
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos || dash == 0 || dash + 1 == name.size()) return name;
  const std::string_view number = name.substr(dash + 1);
  const bool isNumber =
      std::ranges::all_of(number, [](unsigned char c) { return std::isdigit(c) != 0; });
  return isNumber ? name.substr(0, dash) : name;
}

std::vector<FbxMeshGroup> groupMeshes(const Model& model) {
  std::vector<FbxMeshGroup> out;
  for (const Mesh& mesh : model.meshes) {
    if (mesh.triangles.empty()) continue;
    const auto same = std::ranges::find_if(out, [&](const FbxMeshGroup& group) {
      return group.node == mesh.node && group.skin == mesh.skin &&
             baseName(group.parts.front()->name) == baseName(mesh.name);
    });
    FbxMeshGroup& group = same != out.end() ? *same : out.emplace_back();
    group.node = mesh.node;
    group.skin = mesh.skin;
    group.parts.push_back(&mesh);
  }
  for (FbxMeshGroup& group : out) {
    const std::string& first = group.parts.front()->name;
    group.name = group.parts.size() == 1 ? first : std::string(baseName(first));
  }
  return out;
}

bool isMoved(const Model& model, std::uint32_t node) {
  return std::ranges::any_of(model.clips, [&](const Clip& clip) {
    return std::ranges::find(clip.channels, node, &Channel::node) != clip.channels.end();
  });
}

class LayoutMaker {
 public:
  explicit LayoutMaker(const Model& model)
      : model_(model), nodes_(model.hierarchy.nodes), children_(collectChildren(model.hierarchy)) {}

  FbxLayout make() {
    out_.groups = groupMeshes(model_);
    out_.roles.assign(nodes_.size(), FbxNodeRole::null);
    markJoints();
    markRoot();
    for (std::uint32_t n = 0; n < nodes_.size(); ++n)
      if (out_.roles[n] == FbxNodeRole::null) out_.roles[n] = findRole(n);
    nameGroups();
    findBind();
    return std::move(out_);
  }

 private:
  bool isJoint(std::uint32_t node) const { return out_.roles[node] == FbxNodeRole::joint; }

  // Joints of skins, all joints of a skeleton without a mesh, and the nodes between them.
  void markJoints() {
    for (const Skin& skin : model_.skins)
      for (const SkinJoint& joint : skin.joints)
        out_.roles[joint.node] = FbxNodeRole::joint;
    if (model_.meshes.empty())
      for (const std::uint32_t node : jointNodes(model_))
        out_.roles[node] = FbxNodeRole::joint;
    std::vector<char> below(nodes_.size(), 0), above(nodes_.size(), 0);
    for (std::uint32_t n = 0; n < nodes_.size(); ++n)
      if (const std::uint32_t parent = nodes_[n].parent; parent != kNoNode)
        below[n] = static_cast<char>(below[parent] != 0 || isJoint(parent));
    for (std::size_t n = nodes_.size(); n-- > 0;)
      if (const std::uint32_t parent = nodes_[n].parent; parent != kNoNode)
        if (above[n] != 0 || isJoint(static_cast<std::uint32_t>(n))) above[parent] = 1;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n)
      if (below[n] != 0 && above[n] != 0) out_.roles[n] = FbxNodeRole::joint;
  }

  std::vector<const FbxMeshGroup*> groupsAt(std::uint32_t node) const {
    std::vector<const FbxMeshGroup*> out;
    for (const FbxMeshGroup& group : out_.groups)
      if (group.node == node) out.push_back(&group);
    return out;
  }

  // A single root that does nothing.
  void markRoot() {
    const auto isRoot = [](const Node& node) { return node.parent == kNoNode; };
    if (nodes_.empty() || std::ranges::count_if(nodes_, isRoot) != 1 || isJoint(0)) return;
    const auto groups = groupsAt(0);
    const bool shows = std::ranges::any_of(
        groups, [](const FbxMeshGroup* group) { return !group->skin.has_value(); });
    if (!shows && !children_[0].empty() && nodes_[0].rest == Transform() &&
        nodes_[0].extras.empty() && !isMoved(model_, 0))
      out_.roles[0] = FbxNodeRole::sceneRoot;
  }

  FbxNodeRole findRole(std::uint32_t node) {
    const auto groups = groupsAt(node);
    if (groups.empty()) return FbxNodeRole::null;
    const auto isSkinned = [](const FbxMeshGroup* group) { return group->skin.has_value(); };
    const bool isScene = nodes_[node].camera || nodes_[node].light;
    if (std::ranges::all_of(groups, isSkinned))
      return children_[node].empty() && !isScene ? FbxNodeRole::none : FbxNodeRole::null;
    if (groups.size() > 1) return FbxNodeRole::null;
    out_.groups[static_cast<std::size_t>(groups.front() - out_.groups.data())].isNode = true;
    return FbxNodeRole::mesh;
  }

  // Every model of the file has a name of its own: programs find joints and meshes by it.
  void nameGroups() {
    std::set<std::string> names;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n)
      if (out_.roles[n] != FbxNodeRole::none && out_.roles[n] != FbxNodeRole::sceneRoot)
        names.insert(nodes_[n].name);
    for (FbxMeshGroup& group : out_.groups) {
      if (group.isNode) {
        group.name = nodes_[group.node].name;
        continue;
      }
      const bool replaces =
          out_.roles[group.node] == FbxNodeRole::none && groupsAt(group.node).size() == 1;
      if (replaces) group.name = nodes_[group.node].name;
      if (group.name.empty()) group.name = "mesh";
      while (!names.insert(group.name).second)
        group.name += "_mesh";
    }
  }

  static dmat4 affine(const mat4& m) {
    dmat4 out(m);
    for (int column = 0; column < 4; ++column)
      out[column].w = column == 3 ? 1.0 : 0.0;
    return out;
  }

  static bool hasInverse(const dmat4& m) {
    const double size = std::abs(glm::determinant(dmat3(m)));
    return size > 1e-30 && size < 1e30;
  }

  static bool isIdentity(const dmat4& m) {
    double largest = 0.0;
    for (int column = 0; column < 4; ++column)
      for (int row = 0; row < 4; ++row)
        largest = std::max(largest, std::abs(m[column][row] - (column == row ? 1.0 : 0.0)));
    return largest < 1e-5;
  }

  // A joint of several skins is at one place in the file's bind pose, so a skin that binds it
  // elsewhere than an earlier one is moved as a whole.
  void findBind() {
    std::vector<std::optional<dmat4>> bound(nodes_.size());
    for (const Skin& skin : model_.skins) {
      dmat4 moved(1.0);
      for (const SkinJoint& joint : skin.joints)
        if (bound[joint.node] && hasInverse(affine(joint.jointFromBind))) {
          moved = *bound[joint.node] * affine(joint.jointFromBind);
          break;
        }
      if (isIdentity(moved) || !hasInverse(moved)) moved = dmat4(1.0);
      out_.bindFromSkin.push_back(moved);
      for (const SkinJoint& joint : skin.joints)
        if (!bound[joint.node] && hasInverse(affine(joint.jointFromBind)))
          bound[joint.node] = moved * glm::inverse(affine(joint.jointFromBind));
    }
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      const std::uint32_t above = nodes_[n].parent;
      const dmat4 parent = above == kNoNode ? dmat4(1.0) : out_.bind[above];
      out_.bind.push_back(bound[n] ? *bound[n] : parent * dmat4(toMatrix(nodes_[n].rest)));
      out_.skeleton.push_back(above != kNoNode && isJoint(above) ? out_.skeleton[above] : parent);
    }
  }

  const Model& model_;
  const std::vector<Node>& nodes_;
  std::vector<std::vector<std::uint32_t>> children_;
  FbxLayout out_;
};

} // namespace

FbxLayout fbxLayout(const Model& model) {
  return LayoutMaker(model).make();
}

} // namespace sinew
