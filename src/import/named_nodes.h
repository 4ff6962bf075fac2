// A hierarchy with the names that the file gives its nodes: files repeat names, hierarchies do not.
#pragma once

#include "model/hierarchy.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace sinew {

struct NamedNodes {
  Hierarchy hierarchy;
  std::unordered_map<std::string, std::vector<std::uint32_t>> byName;
};

} // namespace sinew
