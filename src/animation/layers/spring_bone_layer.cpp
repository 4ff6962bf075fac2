#include "animation/layers/spring_bone_layer.h"

#include "animation/layers/layer_joints.h"
#include "core/error.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <unordered_map>

namespace sinew {
namespace {

constexpr float kLargestInLine = 1e6f; // number in a line

using NodesByName = std::unordered_map<std::string_view, std::uint32_t>;

NodesByName nodesByName(const Hierarchy& hierarchy) {
  NodesByName nodes;
  for (std::uint32_t i = 0; i < hierarchy.nodes.size(); ++i)
    nodes.emplace(hierarchy.nodes[i].name, i);
  return nodes;
}

Error wrongJoint(const std::string& line, std::string_view what) {
  return usageError(fmt::format("joint '{}': {}", line, what),
                    "JOINT -> TAIL STIFFNESS DRAG GX GY GZ RADIUS or "
                    "JOINT end LENGTH STIFFNESS DRAG GX GY GZ RADIUS");
}

Error wrongCollider(const std::string& line, std::string_view what) {
  return usageError(fmt::format("collider '{}': {}", line, what),
                    "JOINT sphere X Y Z RADIUS, JOINT capsule X Y Z RADIUS EX EY EZ or JOINT "
                    "plane X Y Z NX NY NZ");
}

// The numbers at the end of a line, the first of them first, and the rest of the line. Fewer than
// asked for: what comes before is no number.
template <std::size_t N>
std::optional<std::array<float, N>> takeNumbers(std::string_view& line) {
  std::array<float, N> numbers{};
  for (std::size_t i = N; i-- > 0;) {
    const std::size_t blank = line.rfind(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    const std::string word(line.substr(blank + 1));
    char* end = nullptr;
    numbers[i] = std::strtof(word.c_str(), &end);
    if (word.empty() || *end != '\0' || !(std::abs(numbers[i]) <= kLargestInLine))
      return std::nullopt;
    line = line.substr(0, blank);
  }
  return numbers;
}

std::uint32_t requireNode(const NodesByName& nodes, std::string_view name) {
  const auto found = nodes.find(name);
  if (found == nodes.end()) throw usageError(fmt::format("the model has no joint '{}'", name));
  return found->second;
}

bool hangsBelow(const Hierarchy& hierarchy, std::uint32_t node, std::uint32_t above) {
  while (node != kNoNode && node > above) // parents come first
    node = hierarchy.nodes[node].parent;
  return node == above;
}

SpringBone parseBone(const Hierarchy& hierarchy, const NodesByName& nodes,
                     const std::string& line) {
  SpringBone bone;
  std::string_view rest = line;
  const auto numbers = takeNumbers<6>(rest);
  if (!numbers) throw wrongJoint(line, "its six last words are not numbers up to a million");
  const auto& [stiffness, drag, x, y, z, radius] = *numbers;
  if (stiffness < 0.0f || radius < 0.0f) throw wrongJoint(line, "a number is negative");
  if (drag < 0.0f || drag > 1.0f) throw wrongJoint(line, "the drag goes from 0 to 1");
  bone.stiffness = stiffness;
  bone.drag = drag;
  bone.gravity = {x, y, z};
  bone.radius = radius;
  if (const std::size_t arrow = rest.rfind(" -> "); arrow != std::string_view::npos) {
    bone.node = requireNode(nodes, rest.substr(0, arrow));
    bone.tail = requireNode(nodes, rest.substr(arrow + 4));
    if (bone.tail == bone.node || !hangsBelow(hierarchy, bone.tail, bone.node))
      throw wrongJoint(line, "the tail is not below the joint");
    return bone;
  }
  const auto length = takeNumbers<1>(rest);
  if (!length || !rest.ends_with(" end")) throw wrongJoint(line, "has neither a tail nor an end");
  if ((*length)[0] < 0.0f) throw wrongJoint(line, "a number is negative");
  bone.endLength = (*length)[0];
  bone.node = requireNode(nodes, rest.substr(0, rest.size() - 4));
  return bone;
}

struct ShapeWord {
  std::string_view word;
  ColliderShape shape;
  bool inside;
};
constexpr std::array kShapeWords{ShapeWord{"sphere", ColliderShape::sphere, false},
                                 ShapeWord{"inside-sphere", ColliderShape::sphere, true},
                                 ShapeWord{"capsule", ColliderShape::capsule, false},
                                 ShapeWord{"inside-capsule", ColliderShape::capsule, true},
                                 ShapeWord{"plane", ColliderShape::plane, false}};

void readNumbers(const std::string& line, std::string_view rest, SpringCollider& out) {
  if (out.shape == ColliderShape::plane) {
    const auto n = takeNumbers<6>(rest);
    if (!n || !rest.empty()) throw wrongCollider(line, "six numbers are needed");
    out.offset = {(*n)[0], (*n)[1], (*n)[2]};
    out.end = {(*n)[3], (*n)[4], (*n)[5]};
    if (!(glm::length(out.end) > 0.0f)) throw wrongCollider(line, "the normal has no direction");
    return;
  }
  if (out.shape == ColliderShape::capsule) {
    const auto end = takeNumbers<3>(rest);
    if (!end) throw wrongCollider(line, "seven numbers are needed");
    out.end = {(*end)[0], (*end)[1], (*end)[2]};
  }
  const auto n = takeNumbers<4>(rest);
  if (!n || !rest.empty()) throw wrongCollider(line, "numbers are missing, or there are too many");
  out.offset = {(*n)[0], (*n)[1], (*n)[2]};
  out.radius = (*n)[3];
  if (out.radius < 0.0f) throw wrongCollider(line, "the radius is negative");
}

SpringBoneCollider parseCollider(const NodesByName& nodes, const std::string& line) {
  for (const ShapeWord& each : kShapeWords) {
    const std::string word = fmt::format(" {} ", each.word);
    const std::size_t at = line.rfind(word);
    if (at == std::string::npos) continue;
    SpringBoneCollider out;
    out.shape.shape = each.shape;
    out.shape.inside = each.inside;
    readNumbers(line, std::string_view(line).substr(at + word.size() - 1), out.shape);
    out.shape.node = line.substr(0, at);
    out.node = requireNode(nodes, out.shape.node);
    return out;
  }
  throw wrongCollider(line, "is no sphere, capsule or plane");
}

} // namespace

static void makeState(const SpringBoneLayer& layer, const Model& model,
                      SpringBoneLayer::State& state) {
  const NodesByName nodes = nodesByName(model.hierarchy);
  state.set = {};
  for (const std::string& line : layer.joints) {
    SpringBone bone = parseBone(model.hierarchy, nodes, line);
    bone.stiffness *= layer.stiffness;
    bone.drag = std::min(bone.drag * layer.drag, 1.0f);
    bone.gravity *= layer.gravity;
    state.set.bones.push_back(bone);
  }
  std::ranges::stable_sort(state.set.bones, {}, &SpringBone::node);
  const auto twice = std::ranges::adjacent_find(state.set.bones, {}, &SpringBone::node);
  if (twice != state.set.bones.end())
    throw usageError(
        fmt::format("the joint '{}' is there twice", model.hierarchy.nodes[twice->node].name));
  for (const std::string& line : layer.colliders)
    state.set.colliders.push_back(parseCollider(nodes, line));
  if (!layer.center.empty()) state.set.center = requireNode(nodes, layer.center);
  findNodes(model.hierarchy, state.set);
}

void apply(const SpringBoneLayer& layer, SpringBoneLayer::State& state, const LayerInput& input,
           Pose& out) {
  updateState(layer, input.model, state);
  if (input.fresh) state.tails = {};
  applySpringBones(state.set, input.dt, state.tails, out);
}

std::string findProblem(const Model& model, const SpringBoneLayer& layer) {
  return problemOfState(model, layer);
}

std::string toString(const SpringJoint& joint) {
  const std::string to =
      joint.tail.empty() ? fmt::format("end {}", joint.endLength) : "-> " + joint.tail;
  return fmt::format("{} {} {} {} {} {} {} {}", joint.node, to, joint.stiffness, joint.drag,
                     joint.gravity.x, joint.gravity.y, joint.gravity.z, joint.radius);
}

std::string toString(const SpringCollider& collider) {
  const auto each = std::ranges::find_if(kShapeWords, [&](const ShapeWord& word) {
    return word.shape == collider.shape && word.inside == collider.inside;
  });
  const vec3 &at = collider.offset, &end = collider.end;
  std::string out = fmt::format("{} {} {} {} {}", collider.node,
                                each == kShapeWords.end() ? "plane" : each->word, at.x, at.y, at.z);
  if (collider.shape != ColliderShape::plane) out += fmt::format(" {}", collider.radius);
  if (collider.shape != ColliderShape::sphere) out += fmt::format(" {} {} {}", end.x, end.y, end.z);
  return out;
}

namespace {

// Springs in the order in which they swing: first those that carry joints or colliders of others.
// Where they carry each other, in the order of the file.
class SpringOrder {
 public:
  SpringOrder(const Model& model, const NodesByName& nodes)
      : model_(model), nodes_(nodes), carrier_(model.hierarchy.nodes.size(), kNone),
        state_(model.springBones.springs.size(), 0) {
    const std::vector<Spring>& springs = model.springBones.springs;
    for (std::size_t s = 0; s < springs.size(); ++s)
      for (const SpringJoint& joint : springs[s].joints)
        if (const auto node = nodes.find(joint.node); node != nodes.end())
          carrier_[node->second] = s;
    for (std::size_t i = 0; i < carrier_.size(); ++i) {
      const std::uint32_t parent = model.hierarchy.nodes[i].parent;
      if (carrier_[i] == kNone && parent != kNoNode) carrier_[i] = carrier_[parent];
    }
  }

  std::vector<std::size_t> order() {
    for (std::size_t s = 0; s < state_.size(); ++s)
      visit(s);
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::size_t findCarrier(const std::string& name) const {
    const auto node = nodes_.find(name);
    return node == nodes_.end() ? kNone : carrier_[node->second];
  }

  std::vector<std::size_t> findCarriers(const Spring& spring) const {
    std::vector<std::size_t> all;
    for (const SpringJoint& joint : spring.joints)
      if (const auto node = nodes_.find(joint.node); node != nodes_.end())
        if (const std::uint32_t parent = model_.hierarchy.nodes[node->second].parent;
            parent != kNoNode)
          all.push_back(carrier_[parent]);
    const SpringBones& bones = model_.springBones;
    for (const std::uint32_t group : spring.colliderGroups)
      for (const std::uint32_t collider : bones.colliderGroups[group])
        all.push_back(findCarrier(bones.colliders[collider].node));
    return all;
  }

  // Without recursion: a file may nest as deep as it is long.
  void visit(std::size_t first) {
    std::vector<std::pair<std::size_t, std::vector<std::size_t>>> open;
    const auto enter = [&](std::size_t s) {
      if (s == kNone || state_[s] != 0) return;
      state_[s] = 1;
      std::vector<std::size_t> carriers = findCarriers(model_.springBones.springs[s]);
      std::ranges::reverse(carriers); // the first is taken first
      open.emplace_back(s, std::move(carriers));
    };
    enter(first);
    while (!open.empty()) {
      auto& [s, carriers] = open.back();
      if (carriers.empty()) {
        out_.push_back(s);
        open.pop_back();
        continue;
      }
      const std::size_t next = carriers.back();
      carriers.pop_back();
      enter(next);
    }
  }

  const Model& model_;
  const NodesByName& nodes_;
  std::vector<std::size_t> carrier_; // per node: the spring of the nearest joint, itself or above
  std::vector<char> state_;          // per spring: 1 when it has been entered
  std::vector<std::size_t> out_;
};

// A pair of a joint and a collider is tested in every step.
constexpr std::size_t kMaxPairs = std::size_t{1} << 17;
constexpr std::size_t kMaxLines = std::size_t{1} << 14;

bool isTooMany(const SpringBones& bones) {
  std::size_t pairs = 0, lines = 0;
  for (const Spring& spring : bones.springs) {
    std::size_t colliders = 0;
    for (const std::uint32_t group : spring.colliderGroups)
      colliders += bones.colliderGroups[group].size();
    pairs += spring.joints.size() * colliders;
    lines += spring.joints.size() + colliders;
    if (pairs > kMaxPairs || lines > kMaxLines) return true;
  }
  return false;
}

SpringBoneLayer makeLayer(const SpringBones& bones, const Spring& spring) {
  SpringBoneLayer layer;
  for (const SpringJoint& joint : spring.joints)
    layer.joints.push_back(toString(joint));
  for (const std::uint32_t group : spring.colliderGroups)
    for (const std::uint32_t collider : bones.colliderGroups[group])
      layer.colliders.push_back(toString(bones.colliders[collider]));
  layer.center = spring.center;
  return layer;
}

} // namespace

OwnSprings ownSprings(const Model& model) {
  OwnSprings out;
  const SpringBones& bones = model.springBones;
  if (bones.springs.empty()) return out;
  out.tooMany = isTooMany(bones);
  if (out.tooMany) return out;
  const NodesByName nodes = nodesByName(model.hierarchy);
  for (const std::size_t s : SpringOrder(model, nodes).order()) {
    const Spring& spring = bones.springs[s];
    SpringBoneLayer layer = makeLayer(bones, spring);
    if (layer.joints.empty() || !findProblem(model, layer).empty()) {
      ++out.leftOut;
      continue;
    }
    out.names.push_back(spring.name.empty() ? fmt::format("spring {}", s + 1) : spring.name);
    out.layers.push_back(std::move(layer));
  }
  return out;
}

} // namespace sinew
