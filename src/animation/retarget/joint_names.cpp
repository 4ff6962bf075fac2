#include "animation/retarget/joint_names.h"

#include "core/error.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

namespace sinew {
namespace {

std::vector<std::uint32_t> movedNodes(const Model& motion) {
  std::set<std::uint32_t> nodes;
  for (const Clip& clip : motion.clips)
    for (const Channel& channel : clip.channels)
      nodes.insert(channel.node);
  return {nodes.begin(), nodes.end()};
}

using NodesOfParts = std::map<std::string, std::vector<std::uint32_t>>;

NodesOfParts groupByPart(const Model& model, const std::vector<std::uint32_t>& nodes) {
  NodesOfParts parts;
  for (const std::uint32_t node : nodes)
    if (const std::string part = bodyPart(model.hierarchy.nodes[node]); !part.empty())
      parts[part].push_back(node);
  NodesOfParts likely;
  for (const std::uint32_t node : nodes)
    if (const std::string part = likelyBodyPart(model.hierarchy.nodes[node]);
        !part.empty() && !parts.contains(part))
      likely[part].push_back(node);
  parts.merge(likely);
  // With a collar and a shoulder but no upper arm, the upper arm begins at the shoulder.
  for (const std::string side : {"left ", "right "})
    if (const auto collars = parts.find(side + "clavicle"); collars != parts.end() &&
                                                            collars->second.size() > 1 &&
                                                            !parts.contains(side + "upper arm")) {
      parts[side + "upper arm"] = {collars->second.back()};
      collars->second.pop_back();
    }
  return parts;
}

// Only the first of several joints of one part is matched, except for the spine.
std::vector<std::pair<std::uint32_t, std::uint32_t>>
sameParts(const Model& model, const std::vector<std::uint32_t>& nodes, const Model& motion,
          const std::vector<std::uint32_t>& others) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  const NodesOfParts there = groupByPart(motion, others);
  for (const auto& [part, joints] : groupByPart(model, nodes)) {
    const auto found = there.find(part);
    if (found == there.end()) continue;
    const std::size_t smaller = std::min(joints.size(), found->second.size());
    const std::size_t count = part == "spine" ? smaller : 1;
    for (std::size_t i = 0; i < count; ++i) {
      const auto shared = [&](std::size_t size) {
        return count > 1 ? i * (size - 1) / (count - 1) : 0;
      };
      pairs.emplace_back(joints[shared(joints.size())],
                         found->second[shared(found->second.size())]);
    }
  }
  return pairs;
}

// kNoNode where no node is above both.
std::uint32_t nodeAbove(const Hierarchy& hierarchy, std::uint32_t a, std::uint32_t b) {
  while (a != b && a != kNoNode && b != kNoNode) // parents come first
    (a > b ? a : b) = hierarchy.nodes[std::max(a, b)].parent;
  return a == b ? a : kNoNode;
}

// The joint above all pairs of the motion and that of the model, where both have one without a pair
// and no pair is above all others: hips that carry legs and back. What is not matched in between
// would stay, while legs and back turn with the motion.
std::optional<std::pair<std::uint32_t, std::uint32_t>>
jointsAboveAll(const Model& model, const Model& motion,
               const std::map<std::uint32_t, JointPair>& pairByNode) {
  if (pairByNode.empty()) return std::nullopt;
  std::uint32_t here = pairByNode.begin()->second.model;
  std::uint32_t there = pairByNode.begin()->second.motion;
  for (const auto& [node, pair] : pairByNode) {
    if (here != kNoNode) here = nodeAbove(model.hierarchy, here, pair.model);
    if (there != kNoNode) there = nodeAbove(motion.hierarchy, there, pair.motion);
  }
  if (here == kNoNode || there == kNoNode || pairByNode.contains(here)) return std::nullopt;
  return std::pair(here, there);
}

bool isAbove(const Hierarchy& hierarchy, std::uint32_t above, std::uint32_t node) {
  return above != node && nodeAbove(hierarchy, above, node) == above;
}

// Whether a joint would follow what is above the motion of a joint above it, or below that of one
// below it: bones between the two would point backwards.
bool crosses(const Model& model, const Model& motion,
             const std::map<std::uint32_t, JointPair>& pairByNode, std::uint32_t node,
             std::uint32_t there) {
  return std::ranges::any_of(pairByNode, [&](const auto& entry) {
    const JointPair& pair = entry.second;
    return (isAbove(model.hierarchy, pair.model, node) &&
            isAbove(motion.hierarchy, there, pair.motion)) ||
           (isAbove(model.hierarchy, node, pair.model) &&
            isAbove(motion.hierarchy, pair.motion, there));
  });
}

std::uint32_t nodeNamed(const Model& model, const char* kind, const std::string& name) {
  if (const auto node = findNode(model.hierarchy, name)) return *node;
  std::vector<std::string> names;
  for (const std::uint32_t joint : jointNodes(model))
    names.push_back(model.hierarchy.nodes[joint].name);
  throw unknownName(kind, name, names);
}

} // namespace

std::vector<JointPair> matchJoints(const Model& model, const Model& motion, const MotionMap& map,
                                   std::vector<std::string>& unmatched) {
  std::unordered_map<std::string, std::uint32_t> exact;
  std::unordered_map<std::string, std::uint32_t> loose;
  for (std::uint32_t i = 0; i < model.hierarchy.nodes.size(); ++i) {
    exact.emplace(model.hierarchy.nodes[i].name, i);
    loose.emplace(normalizedJointName(model.hierarchy.nodes[i].name), i);
  }
  std::map<std::uint32_t, JointPair> pairByNode; // by the model's node: parents come first
  const auto take = [&](std::uint32_t node, std::uint32_t there, NameMatch match) {
    return pairByNode.emplace(node, JointPair{node, there, match, {}}).second;
  };
  std::set<std::uint32_t> still; // the map names nothing that moves them
  std::set<std::uint32_t> given;
  for (const auto& [joint, there] : map.joints) {
    const std::uint32_t node = nodeNamed(model, "joint of the model", joint);
    if (!there) {
      still.insert(node);
      continue;
    }
    given.insert(nodeNamed(motion, "joint of the motion", *there));
    pairByNode[node] = {node, *findNode(motion.hierarchy, *there), NameMatch::given, {}};
  }
  for (const std::uint32_t node : still) {
    exact.erase(model.hierarchy.nodes[node].name);
    std::erase_if(loose, [&](const auto& entry) { return entry.second == node; });
  }
  std::vector<std::uint32_t> open;
  for (const std::uint32_t node : movedNodes(motion)) {
    if (given.contains(node)) continue;
    const auto found = exact.find(motion.hierarchy.nodes[node].name);
    if (found == exact.end() || !take(found->second, node, NameMatch::exact)) open.push_back(node);
  }
  // Helper nodes that tools insert for a joint's offset come after the joints and are no body
  // parts.
  const auto helpers = std::stable_partition(open.begin(), open.end(), [&](std::uint32_t node) {
    return !motion.hierarchy.nodes[node].name.starts_with("__");
  });
  const std::set<std::uint32_t> noParts(helpers, open.end());
  std::erase_if(open, [&](std::uint32_t node) {
    const auto found = loose.find(normalizedJointName(motion.hierarchy.nodes[node].name));
    return found != loose.end() && take(found->second, node, NameMatch::normalised);
  });
  std::vector<std::uint32_t> free;
  for (const std::uint32_t node : jointNodes(model))
    if (!pairByNode.contains(node) && !still.contains(node)) free.push_back(node);
  std::vector<std::uint32_t> parts;
  std::copy_if(open.begin(), open.end(), std::back_inserter(parts),
               [&](std::uint32_t node) { return !noParts.contains(node); });
  for (const auto& [node, there] : sameParts(model, free, motion, parts))
    if (!crosses(model, motion, pairByNode, node, there) && take(node, there, NameMatch::part))
      std::erase(open, there);
  if (const auto above = jointsAboveAll(model, motion, pairByNode);
      above && !still.contains(above->first) && std::ranges::count(parts, above->second) > 0 &&
      std::ranges::count(open, above->second) > 0) {
    take(above->first, above->second, NameMatch::part);
    std::erase(open, above->second);
  }
  for (const std::uint32_t node : open)
    unmatched.push_back(motion.hierarchy.nodes[node].name);

  std::vector<JointPair> pairs;
  std::map<std::uint32_t, std::size_t> indexByNode;
  for (auto& [node, pair] : pairByNode) {
    for (std::uint32_t up = model.hierarchy.nodes[node].parent; up != kNoNode && !pair.parent;
         up = model.hierarchy.nodes[up].parent)
      if (const auto found = indexByNode.find(up); found != indexByNode.end())
        pair.parent = found->second;
    indexByNode[node] = pairs.size();
    pairs.push_back(pair);
  }
  return pairs;
}

std::string normalizedJointName(std::string_view name) {
  if (const std::size_t colon = name.find_last_of(":|"); colon != std::string_view::npos)
    name.remove_prefix(colon + 1);
  std::string out;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

namespace {

bool isCapital(char c) {
  return std::isupper(static_cast<unsigned char>(c)) != 0;
}

const std::map<std::string, std::string, std::less<>> kSided{
    {"thigh", "thigh"},       {"upleg", "thigh"},        {"upperleg", "thigh"},
    {"leg", "calf"},          {"lowerleg", "calf"},      {"loleg", "calf"},
    {"calf", "calf"},         {"shin", "calf"},          {"foot", "foot"},
    {"ankle", "foot"},        {"toe", "toes"},           {"toes", "toes"},
    {"toebase", "toes"},      {"ball", "toes"},          {"shoulder", "clavicle"},
    {"clavicle", "clavicle"}, {"collar", "clavicle"},    {"arm", "upper arm"},
    {"uparm", "upper arm"},   {"upperarm", "upper arm"}, {"forearm", "forearm"},
    {"lowerarm", "forearm"},  {"loarm", "forearm"},      {"hand", "hand"},
    {"wrist", "hand"},        {"palm", "hand"},
};

const std::map<std::string, std::string, std::less<>> kMiddleWords{
    {"hips", "hips"},   {"hip", "hips"},         {"pelvis", "hips"},   {"spine", "spine"},
    {"back", "spine"},  {"lowerback", "spine"},  {"abdomen", "spine"}, {"torso", "spine"},
    {"chest", "spine"}, {"upperchest", "spine"}, {"neck", "neck"},     {"head", "head"},
};

const std::map<std::string, std::string, std::less<>> kLikelySided{
    {"hip", "thigh"}, {"knee", "calf"}, {"elbow", "forearm"}};

using PartNames = std::map<std::string, std::string, std::less<>>;

// sided: parts by the rest of a name with a side in it; middle: by a name without a side.
std::string partIn(std::string_view name, const PartNames& sided, const PartNames& middle) {
  std::string side;
  std::string rest;
  for (const std::string& word : jointNameWords(name)) {
    if (word == "l" || word == "left" || word == "r" || word == "right") {
      if (!side.empty()) return {};
      side = word[0] == 'l' ? "left " : "right ";
    } else if (!rest.empty() || !isNamePrefix(word)) {
      rest += word;
    }
  }
  const PartNames& parts = side.empty() ? middle : sided;
  const auto found = parts.find(rest);
  return found != parts.end() ? side + found->second : std::string();
}

} // namespace

bool isNamePrefix(std::string_view word) {
  return word == "bip" || word == "b" || word == "def" || word == "jnt" || word == "bone";
}

std::vector<std::string> jointNameWords(std::string_view name) {
  if (const std::size_t colon = name.find_last_of(":|"); colon != std::string_view::npos)
    name.remove_prefix(colon + 1);
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
    // A capital begins a word after a small letter, or before one (LFoot, UPPER).
    const bool begins =
        isCapital(c) && i > 0 &&
        (!isCapital(name[i - 1]) || (i + 1 < name.size() && !isCapital(name[i + 1]) &&
                                     std::isalpha(static_cast<unsigned char>(name[i + 1])) != 0));
    if ((!letter || begins) && !words.back().empty()) words.emplace_back();
    if (letter) words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string bodyPart(std::string_view name) {
  return partIn(name, kSided, kMiddleWords);
}

std::string likelyBodyPart(std::string_view name) {
  return partIn(name, kLikelySided, {});
}

std::string bodyPart(const Node& node) {
  return bodyPart(node.humanBone.empty() ? node.name : node.humanBone);
}

std::string likelyBodyPart(const Node& node) {
  return likelyBodyPart(node.humanBone.empty() ? node.name : node.humanBone);
}

} // namespace sinew
