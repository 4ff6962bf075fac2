#include "animation/joint_names.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <unordered_map>

namespace sinew {
namespace {

// Of a name that tools add for a joint's offset ("__UpLeg_L" above "UpLeg_L").
bool isHelper(std::string_view name) {
  return name.starts_with("__");
}

// normalizedJointName() without numbers, and with short words written out: "upperarm01.L" and
// "UpArm_L" are of one family.
std::string familyOf(std::string_view name) {
  std::string out = normalizedJointName(name);
  std::erase_if(out, [](char c) { return c >= '0' && c <= '9'; });
  for (const auto& [brief, whole] :
       {std::pair<std::string_view, std::string_view>{"uparm", "upperarm"},
        {"loarm", "lowerarm"},
        {"upleg", "upperleg"},
        {"loleg", "lowerleg"}})
    if (const std::size_t at = out.find(brief); at != std::string::npos)
      out.replace(at, brief.size(), whole);
  return out;
}

using Family = std::vector<std::uint32_t>; // nodes, parents first

bool isChain(const Hierarchy& hierarchy, const Family& nodes) {
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    std::uint32_t up = hierarchy.nodes[nodes[i]].parent;
    while (up != kNoNode && up != nodes[i - 1])
      up = hierarchy.nodes[up].parent;
    if (up == kNoNode) return false;
  }
  return true;
}

// Families that are a chain in both: the first of one is the first of the other, and so on.
void matchFamilies(const Model& model, const Model& motion, std::vector<std::uint32_t>& open,
                   std::map<std::uint32_t, std::uint32_t>& motionOf) {
  std::map<std::string, std::pair<Family, Family>> families;
  for (std::uint32_t n = 0; n < model.hierarchy.nodes.size(); ++n)
    if (!motionOf.contains(n)) families[familyOf(model.hierarchy.nodes[n].name)].first.push_back(n);
  for (const std::uint32_t n : open)
    if (const std::string& name = motion.hierarchy.nodes[n].name; !isHelper(name))
      families[familyOf(name)].second.push_back(n);
  std::set<std::uint32_t> matched;
  for (const auto& [name, family] : families) {
    const auto& [ours, theirs] = family;
    if (name.empty() || !isChain(model.hierarchy, ours) || !isChain(motion.hierarchy, theirs))
      continue;
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
      motionOf.emplace(ours[i], theirs[i]);
      matched.insert(theirs[i]);
    }
  }
  std::erase_if(open, [&](std::uint32_t n) { return matched.contains(n); });
}

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
  std::stable_partition(open.begin(), open.end(), [&](std::uint32_t node) {
    return !isHelper(motion.hierarchy.nodes[node].name);
  });
  std::erase_if(open, [&](std::uint32_t node) {
    const auto found = loose.find(normalizedJointName(motion.hierarchy.nodes[node].name));
    return found != loose.end() && motionOf.emplace(found->second, node).second;
  });
  matchFamilies(model, motion, open, motionOf);
  for (const std::uint32_t node : open)
    unmatched.push_back(motion.hierarchy.nodes[node].name);

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
