#include "page/page_posing.h"

#include "page/page_files.h"
#include "page/page_motion.h"
#include "page/pose_rig.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kNumbers = 11;    // of a node in a pose
constexpr std::size_t kPosesTried = 12; // poses of a clip
constexpr float kLargestShift = 1e-4f;  // of a vertex, of the model's size

Channels transformsOf(const PageClip& clip, std::span<const std::uint32_t> nodes) {
  Channels out = makeChannels(kNumbers * nodes.size(), clip.poses.size());
  for (std::size_t p = 0; p < clip.poses.size(); ++p) {
    const PagePose& pose = clip.poses[p];
    auto to = out.ofPose(p).begin();
    for (const std::uint32_t node : nodes) {
      const Transform& t = pose.parentFromNode[node];
      const float twist = node < pose.twists.size() ? pose.twists[node] : 0.0f;
      for (const float number :
           {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
            t.rotation.z, t.rotation.w, t.scale.x, t.scale.y, t.scale.z, twist})
        *to++ = number;
    }
  }
  return out;
}

Pose poseOf(std::span<const float> numbers) {
  Pose out;
  for (; !numbers.empty(); numbers = numbers.subspan(kNumbers))
    out.parentFromNode.push_back({{numbers[0], numbers[1], numbers[2]},
                                  {numbers[6], numbers[3], numbers[4], numbers[5]},
                                  {numbers[7], numbers[8], numbers[9]}});
  return out;
}

// How far the transforms put a vertex from where the pose has it, by its heaviest joint.
float shiftOf(const Rig& rig, const PoseRig& read, const PagePose& pose,
              std::span<const float> numbers) {
  const std::vector<mat4> modelFromNode = modelFromNodes(read.hierarchy, poseOf(numbers));
  std::vector<mat4> off;
  for (std::size_t j = 0; j < rig.joints.size(); ++j)
    off.push_back(
        (modelFromNode[read.rig.joints[j].node] - pose.modelFromNode[rig.joints[j].node]) *
        rig.joints[j].jointFromBind);
  float largest = 0.0f;
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    largest = std::max(
        largest, glm::length(transformPoint(off[rig.influences.of(v)[0].joint], rig.positions[v])));
  return largest;
}

Json addTransforms(const Rig& rig, const PoseRig& read, std::span<const std::uint32_t> nodes,
                   const PageClip& clip, float size, bool exact, PackedArrays& arrays) {
  const Channels given = transformsOf(clip, nodes);
  if (!exact) {
    PackedArrays rounded = arrays;
    Channels channels = given;
    Json out = addChannels(channels, false, rounded);
    const std::size_t every = (clip.poses.size() + kPosesTried - 1) / kPosesTried;
    float shift = 0.0f;
    for (std::size_t pose = 0; pose < clip.poses.size(); pose += every)
      shift = std::max(shift, shiftOf(rig, read, clip.poses[pose], channels.ofPose(pose)));
    if (shift <= kLargestShift * size) {
      arrays = std::move(rounded);
      return out;
    }
  }
  Channels channels = given;
  return addChannels(channels, true, arrays);
}

} // namespace

std::string_view pageFile(std::string_view path) {
  const auto found = std::ranges::find(pageFiles(), path, &PageFile::path);
  assert(found != pageFiles().end());
  return found->text;
}

std::string fixedReason(const Workbench& bench, std::span<const PageClip> clips) {
  for (const BoundMethod& bound : bench.bound)
    if (bound.method->shows) return fmt::format("{} shows a model of its own", bound.method->title);
  for (const PageClip& clip : clips)
    for (const PagePose& pose : clip.poses)
      if (pose.parentFromNode.empty()) return "its poses have no transforms";
  return {};
}

void addPosing(const Workbench& bench, std::span<const PageClip> clips, float size, bool exact,
               Json& description, PackedArrays& arrays) {
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
  posing["module"] = arrays.addBytes(pageFile("pose.wasm"));
  posing["rig"] = arrays.addBytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  posing["joints"] = Json::array();
  for (const std::uint32_t node : joints)
    posing["joints"].push_back(numberOf(node));
  posing["blended"] = Json::array();
  for (const BlendedPlace& place : places)
    posing["blended"].push_back({{"node", numberOf(place.node)},
                                 {"place", {place.inNode.x, place.inNode.y, place.inNode.z}}});
  for (std::size_t c = 0; c < clips.size(); ++c)
    description["clips"][c]["transforms"] =
        addTransforms(bench.rig, rig, nodes, clips[c], size, exact, arrays);
}

} // namespace sinew
