#include "page/page_posing.h"

#include "core/text.h"
#include "page/page_files.h"
#include "page/page_motion.h"
#include "page/pose_rig.h"
#include "skinning/modified.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

} // namespace

// A method's texts stand in the module's data with a zero after each. Before it there need not be
// one: a text may be the first of all, or the end of a longer one. So its name alone does not tell.
bool moduleHas(const Method& method) {
  const std::string_view module = pageFile("pose.wasm");
  return std::ranges::all_of(std::array{method.name, method.summary}, [&](std::string_view text) {
    return module.find(std::string(text) + '\0') != std::string_view::npos;
  });
}

std::string fixedReason(const Workbench& workbench, std::span<const PageClip> clips,
                        bool withModule) {
  for (const BoundMethod& bound : workbench.bound) {
    if (bound.method->shows) return fmt::format("{} shows a model of its own", bound.method->title);
    if (withModule && !moduleHas(*bound.method))
      return fmt::format("assets/page/pose.wasm lacks {}: run scripts/pose_module",
                         bound.method->title);
  }
  for (const PageClip& clip : clips)
    for (const PagePose& pose : clip.poses)
      if (pose.parentFromNode.empty()) return "its poses have no transforms";
  return {};
}

std::vector<std::uint32_t> addPosing(const Workbench& workbench, Json& description,
                                     PackedArrays& arrays) {
  const std::vector<std::uint32_t> joints = jointNodes(workbench.model);
  const std::vector<BlendedPlace> places = blendedPlaces(workbench);
  std::vector<std::uint32_t> others = joints;
  for (const BlendedPlace& place : places)
    others.push_back(place.node);
  std::vector<PoseMethod> methods;
  for (const BoundMethod& bound : workbench.bound)
    methods.push_back(
        isModified(bound.binding, velocityModifier())
            ? PoseMethod{bound.binding.parts[0].method, bound.binding.parts[0].binding}
            : PoseMethod{bound.method, bound.binding});
  std::vector<std::uint32_t> nodes;
  const PoseRig rig = poseRig(workbench.model.hierarchy, workbench.rig, methods, others, nodes);
  const auto findNumber = [&](std::uint32_t node) {
    return std::ranges::lower_bound(nodes, node) - nodes.begin();
  };

  const std::vector<std::byte> bytes = toBytes(rig);
  Json& posing = description["posing"];
  posing["rig"] = arrays.addBytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  for (const std::uint32_t node : nodes)
    posing["names"].push_back(validUtf8(workbench.model.hierarchy.nodes[node].name));
  posing["joints"] = Json::array();
  for (const std::uint32_t node : joints)
    posing["joints"].push_back(findNumber(node));
  posing["blended"] = Json::array();
  for (const BlendedPlace& place : places)
    posing["blended"].push_back({{"node", findNumber(place.node)},
                                 {"place", {place.inNode.x, place.inNode.y, place.inNode.z}}});
  return nodes;
}

} // namespace sinew
