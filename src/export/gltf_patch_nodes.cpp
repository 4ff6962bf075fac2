#include "export/gltf_patch_nodes.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

namespace sinew {
namespace {

std::size_t sceneIndex(GltfJson& file) {
  if (!file.contains("scenes")) {
    GltfJson roots = GltfJson::array();
    std::set<std::size_t> children;
    for (const GltfJson& node : file["nodes"])
      if (node.contains("children"))
        for (const GltfJson& child : node["children"])
          children.insert(child.get<std::size_t>());
    for (std::size_t node = 0; node < file["nodes"].size(); ++node)
      if (!children.contains(node)) roots.push_back(node);
    file["scenes"] = GltfJson::array({GltfJson{{"nodes", std::move(roots)}}});
  }
  return file.contains("scene") ? file["scene"].get<std::size_t>() : 0;
}

bool showsSomething(const GltfJson& node) {
  return node.contains("mesh") || node.contains("camera") || node.contains("extensions");
}

class NodePatch {
 public:
  NodePatch(const Model& was, const GltfOrigin& origin, const Model& now, GltfJson& file)
      : was_(was), origin_(origin), now_(now), file_(file) {}

  PatchedNodes write() {
    matchNodes();
    patchNodes();
    const bool removed = removeNodes();
    return {std::move(fileOf_), std::move(nodes_), std::move(wasOf_), removed};
  }

 private:
  void matchNodes() {
    fileOf_.assign(was_.hierarchy.nodes.size(), kNoPlace);
    for (std::size_t node = 0; node < origin_.nodeByFileNode.size(); ++node)
      if (origin_.nodeByFileNode[node] != kNotInGltf) fileOf_[origin_.nodeByFileNode[node]] = node;
    std::map<std::string, std::uint32_t> byName;
    for (std::uint32_t n = 0; n < was_.hierarchy.nodes.size(); ++n)
      byName[was_.hierarchy.nodes[n].name] = n;
    for (const Node& node : now_.hierarchy.nodes) {
      const auto known = byName.find(node.name);
      std::uint32_t same = known == byName.end() ? kNoNode : known->second;
      if (same != kNoNode) {
        const std::uint32_t parent = was_.hierarchy.nodes[same].parent;
        const std::uint32_t parentNow = node.parent == kNoNode ? kNoNode : wasOf_[node.parent];
        if (parent != parentNow || (node.parent == kNoNode) != (parent == kNoNode)) same = kNoNode;
      }
      wasOf_.push_back(same);
    }
  }

  void patchNodes() {
    for (std::uint32_t n = 0; n < now_.hierarchy.nodes.size(); ++n) {
      const Node& node = now_.hierarchy.nodes[n];
      const std::uint32_t same = wasOf_[n];
      nodes_.push_back(same != kNoNode ? fileOf_[same] : kNoPlace);
      if (same == kNoNode) {
        addNode(node);
      } else if (!(node.rest == was_.hierarchy.nodes[same].rest)) {
        if (nodes_[n] == kNoPlace)
          throw CannotPatch(
              fmt::format("'{}', which the file does not have, has moved", node.name));
        setPlace(node.rest, file_["nodes"][nodes_[n]]);
      }
    }
  }

  void addNode(const Node& node) {
    const std::size_t index = appendTo(file_, "nodes", nodeJson(node));
    nodes_.back() = index;
    if (node.parent != kNoNode && nodes_[node.parent] != kNoPlace) {
      appendTo(file_["nodes"][nodes_[node.parent]], "children", index);
      return;
    }
    // Below the root that reading puts above several, whose place is that of the scene.
    if (node.parent != kNoNode && now_.hierarchy.nodes[node.parent].parent != kNoNode)
      throw CannotPatch(fmt::format("'{}' is below a node that the file does not have", node.name));
    const std::size_t scene = sceneIndex(file_);
    appendTo(file_["scenes"][scene], "nodes", index);
  }

  // Joints that left a node which stays, and what is below them: out of the scene, where they keep
  // their number. Nodes that show something stay. Returns whether there were any.
  bool removeNodes() {
    bool removed = false;
    std::vector<bool> isKnown(was_.hierarchy.nodes.size(), false);
    for (const std::uint32_t same : wasOf_)
      if (same != kNoNode) isKnown[same] = true;
    std::vector<bool> shows(isKnown.size(), false);
    for (std::size_t n = isKnown.size(); n-- > 0;) {
      const std::uint32_t parent = was_.hierarchy.nodes[n].parent;
      if (fileOf_[n] == kNoPlace || isKnown[n] || showsSomething(file_["nodes"][fileOf_[n]]))
        shows[n] = true;
      if (shows[n] && parent != kNoNode) shows[parent] = true;
    }
    const std::vector<std::uint32_t> joints = jointNodes(was_);
    for (const std::uint32_t n : joints) {
      const std::uint32_t parent = was_.hierarchy.nodes[n].parent;
      if (shows[n] || parent == kNoNode || !isKnown[parent] || fileOf_[parent] == kNoPlace)
        continue;
      GltfJson& above = file_["nodes"][fileOf_[parent]];
      GltfJson children = GltfJson::array();
      for (const GltfJson& child : above["children"])
        if (child != fileOf_[n]) children.push_back(child);
      if (children.empty())
        above.erase("children");
      else
        above["children"] = std::move(children);
      removed = true;
    }
    return removed;
  }

  const Model& was_;
  const GltfOrigin& origin_;
  const Model& now_;
  GltfJson& file_;
  FileNodes fileOf_; // per node before
  std::vector<std::uint32_t> wasOf_;
  FileNodes nodes_;
};

} // namespace

std::size_t toFileNode(const Model& model, const FileNodes& nodes, std::uint32_t node) {
  if (nodes[node] == kNoPlace)
    throw CannotPatch(fmt::format("'{}', which the file does not have, is used",
                                  model.hierarchy.nodes[node].name));
  return nodes[node];
}

PatchedNodes patchNodes(const Model& was, const GltfOrigin& origin, const Model& now,
                        GltfJson& file) {
  return NodePatch(was, origin, now, file).write();
}

void removeUnusedSkins(GltfJson& file) {
  if (!file.contains("skins")) return;
  std::map<std::size_t, std::size_t> places;
  for (const GltfJson& node : file["nodes"])
    if (node.contains("skin")) places[node["skin"].get<std::size_t>()] = 0;
  GltfJson retained = GltfJson::array();
  for (auto& [from, to] : places) {
    to = retained.size();
    retained.push_back(file["skins"].at(from));
  }
  for (GltfJson& node : file["nodes"])
    if (node.contains("skin")) node["skin"] = places.at(node["skin"].get<std::size_t>());
  if (retained.empty())
    file.erase("skins");
  else
    file["skins"] = std::move(retained);
}

} // namespace sinew
