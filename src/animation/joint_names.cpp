#include "animation/joint_names.h"

#include <cctype>
#include <map>
#include <set>
#include <unordered_map>

namespace sinew {
namespace {

std::vector<std::uint32_t> movedNodes(const Model& motion) {
  std::set<std::uint32_t> nodes;
  for (const Clip& clip : motion.clips)
    for (const Channel& channel : clip.channels)
      nodes.insert(channel.node);
  return {nodes.begin(), nodes.end()};
}

} // namespace

std::vector<JointPair> matchJoints(const Model& model, const Model& motion,
                                   std::vector<std::string>& unmatched) {
  std::unordered_map<std::string, std::uint32_t> exact;
  std::unordered_map<std::string, std::uint32_t> loose;
  for (std::uint32_t i = 0; i < model.hierarchy.nodes.size(); ++i) {
    exact.emplace(model.hierarchy.nodes[i].name, i);
    loose.emplace(normalizedJointName(model.hierarchy.nodes[i].name), i);
  }
  std::map<std::uint32_t, std::uint32_t> motionOf;
  std::vector<std::uint32_t> open;
  for (const std::uint32_t node : movedNodes(motion)) {
    const auto found = exact.find(motion.hierarchy.nodes[node].name);
    if (found != exact.end() && motionOf.emplace(found->second, node).second) continue;
    open.push_back(node);
  }
  for (const std::uint32_t node : open) {
    const auto found = loose.find(normalizedJointName(motion.hierarchy.nodes[node].name));
    if (found != loose.end() && motionOf.emplace(found->second, node).second) continue;
    unmatched.push_back(motion.hierarchy.nodes[node].name);
  }

  std::vector<JointPair> pairs;
  std::map<std::uint32_t, std::size_t> pairOf;
  for (const auto& [node, other] : motionOf) { // ascending, so ancestors come first
    JointPair pair{
        node, other, model.hierarchy.nodes[node].name == motion.hierarchy.nodes[other].name, {}};
    for (std::uint32_t up = model.hierarchy.nodes[node].parent; up != kNoNode && !pair.parent;
         up = model.hierarchy.nodes[up].parent)
      if (const auto found = pairOf.find(up); found != pairOf.end()) pair.parent = found->second;
    pairOf[node] = pairs.size();
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

} // namespace sinew
