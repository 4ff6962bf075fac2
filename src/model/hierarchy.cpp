#include "model/hierarchy.h"

namespace sinew {

std::optional<std::uint32_t> findNode(const Hierarchy& hierarchy, std::string_view name) {
  for (std::uint32_t i = 0; i < hierarchy.nodes.size(); ++i)
    if (hierarchy.nodes[i].name == name) return i;
  return std::nullopt;
}

std::string freeNodeName(const Hierarchy& hierarchy, std::string_view wanted) {
  const std::string base = wanted.empty() ? "joint" : std::string(wanted);
  std::string name = base;
  for (int number = 2; findNode(hierarchy, name); ++number)
    name = base + "_" + std::to_string(number);
  return name;
}

std::vector<std::vector<std::uint32_t>> collectChildren(const Hierarchy& hierarchy) {
  std::vector<std::vector<std::uint32_t>> children(hierarchy.nodes.size());
  for (std::uint32_t i = 0; i < hierarchy.nodes.size(); ++i)
    if (const std::uint32_t parent = hierarchy.nodes[i].parent; parent != kNoNode)
      children[parent].push_back(i);
  return children;
}

} // namespace sinew
