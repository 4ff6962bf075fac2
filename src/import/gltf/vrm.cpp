#include "import/gltf/steps.h"
#include "import/repairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sinew {
namespace {

// As far as the numbers of a line of a layer go (spring_bone_layer.h).
constexpr float kLargestInLine = 1e6f;
constexpr std::size_t kNoTarget = ~std::size_t{0};

float within(std::optional<float> value, float otherwise, float low, float high) {
  return std::clamp(value.value_or(otherwise), low, high);
}

std::optional<vec3> vectorIn(const GltfJson& holder, const char* key) {
  const GltfJson& values = usableArray(holder, key);
  if (values.size() != 3) return std::nullopt;
  vec3 out;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!values[i].is_number()) return std::nullopt;
    out[static_cast<int>(i)] = values[i].get<float>();
  }
  if (!isUsable(out)) return std::nullopt;
  return glm::clamp(out, -kLargestInLine, kLargestInLine);
}

// VRM 0 has vectors as {"x": 0, "y": 0, "z": 0}.
vec3 namedVectorIn(const GltfJson& holder, const char* key, const vec3& otherwise) {
  if (memberIn(holder, key) == nullptr) return otherwise;
  const GltfJson& value = usableObject(holder, key);
  const auto at = [&](const char* axis) {
    return within(usableNumber(value, axis), 0.0f, -kLargestInLine, kLargestInLine);
  };
  return {at("x"), at("y"), at("z")};
}

bool isTrue(const GltfJson& holder, const char* key) {
  const GltfJson* value = memberIn(holder, key);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

class VrmReader {
 public:
  VrmReader(GltfDocument& document, const GltfMorphsOfNodes& morphs, GltfNodes& nodes, Model& model)
      : document_(document), morphs_(morphs), nodes_(nodes), model_(model) {}

  void read() {
    const GltfJson& extensions = usableObject(document_.root(), "extensions");
    const GltfJson& vrm1 = usableObject(extensions, "VRMC_vrm");
    const GltfJson& springs1 = usableObject(extensions, "VRMC_springBone");
    const GltfJson& vrm0 = usableObject(extensions, "VRM");
    if (!vrm1.empty()) {
      readHumanoid1(usableObject(usableObject(vrm1, "humanoid"), "humanBones"));
      readExpressions(usableObject(vrm1, "expressions"));
    } else if (!vrm0.empty()) {
      for (const GltfJson& bone : usableArray(usableObject(vrm0, "humanoid"), "humanBones"))
        nameBone(usableText(bone, "bone"), bone);
      readShapeGroups(usableArray(usableObject(vrm0, "blendShapeMaster"), "blendShapeGroups"));
    }
    if (!springs1.empty())
      readSprings(springs1);
    else if (!vrm0.empty())
      readSecondary(usableObject(vrm0, "secondaryAnimation"));
    if (missing_ > 0)
      model_.warnings.push_back(fmt::format("VRM: {} of what it names {} not exist", missing_,
                                            missing_ == 1 ? "does" : "do"));
  }

 private:
  // The node of the hierarchy that a member names.
  std::optional<std::uint32_t> nodeIn(const GltfJson& holder, const char* key) {
    const GltfJson* value = memberIn(holder, key);
    return value != nullptr ? nodeAt(*value) : missing();
  }
  std::optional<std::uint32_t> nodeAt(const GltfJson& value) {
    const auto index = usableIndex(value);
    if (!index || *index >= nodes_.nodeByFileNode.size() ||
        nodes_.nodeByFileNode[*index] == kNoNode)
      return missing();
    return nodes_.nodeByFileNode[*index];
  }
  std::nullopt_t missing() {
    ++missing_;
    return std::nullopt;
  }

  // Names are told again wherever a node is named.
  const std::string& takeName(std::uint32_t node) {
    const std::string& name = nodes_.hierarchy.nodes[node].name;
    document_.budget().take(1, sizeof(SpringJoint) + name.size(), "spring bones");
    return name;
  }

  void nameBone(std::string bone, const GltfJson& holder) {
    if (const auto node = nodeIn(holder, "node"); node && !bone.empty() && isFirst(bone))
      nodes_.hierarchy.nodes[*node].humanBone = std::move(bone);
  }
  bool isFirst(const std::string& bone) { return bones_.insert(bone).second; }

  void readHumanoid1(const GltfJson& bones) {
    for (const auto& [bone, value] : bones.items())
      nameBone(bone, value);
  }

  // --- morph poses

  void addWeights(std::size_t fileNode, const GltfJson& bind, float weight, MorphPose& pose) {
    const GltfJson* index = memberIn(bind, "index");
    const std::size_t target =
        index != nullptr ? usableIndex(*index).value_or(kNoTarget) : kNoTarget;
    const auto found = morphs_.find(fileNode);
    if (found == morphs_.end() || target >= found->second.count) {
      ++missing_;
      return;
    }
    document_.budget().take(1, sizeof(MorphPoseWeight), "weights of expressions");
    pose.weights.push_back({found->second.first + static_cast<std::uint32_t>(target), weight});
  }

  void readExpressions(const GltfJson& expressions) {
    for (const char* kind : {"preset", "custom"})
      for (const auto& [name, expression] : usableObject(expressions, kind).items()) {
        MorphPose pose{name, {}, false};
        for (const GltfJson& bind : usableArray(expression, "morphTargetBinds")) {
          const GltfJson* node = memberIn(bind, "node");
          const auto index = node != nullptr ? usableIndex(*node) : std::nullopt;
          if (index)
            addWeights(*index, bind, within(usableNumber(bind, "weight"), 1.0f, 0.0f, 1.0f), pose);
          else
            ++missing_;
        }
        pose.binary = isTrue(expression, "isBinary");
        addPose(std::move(pose));
      }
  }

  // The same by meshes, and weights in percent.
  void readShapeGroups(const GltfJson& groups) {
    std::multimap<std::size_t, std::size_t> nodesOfMesh;
    for (std::size_t node = 0; node < nodes_.nodeByFileNode.size(); ++node)
      if (const GltfJson* mesh = memberIn(document_.item("nodes", node), "mesh"); mesh != nullptr)
        if (const auto index = usableIndex(*mesh)) nodesOfMesh.emplace(*index, node);
    for (const GltfJson& group : groups) {
      const std::string preset = usableText(group, "presetName");
      MorphPose pose{
          preset.empty() || preset == "unknown" ? usableText(group, "name") : preset, {}, false};
      for (const GltfJson& bind : usableArray(group, "binds")) {
        const GltfJson* mesh = memberIn(bind, "mesh");
        const auto index = mesh != nullptr ? usableIndex(*mesh) : std::nullopt;
        const auto [from, to] = nodesOfMesh.equal_range(index.value_or(~std::size_t{0}));
        if (from == to) ++missing_;
        const float weight = within(usableNumber(bind, "weight"), 100.0f, 0.0f, 100.0f) / 100.0f;
        for (auto node = from; node != to; ++node)
          addWeights(node->second, bind, weight, pose);
      }
      pose.binary = isTrue(group, "isBinary");
      addPose(std::move(pose));
    }
  }

  // The first of two poses with one name stays. What only changes materials is no pose.
  void addPose(MorphPose pose) {
    if (pose.name.empty() || pose.weights.empty() || !poses_.insert(pose.name).second) return;
    model_.morphPoses.push_back(std::move(pose));
  }

  // --- springs of VRM 1

  void readSprings(const GltfJson& extension) {
    SpringBones& bones = model_.springBones;
    // Per collider and group of the file that of the model; none where it is left out.
    std::vector<std::optional<std::uint32_t>> colliders;
    for (const GltfJson& collider : usableArray(extension, "colliders"))
      colliders.push_back(readCollider(collider));
    for (const GltfJson& group : usableArray(extension, "colliderGroups")) {
      std::vector<std::uint32_t>& out = bones.colliderGroups.emplace_back();
      for (const GltfJson& value : usableArray(group, "colliders"))
        if (const auto index = usableIndex(value); !index || *index >= colliders.size())
          ++missing_;
        else if (colliders[*index])
          out.push_back(*colliders[*index]);
    }
    for (const GltfJson& source : usableArray(extension, "springs")) {
      Spring spring;
      spring.name = usableText(source, "name");
      if (memberIn(source, "center") != nullptr)
        if (const auto node = nodeIn(source, "center")) spring.center = takeName(*node);
      readGroups(source, spring);
      readChain(usableArray(source, "joints"), spring);
      if (!spring.joints.empty()) bones.springs.push_back(std::move(spring));
    }
  }

  std::optional<std::uint32_t> readCollider(const GltfJson& source) {
    const auto node = nodeIn(source, "node");
    if (!node) return std::nullopt;
    const GltfJson& extended =
        usableObject(usableObject(source, "extensions"), "VRMC_springBone_extended_collider");
    const bool isExtended = usableText(extended, "specVersion") == "1.0";
    const GltfJson& shape = usableObject(isExtended ? extended : source, "shape");
    SpringCollider out;
    const char* word = nullptr;
    for (const auto& [name, kind] :
         {std::pair("sphere", ColliderShape::sphere), std::pair("capsule", ColliderShape::capsule),
          std::pair("plane", ColliderShape::plane)})
      if (word == nullptr && memberIn(shape, name) != nullptr) {
        word = name;
        out.shape = kind;
      }
    if (word == nullptr || (out.shape == ColliderShape::plane && !isExtended)) return missing();
    const GltfJson& values = usableObject(shape, word);
    out.node = takeName(*node);
    out.offset = vectorIn(values, "offset").value_or(vec3(0.0f));
    out.radius = within(usableNumber(values, "radius"), 0.0f, 0.0f, kLargestInLine);
    const GltfJson* inside = memberIn(values, "inside");
    out.inside = isExtended && out.shape != ColliderShape::plane && inside != nullptr &&
                 inside->is_boolean() && inside->get<bool>();
    out.end = out.shape == ColliderShape::plane
                  ? vectorIn(values, "normal").value_or(vec3(0.0f, 0.0f, 1.0f))
                  : vectorIn(values, "tail").value_or(vec3(0.0f));
    if (out.shape == ColliderShape::plane && out.end == vec3(0.0f)) return missing();
    return add(std::move(out));
  }

  std::uint32_t add(SpringCollider collider) {
    std::vector<SpringCollider>& all = model_.springBones.colliders;
    all.push_back(std::move(collider));
    return static_cast<std::uint32_t>(all.size() - 1);
  }

  void readGroups(const GltfJson& source, Spring& spring) {
    for (const GltfJson& value : usableArray(source, "colliderGroups"))
      if (const auto index = usableIndex(value);
          index && *index < model_.springBones.colliderGroups.size())
        spring.colliderGroups.push_back(static_cast<std::uint32_t>(*index));
      else
        ++missing_;
  }

  // Each joint's tail is the next one; the last is a tail alone.
  void readChain(const GltfJson& joints, Spring& spring) {
    std::optional<std::uint32_t> before;
    const GltfJson* settings = nullptr;
    for (const GltfJson& source : joints) {
      const auto node = nodeIn(source, "node");
      if (before && node && *node != *before && isBelow(*node, *before)) {
        SpringJoint joint = readJointSettings(*settings, "stiffness");
        const vec3 direction = vectorIn(*settings, "gravityDir").value_or(vec3(0.0f, -1.0f, 0.0f));
        joint.gravity = readGravity(*settings, direction);
        joint.node = takeName(*before);
        joint.tail = takeName(*node);
        addJoint(std::move(joint), spring);
      } else if (before && node) {
        ++missing_;
      }
      before = node;
      settings = &source;
    }
  }

  // A chain leads down: no joint of a spring twice.
  void addJoint(SpringJoint joint, Spring& spring) {
    if (spring.joints.empty()) inSpring_.clear();
    if (inSpring_.insert(joint.node).second)
      spring.joints.push_back(std::move(joint));
    else
      ++missing_;
  }

  // The nodes above one are told once for each place in the chain.
  bool isBelow(std::uint32_t node, std::uint32_t above) {
    while (node != kNoNode && node > above) // parents come first
      node = nodes_.hierarchy.nodes[node].parent;
    return node == above;
  }

  static SpringJoint readJointSettings(const GltfJson& source, const char* stiffness) {
    SpringJoint joint;
    joint.stiffness = within(usableNumber(source, stiffness), 1.0f, 0.0f, kLargestInLine);
    joint.drag = within(usableNumber(source, "dragForce"), 0.4f, 0.0f, 1.0f);
    joint.radius = within(usableNumber(source, "hitRadius"), 0.0f, 0.0f, kLargestInLine);
    return joint;
  }

  static vec3 readGravity(const GltfJson& source, const vec3& direction) {
    const float power =
        within(usableNumber(source, "gravityPower"), 0.0f, -kLargestInLine, kLargestInLine);
    return glm::clamp(power * direction, -kLargestInLine, kLargestInLine);
  }

  // --- springs of VRM 0

  void readSecondary(const GltfJson& extension) {
    SpringBones& bones = model_.springBones;
    for (const GltfJson& group : usableArray(extension, "colliderGroups")) {
      bones.colliderGroups.emplace_back(); // also one that is left out keeps its number
      const auto node = nodeIn(group, "node");
      if (!node) continue;
      for (const GltfJson& source : usableArray(group, "colliders")) {
        SpringCollider collider;
        collider.node = takeName(*node);
        collider.offset = namedVectorIn(source, "offset", vec3(0.0f));
        collider.offset.z = -collider.offset.z; // the file's space is left-handed
        collider.radius = within(usableNumber(source, "radius"), 0.0f, 0.0f, kLargestInLine);
        const std::uint32_t index = add(std::move(collider));
        bones.colliderGroups.back().push_back(index);
      }
    }
    for (const GltfJson& source : usableArray(extension, "boneGroups")) {
      Spring spring;
      spring.name = usableText(source, "comment");
      const GltfJson* center = memberIn(source, "center"); // -1: none
      if (center != nullptr && usableIndex(*center))
        if (const auto node = nodeAt(*center)) spring.center = takeName(*node);
      readGroups(source, spring);
      for (const GltfJson& root : usableArray(source, "bones"))
        if (const auto node = nodeAt(root)) readTree(*node, source, spring);
      if (!spring.joints.empty()) bones.springs.push_back(std::move(spring));
    }
  }

  // Every joint of the tree swings. Its tail is its first child; that of an end is 7 cm behind it.
  void readTree(std::uint32_t root, const GltfJson& settings, Spring& spring) {
    constexpr float kEndLength = 0.07f;
    if (childrenOf_.empty()) childrenOf_ = collectChildren(nodes_.hierarchy);
    std::vector<std::uint32_t> open{root};
    while (!open.empty()) {
      const std::uint32_t node = open.back();
      open.pop_back();
      const std::vector<std::uint32_t>& children = childrenOf_[node];
      open.insert(open.end(), children.rbegin(), children.rend());
      SpringJoint joint = readJointSettings(settings, "stiffiness"); // as the format spells it
      joint.gravity =
          readGravity(settings, namedVectorIn(settings, "gravityDir", vec3(0.0f, -1.0f, 0.0f)));
      joint.node = takeName(node);
      if (children.empty())
        joint.endLength = kEndLength;
      else
        joint.tail = takeName(children.front());
      addJoint(std::move(joint), spring);
    }
  }

  GltfDocument& document_;
  const GltfMorphsOfNodes& morphs_;
  GltfNodes& nodes_;
  Model& model_;
  std::size_t missing_ = 0;
  std::set<std::string> bones_, poses_;
  std::set<std::string> inSpring_; // joints of the spring that is read
  std::vector<std::vector<std::uint32_t>> childrenOf_;
};

} // namespace

void readVrm(GltfDocument& document, const GltfMorphsOfNodes& morphs, GltfNodes& nodes,
             Model& model) {
  VrmReader(document, morphs, nodes, model).read();
}

} // namespace sinew
