#include "model/hierarchy.h"

namespace sinew {

std::optional<std::uint32_t> findNode(const Hierarchy& hierarchy, std::string_view name) {
  for (std::uint32_t i = 0; i < hierarchy.nodes.size(); ++i)
    if (hierarchy.nodes[i].name == name) return i;
  return std::nullopt;
}

std::vector<std::vector<std::uint32_t>> childrenOf(const Hierarchy& hierarchy) {
  std::vector<std::vector<std::uint32_t>> children(hierarchy.nodes.size());
  for (std::uint32_t i = 0; i < hierarchy.nodes.size(); ++i)
    if (const std::uint32_t parent = hierarchy.nodes[i].parent; parent != kNoNode)
      children[parent].push_back(i);
  return children;
}

} // namespace sinew
