#include "page/page_posing.h"

#include "page/page_motion.h"
#include "page/pose_rig.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

} // namespace

std::string fixedReason(const Workbench& bench, std::span<const PageClip> clips) {
  for (const BoundMethod& bound : bench.bound)
    if (bound.method->shows) return fmt::format("{} shows a model of its own", bound.method->title);
  for (const PageClip& clip : clips)
    for (const PagePose& pose : clip.poses)
      if (pose.parentFromNode.empty()) return "its poses have no transforms";
  return {};
}

std::vector<std::uint32_t> addPosing(const Workbench& bench, Json& description,
                                     PackedArrays& arrays) {
  const std::vector<std::uint32_t> joints = jointNodes(bench.model);
  const std::vector<BlendedPlace> places = blendedPlaces(bench);
  std::vector<std::uint32_t> others = joints;
  for (const BlendedPlace& place : places)
    others.push_back(place.node);
  std::vector<PoseMethod> methods;
  for (const BoundMethod& bound : bench.bound)
    methods.push_back({bound.method, bound.binding});
  std::vector<std::uint32_t> nodes;
  const PoseRig rig = poseRig(bench.model.hierarchy, bench.rig, methods, others, nodes);
  const auto numberOf = [&](std::uint32_t node) {
    return std::ranges::lower_bound(nodes, node) - nodes.begin();
  };

  const std::vector<std::byte> bytes = bytesOf(rig);
  Json& posing = description["posing"];
  posing["rig"] = arrays.addBytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  posing["joints"] = Json::array();
  for (const std::uint32_t node : joints)
    posing["joints"].push_back(numberOf(node));
  posing["blended"] = Json::array();
  for (const BlendedPlace& place : places)
    posing["blended"].push_back({{"node", numberOf(place.node)},
                                 {"place", {place.inNode.x, place.inNode.y, place.inNode.z}}});
  return nodes;
}

} // namespace sinew
