// The scene graph: named nodes with local rest transforms, parents before children.
#pragma once

#include "core/transform.h"
#include "model/scene_parts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

inline constexpr std::uint32_t kNoNode = ~0u;

struct Node {
  std::string name;               // unique within the hierarchy
  std::uint32_t parent = kNoNode; // index of an earlier node, or kNoNode for the root
  Transform rest;                 // parent from node, as the file places it without animation
  std::optional<SceneCamera> camera = {};
  std::optional<SceneLight> light = {};
  std::string extras = {};    // custom properties: a JSON object, or empty
  std::string humanBone = {}; // "leftUpperArm": a humanoid's bone by VRM's names, or empty
};

// nodes[i].parent < i for all but the root: one forward pass visits parents first.
struct Hierarchy {
  std::vector<Node> nodes;
};

std::optional<std::uint32_t> findNode(const Hierarchy& hierarchy, std::string_view name);

// A name that no node has: the one wanted, or with the first number behind it that is free.
std::string freeNodeName(const Hierarchy& hierarchy, std::string_view wanted);

// Children of every node, in order.
std::vector<std::vector<std::uint32_t>> collectChildren(const Hierarchy& hierarchy);

} // namespace sinew
