#include "import/append_node.h"
#include "import/gltf/accessor.h"
#include "import/gltf/json_values.h"
#include "import/gltf/steps.h"

#include <fmt/format.h>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace sinew {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};
constexpr std::size_t kInstanceBytes = 512; // memory that a node takes

std::vector<std::size_t> indicesIn(const GltfJson& object, const char* key) {
  std::vector<std::size_t> out;
  for (const GltfJson& value : arrayIn(object, key))
    out.push_back(asIndex(value, key));
  return out;
}

// The parent of every node; kNone of a root.
std::vector<std::size_t> findParents(const GltfDocument& document) {
  const std::size_t count = document.count("nodes");
  document.budget().checkCount(count, document.options().maxNodes, "nodes");
  std::vector<std::size_t> parents(count, kNone);
  for (std::size_t node = 0; node < count; ++node)
    for (const std::size_t child : indicesIn(document.item("nodes", node), "children")) {
      document.item("nodes", child); // exists
      if (parents[child] != kNone || child == node)
        throw GltfError(fmt::format("nodes[{}] has more than one parent", child));
      parents[child] = node;
    }
  // A node below itself has no root above it.
  std::vector<char> state(count, 0); // 1: being followed, 2: leads to a root
  for (std::size_t node = 0; node < count; ++node) {
    std::vector<std::size_t> path;
    std::size_t at = node;
    for (; at != kNone && state[at] == 0; at = parents[at]) {
      state[at] = 1;
      path.push_back(at);
    }
    if (at != kNone && state[at] == 1)
      throw GltfError(fmt::format("nodes[{}] is its own ancestor", at));
    for (const std::size_t passed : path)
      state[passed] = 2;
  }
  return parents;
}

// The root above a node. Paths are followed once: a file may nest as deep as it is long.
class Roots {
 public:
  explicit Roots(const std::vector<std::size_t>& parents)
      : parents_(parents), of_(parents.size(), kNone) {}

  std::size_t of(std::size_t node) {
    std::vector<std::size_t> path;
    for (; of_[node] == kNone && parents_[node] != kNone; node = parents_[node])
      path.push_back(node);
    const std::size_t root = of_[node] != kNone ? of_[node] : node;
    for (const std::size_t passed : path)
      of_[passed] = root;
    return root;
  }

 private:
  const std::vector<std::size_t>& parents_;
  std::vector<std::size_t> of_;
};

// The roots to read: the scene's, and those above joints of its skins that are elsewhere.
std::vector<std::size_t> rootsToRead(const GltfDocument& document,
                                     const std::vector<std::size_t>& parents) {
  std::vector<std::size_t> roots;
  if (document.count("scenes") == 0) {
    for (std::size_t node = 0; node < parents.size(); ++node)
      if (parents[node] == kNone) roots.push_back(node);
    return roots;
  }
  const GltfJson& scene = document.item("scenes", countIn(document.root(), "scene", 0));
  std::set<std::size_t> listed;
  const auto add = [&](std::size_t node) {
    if (listed.insert(node).second) roots.push_back(node);
  };
  for (const std::size_t node : indicesIn(scene, "nodes")) {
    document.item("nodes", node); // exists
    add(node);
  }
  Roots topNodes(parents);
  std::set<std::size_t> shown;
  std::set<std::size_t> skins;
  std::vector<std::size_t> open = roots;
  while (!open.empty()) {
    const std::size_t node = open.back();
    open.pop_back();
    if (!shown.insert(node).second) continue;
    const GltfJson& source = document.item("nodes", node);
    for (const std::size_t child : indicesIn(source, "children"))
      open.push_back(child);
    const auto skin = indexIn(source, "skin");
    if (!skin || memberIn(source, "mesh") == nullptr || !skins.insert(*skin).second) continue;
    for (const std::size_t joint : indicesIn(document.item("skins", *skin), "joints")) {
      document.item("nodes", joint); // exists
      const std::size_t root = topNodes.of(joint);
      add(root);
      open.push_back(root);
    }
  }
  // A scene may list a node below another one it lists: that one is read with its parent.
  std::vector<char> below(parents.size(), 0); // a listed node, or itself one: 1 yes, 2 no
  const auto isBelow = [&](std::size_t node) {
    std::vector<std::size_t> path;
    for (; node != kNone && below[node] == 0 && !listed.contains(node); node = parents[node])
      path.push_back(node);
    const char answer = node != kNone && (listed.contains(node) || below[node] == 1) ? 1 : 2;
    for (const std::size_t passed : path)
      below[passed] = answer;
    return answer == 1;
  };
  std::erase_if(roots,
                [&](std::size_t node) { return parents[node] != kNone && isBelow(parents[node]); });
  return roots;
}

class GltfNodeReader {
 public:
  GltfNodeReader(GltfDocument& document, RepairLog& repairs)
      : document_(document), repairs_(repairs) {
    out_.nodeByFileNode.assign(document.count("nodes"), kNoNode);
    for (const GltfJson& animation : arrayIn(document.root(), "animations"))
      for (const GltfJson& channel : arrayIn(animation, "channels"))
        if (const auto node = animatedProperty(objectIn(channel, "target")).node)
          moved_.insert(*node);
  }

  GltfNodes read() {
    const std::vector<std::size_t> parents = findParents(document_);
    const std::vector<std::size_t> roots = rootsToRead(document_, parents);
    std::uint32_t top = kNoNode;
    if (roots.size() != 1) top = appendNode(out_.hierarchy, "ROOT", kNoNode, Transform(), repairs_);
    std::vector<std::pair<std::size_t, std::uint32_t>> open;
    for (auto root = roots.rbegin(); root != roots.rend(); ++root)
      open.emplace_back(*root, top);
    while (!open.empty()) {
      const auto [node, parent] = open.back();
      open.pop_back();
      const GltfJson& source = document_.item("nodes", node);
      const std::uint32_t index = append(source, node, parent);
      out_.nodeByFileNode[node] = index;
      readInstances(source, node, index);
      out_.order.push_back(node);
      const std::vector<std::size_t> children = indicesIn(source, "children");
      for (auto child = children.rbegin(); child != children.rend(); ++child)
        open.emplace_back(*child, index);
    }
    makeNamesUnique(out_.hierarchy);
    return std::move(out_);
  }

 private:
  // EXT_mesh_gpu_instancing: a node below for each place in which the mesh is drawn.
  void readInstances(const GltfJson& source, std::size_t node, std::uint32_t parent) {
    const GltfJson* extension = extensionIn(source, "EXT_mesh_gpu_instancing");
    if (extension == nullptr || memberIn(source, "mesh") == nullptr ||
        memberIn(source, "skin") != nullptr)
      return;
    const GltfJson& attributes = objectIn(*extension, "attributes");
    std::optional<std::size_t> count;
    const auto values = [&](const char* name, std::size_t components) -> std::vector<float> {
      const auto accessor = indexIn(attributes, name);
      if (!accessor) return {};
      const std::size_t own = accessorAt(document_, *accessor).count;
      if (!count) document_.budget().take(own, kInstanceBytes, "instances of meshes");
      if (count.value_or(own) != own)
        throw GltfError(
            fmt::format("the instances of nodes[{}] have {} and {} places", node, *count, own));
      count = own;
      return readFloats(document_, *accessor, components);
    };
    const std::vector<float> translations = values("TRANSLATION", 3);
    const std::vector<float> rotations = values("ROTATION", 4);
    const std::vector<float> scales = values("SCALE", 3);
    if (!count) return;
    document_.budget().allowInstances();
    const std::string name = out_.hierarchy.nodes[parent].name;
    std::vector<std::uint32_t>& instances = out_.instancesByNode[node];
    for (std::size_t i = 0; i < *count; ++i) {
      Transform place;
      if (!translations.empty()) place.translation = vec3At(translations, i);
      if (!rotations.empty()) {
        const quat q(rotations[4 * i + 3], rotations[4 * i], rotations[4 * i + 1],
                     rotations[4 * i + 2]);
        const float length = glm::length(q);
        if (length > 1e-6f && std::isfinite(length)) place.rotation = q / length;
      }
      if (!scales.empty()) place.scale = vec3At(scales, i);
      if (!isUsable(place.translation) || !isUsable(place.scale)) place = Transform();
      instances.push_back(appendNode(out_.hierarchy, fmt::format("{} instance {}", name, i), parent,
                                     place, repairs_));
    }
  }

  static vec3 vec3At(const std::vector<float>& values, std::size_t i) {
    return {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
  }

  std::uint32_t append(const GltfJson& source, std::size_t node, std::uint32_t parent) {
    std::string name = textIn(source, "name");
    if (name.empty()) name = fmt::format("node {}", node);
    const std::vector<float> m = numbersIn(source, "matrix", 16);
    if (!m.empty()) {
      mat4 matrix;
      for (int i = 0; i < 16; ++i)
        matrix[i / 4][i % 4] = m[static_cast<std::size_t>(i)];
      // A node that moves must have no matrix; where it has one, its parts are what moves.
      if (isUsable(matrix) && moved_.contains(node))
        return appendNode(out_.hierarchy, name, parent, decompose(matrix), repairs_);
      return appendNode(out_.hierarchy, name, parent, matrix, repairs_).node;
    }
    Transform rest;
    if (const auto t = numbersIn(source, "translation", 3); !t.empty())
      rest.translation = {t[0], t[1], t[2]};
    if (const auto r = numbersIn(source, "rotation", 4); !r.empty()) {
      const quat q(r[3], r[0], r[1], r[2]);
      const float length = glm::length(q);
      rest.rotation = length > 1e-6f && std::isfinite(length) ? q / length : quat(1, 0, 0, 0);
    }
    if (const auto s = numbersIn(source, "scale", 3); !s.empty()) rest.scale = {s[0], s[1], s[2]};
    if (!isUsable(rest.translation) || !isUsable(rest.scale))
      return appendNode(out_.hierarchy, name, parent, mat4(NAN), repairs_).node;
    return appendNode(out_.hierarchy, name, parent, rest, repairs_);
  }

  GltfDocument& document_;
  RepairLog& repairs_;
  std::set<std::size_t> moved_; // nodes that some channel animates
  GltfNodes out_;
};

} // namespace

GltfNodes readGltfNodes(GltfDocument& document, RepairLog& repairs) {
  return GltfNodeReader(document, repairs).read();
}

} // namespace sinew
