#include "animation/layers/layer_suggestion.h"

#include "animation/retarget/joint_names.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>

namespace sinew {
namespace {

// The skeleton as a tree of joints, without the helper nodes between them.
struct Joints {
  const Model& model;
  std::vector<std::uint32_t> nodes;  // the joints' nodes
  std::vector<std::uint32_t> above;  // per node: the next joint up, or kNoNode
  std::vector<std::uint32_t> longer; // per node: the child joint of the longest chain, or kNoNode
  std::vector<int> depth;            // per node: joints in the longest chain below
  std::vector<std::string> part;     // per node
};

Joints gatherJoints(const Model& model) {
  const std::vector<Node>& nodes = model.hierarchy.nodes;
  Joints joints{model, jointNodes(model), {}, {}, {}, {}};
  std::vector<bool> is(nodes.size(), false);
  for (const std::uint32_t node : joints.nodes)
    is[node] = true;
  joints.above.assign(nodes.size(), kNoNode);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::uint32_t parent = nodes[i].parent;
    if (parent != kNoNode) joints.above[i] = is[parent] ? parent : joints.above[parent];
    joints.part.push_back(bodyPart(nodes[i]));
  }
  joints.longer.assign(nodes.size(), kNoNode);
  joints.depth.assign(nodes.size(), 0);
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (!is[i] || joints.above[i] == kNoNode) continue;
    const std::uint32_t parent = joints.above[i];
    if (joints.depth[i] + 1 < joints.depth[parent]) continue; // the first of equals stays
    joints.depth[parent] = joints.depth[i] + 1;
    joints.longer[parent] = static_cast<std::uint32_t>(i);
  }
  return joints;
}

std::uint32_t findEnd(const Joints& joints, std::uint32_t node) {
  while (joints.longer[node] != kNoNode)
    node = joints.longer[node];
  return node;
}

// `bones` joints up, at most to the root.
std::uint32_t climb(const Joints& joints, std::uint32_t node, int bones) {
  for (; bones > 0 && joints.above[node] != kNoNode; --bones)
    node = joints.above[node];
  return node;
}

std::optional<std::uint32_t> withPart(const Joints& joints, std::string_view part) {
  for (const std::uint32_t node : joints.nodes)
    if (joints.part[node] == part) return node;
  return {};
}

// The ancestor of a node that is a certain part: the elbow of a hand, skipping twist joints.
std::optional<std::uint32_t> partAbove(const Joints& joints, std::uint32_t node,
                                       std::string_view part) {
  for (; node != kNoNode; node = joints.above[node])
    if (joints.part[node] == part) return node;
  return {};
}

// The end of the longest chain of the skeleton.
std::uint32_t deepest(const Joints& joints) {
  const auto top = std::max_element(joints.nodes.begin(), joints.nodes.end(), [&](auto a, auto b) {
    return joints.depth[a] < joints.depth[b];
  });
  return findEnd(joints, *top);
}

const std::string& getName(const Joints& joints, std::uint32_t node) {
  return joints.model.hierarchy.nodes[node].name;
}

// "left " of "left hand".
std::string getSide(const std::string& part) {
  return part.substr(0, part.find(' ') + 1);
}

// Hand or foot, elbow or knee, shoulder or hip.
TwoBoneChain bonesAbove(const Joints& joints, std::uint32_t tip) {
  const std::uint32_t middle = climb(joints, tip, 1);
  const TwoBoneChain next{climb(joints, middle, 1), middle, tip};
  const std::string& part = joints.part[tip];
  const std::string side = getSide(part);
  const bool arm = part == side + "hand";
  if (side.empty() || (!arm && part != side + "foot")) return next;
  return {partAbove(joints, tip, side + (arm ? "upper arm" : "thigh")).value_or(next.root),
          partAbove(joints, tip, side + (arm ? "forearm" : "calf")).value_or(next.middle), tip};
}

struct Maker {
  const Joints& joints;
  const std::vector<mat4>& modelFromNode;
  std::optional<std::uint32_t> selected;

  vec3 at(std::uint32_t node) const { return {modelFromNode[node][3]}; }

  std::uint32_t chosenOr(std::initializer_list<std::string_view> parts) const {
    if (selected) return *selected;
    for (const std::string_view part : parts)
      if (const auto node = withPart(joints, part)) return *node;
    return deepest(joints);
  }

  // From the chosen joint to the end of its longest chain; for an end joint, the last few joints.
  template <class Chain>
  void hangingChain(Chain& layer) const {
    const std::uint32_t end = deepest(joints);
    std::uint32_t from = selected ? *selected : climb(joints, end, 3);
    const std::uint32_t to = findEnd(joints, from);
    if (to == from) from = climb(joints, to, 3);
    layer.from = getName(joints, from);
    layer.to = getName(joints, to);
  }

  void fill(ClipLayer& layer) const { layer.clip = "none"; }
  void fill(WaveLayer& layer) const { hangingChain(layer); }
  void fill(SpringLayer& layer) const { hangingChain(layer); }
  // Stiff enough to be back within a second, whatever the unit of length.
  void fill(SpringBoneLayer& layer) const {
    SpringLayer chain;
    hangingChain(chain);
    const auto first = findNode(joints.model.hierarchy, chain.from);
    const auto last = findNode(joints.model.hierarchy, chain.to);
    if (!first || !last) return;
    for (std::uint32_t tail = *last; tail != *first;) {
      const std::uint32_t node = joints.model.hierarchy.nodes[tail].parent;
      SpringJoint joint{getName(joints, node), getName(joints, tail)};
      joint.stiffness = 10.0f * glm::distance(at(node), at(tail));
      layer.joints.insert(layer.joints.begin(), toString(joint));
      tail = node;
    }
  }
  void fill(BreathingLayer& layer) const {
    std::uint32_t chest = chosenOr({"spine", "hips"});
    if (!selected) // the spine's last joint
      for (const std::uint32_t node : joints.nodes)
        if (joints.part[node] == "spine") chest = node;
    layer.chest = getName(joints, chest);
  }
  void fill(FormulaLayer& layer) const { layer.joint = getName(joints, chosenOr({"head"})); }

  // Looks along the model's z axis, the usual facing direction.
  void fill(AimLayer& layer) const {
    const std::uint32_t head = chosenOr({"head", "neck"});
    const auto neck = partAbove(joints, head, "neck");
    layer.from = getName(joints, neck.value_or(head));
    layer.to = getName(joints, head);
    const vec3 ahead(0.0f, 0.0f, 1.0f);
    const vec3 forward = glm::transpose(mat3(modelFromNode[head])) * ahead;
    if (glm::length(forward) > 0.0f) layer.forward = glm::normalize(forward);
    const std::uint32_t top = climb(joints, head, static_cast<int>(joints.nodes.size()));
    layer.target.at = at(head) + 2.0f * glm::distance(at(head), at(top)) * ahead;
  }

  void fill(CcdLayer& layer) const {
    const std::uint32_t to = endIfFirst(chosenOr({"left hand", "right hand"}));
    layer.from = getName(joints, climb(joints, to, 3));
    layer.to = getName(joints, to);
    layer.target.at = at(to);
  }

  void fill(TwoBoneIkLayer& layer) const {
    const std::uint32_t tip =
        endIfFirst(limbEnd(chosenOr({"left hand", "right hand", "left foot"})));
    const TwoBoneChain bones = bonesAbove(joints, tip);
    layer.root = getName(joints, bones.root);
    layer.middle = getName(joints, bones.middle);
    layer.tip = getName(joints, tip);
    layer.target.at = at(tip);
    layer.pole = choosePole(bones.root, bones.middle, tip);
  }

  // The hand of an elbow, the foot of a knee.
  std::uint32_t limbEnd(std::uint32_t node) const {
    const std::string& part = joints.part[node];
    const std::string side = getSide(part);
    if (part == side + "forearm" || part == side + "upper arm")
      return withPart(joints, side + "hand").value_or(node);
    if (part == side + "calf" || part == side + "thigh")
      return withPart(joints, side + "foot").value_or(node);
    return node;
  }

  // A chain needs joints above its end: a joint without becomes the chain's start.
  std::uint32_t endIfFirst(std::uint32_t node) const {
    while (climb(joints, node, 2) == climb(joints, node, 1) && joints.longer[node] != kNoNode)
      node = joints.longer[node];
    return node;
  }

  // From the middle joint to the side it bends to, at the distance of the chain's length.
  vec3 choosePole(std::uint32_t root, std::uint32_t middle, std::uint32_t tip) const {
    const vec3 line = at(tip) - at(root);
    const vec3 arm = at(middle) - at(root);
    const float length = glm::length(arm) + glm::distance(at(tip), at(middle));
    const float line2 = glm::dot(line, line);
    const vec3 off = line2 > 0.0f ? arm - glm::dot(arm, line) / line2 * line : arm;
    const float bend = glm::length(off);
    const vec3 way = bend > 1e-3f * length ? off / bend : vec3(0.0f, 0.0f, 1.0f);
    return at(middle) + length * way;
  }
};

} // namespace

std::optional<TwoBoneChain> bonesAbove(const Model& model, std::uint32_t tip) {
  const TwoBoneChain bones = bonesAbove(gatherJoints(model), tip);
  if (bones.root == bones.middle || bones.middle == tip) return std::nullopt;
  return bones;
}

LayerKind suggestedKind(const Model& model, const std::vector<mat4>& modelFromNode,
                        std::string_view word, std::optional<std::uint32_t> selected) {
  LayerKind kind = parseLayerKind(word);
  const Joints joints = gatherJoints(model);
  if (joints.nodes.empty()) return kind;
  const Maker maker{joints, modelFromNode, selected};
  std::visit([&](auto& layer) { maker.fill(layer); }, kind);
  return kind;
}

} // namespace sinew
