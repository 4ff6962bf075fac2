// Nodes of a file become nodes of the hierarchy: finite, with scales that are not zero and names
// that are unique.
#pragma once

#include "import/repairs.h"
#include "model/hierarchy.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sinew {

// A hierarchy with the names that the file gives its nodes: files repeat names, hierarchies do not.
struct NamedNodes {
  Hierarchy hierarchy;
  std::unordered_map<std::string, std::vector<std::uint32_t>> byName;
};

// A scale of 0 along an axis has no inverse: it becomes a tiny one. Whether there was any.
bool repairZeroScale(vec3& scale);

std::uint32_t appendNode(Hierarchy& hierarchy, const std::string& name, std::uint32_t parent,
                         Transform rest, RepairLog& repairs);

struct AppendedNode {
  std::uint32_t node = 0;
  std::optional<std::uint32_t> stretch; // the parent made for a sheared matrix
};

// A sheared matrix is no translation, rotation and scale, but the product of two such: it becomes
// two nodes.
AppendedNode appendNode(Hierarchy& hierarchy, const std::string& name, std::uint32_t parent,
                        const mat4& matrix, RepairLog& repairs);

// Repeated names get a number, missing ones become "node".
void makeNamesUnique(Hierarchy& hierarchy);

} // namespace sinew
