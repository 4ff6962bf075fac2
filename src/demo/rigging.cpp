#include "demo/rigging.h"

#include <glm/gtc/constants.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace sinew {
namespace {

constexpr std::size_t kMaxInfluences = 4;
constexpr float kSmallestWeight = 1e-3f;

// Copies one part (member) of a node's transform over all keys into a track; leaves the track
// empty where it never differs from rest.
template <class T>
void fillTrack(Track<T>& track, T Transform::*member, const Transform& rest,
               std::span<const float> times, const std::vector<std::vector<Transform>>& poses,
               std::size_t node) {
  const bool moves = std::any_of(poses.begin(), poses.end(), [&](const auto& pose) {
    return pose[node].*member != rest.*member;
  });
  if (!moves) return;
  track.times.assign(times.begin(), times.end());
  for (const auto& pose : poses)
    track.values.push_back(pose[node].*member);
}

void keepOnOneHemisphere(std::vector<quat>& values) {
  for (std::size_t i = 1; i < values.size(); ++i)
    if (glm::dot(values[i - 1], values[i]) < 0.0f) values[i] = -values[i];
}

} // namespace

Model makeSkeleton(std::string_view name, std::span<const JointSpec> joints) {
  Model model;
  model.name = name;
  model.format = "generated";
  model.metersPerUnit = 1.0f;
  Skin skin;
  for (const JointSpec& joint : joints) {
    Node node;
    node.name = joint.name;
    node.rest.translation = joint.position;
    if (!joint.parent.empty()) {
      node.parent = jointNamed(model, joint.parent);
      node.rest.translation -= joints[node.parent].position;
    }
    skin.joints.push_back({static_cast<std::uint32_t>(model.hierarchy.nodes.size()),
                           glm::translate(mat4(1.0f), -joint.position)});
    model.hierarchy.nodes.push_back(std::move(node));
  }
  model.skins.push_back(std::move(skin));
  return model;
}

std::uint32_t jointNamed(const Model& model, std::string_view name) {
  const auto found = findNode(model.hierarchy, name);
  assert(found);
  return *found;
}

float smoothStep(float distance, float halfWidth) {
  const float t = std::clamp(0.5f + 0.5f * distance / halfWidth, 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

void appendWeights(Influences& influences, std::span<const float> weightOfJoint) {
  std::vector<Influence> vertex;
  for (std::size_t j = 0; j < weightOfJoint.size(); ++j)
    if (weightOfJoint[j] > kSmallestWeight)
      vertex.push_back({static_cast<std::uint32_t>(j), weightOfJoint[j]});
  std::stable_sort(vertex.begin(), vertex.end(),
                   [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  vertex.resize(std::min(vertex.size(), kMaxInfluences));
  assert(!vertex.empty());
  float sum = 0.0f;
  for (const Influence& influence : vertex)
    sum += influence.weight;
  for (Influence& influence : vertex)
    influence.weight /= sum;
  influences.append(vertex);
}

FreeSpline splineOver(const Model& model, std::string_view name,
                      const std::array<std::string_view, 3>& joints) {
  FreeSpline spline;
  spline.name = name;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint32_t joint = jointNamed(model, joints[i]);
    spline.nodes[i] = joint;
    spline.points[i] = -vec3(model.skins[0].joints[joint].jointFromBind[3]); // A(j) only moves
  }
  return spline;
}

std::array<float, 3> nodeWeights(const FreeSpline& spline, const vec3& position) {
  const auto& [p1, p2, p3] = spline.points;
  const float a = glm::length(p2 - p1);
  const float b = glm::length(p3 - p2);
  const float along = glm::dot(position - p2, (p3 - p1) / glm::length(p3 - p1));
  const float second = smoothStep(along, 0.6f * std::min(a, b));
  const float third = second * smoothStep(along - 0.55f * b, 0.45f * b);
  return {1.0f - second, second - third, third};
}

quat rotationAbout(const vec3& axis, float degrees) {
  return glm::angleAxis(glm::radians(degrees), axis);
}

Clip bakeClip(const Model& model, std::string_view name, float seconds, std::uint32_t keys,
              const PoseFunction& pose) {
  const auto& nodes = model.hierarchy.nodes;
  std::vector<float> times;
  std::vector<std::vector<Transform>> poses;
  for (std::uint32_t key = 0; key <= keys; ++key) {
    const float phase = static_cast<float>(key) / static_cast<float>(keys);
    times.push_back(phase * seconds);
    std::vector<Transform> local;
    local.reserve(nodes.size());
    for (const Node& node : nodes)
      local.push_back(node.rest);
    pose(key == keys ? 0.0f : phase, local);
    poses.push_back(std::move(local));
  }
  Clip clip;
  clip.name = name;
  clip.seconds = seconds;
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    Channel channel;
    channel.node = node;
    fillTrack(channel.translation, &Transform::translation, nodes[node].rest, times, poses, node);
    fillTrack(channel.rotation, &Transform::rotation, nodes[node].rest, times, poses, node);
    fillTrack(channel.scale, &Transform::scale, nodes[node].rest, times, poses, node);
    keepOnOneHemisphere(channel.rotation.values);
    if (!channel.translation.times.empty() || !channel.rotation.times.empty() ||
        !channel.scale.times.empty())
      clip.channels.push_back(std::move(channel));
  }
  return clip;
}

float upAndDown(float phase) {
  return 0.5f - 0.5f * std::cos(glm::two_pi<float>() * phase);
}

Texture gridTexture(std::uint32_t columns, std::uint32_t rows) {
  constexpr std::uint32_t kSquare = 32; // pixels
  Texture texture;
  texture.path = "grid";
  texture.source = "generated";
  texture.found = true;
  texture.image.width = columns * kSquare;
  texture.image.height = rows * kSquare;
  for (std::uint32_t y = 0; y < texture.image.height; ++y)
    for (std::uint32_t x = 0; x < texture.image.width; ++x) {
      const bool line = x % kSquare == 0 || y % kSquare == 0;
      const bool dark = (x / kSquare + y / kSquare) % 2 == 1;
      const std::uint8_t shade = line ? 150 : dark ? 205 : 250;
      texture.image.rgba.insert(texture.image.rgba.end(), {shade, shade, shade, 255});
    }
  return texture;
}

} // namespace sinew
