#include "model/model.h"

#include "core/error.h"
#include "core/text.h"

#include <fmt/format.h>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sinew {
namespace {

// "Run" of "Armature|Run" and "scene:Run": what exporters write before it names the skeleton.
std::string_view lastPart(std::string_view name) {
  const std::size_t at = name.find_last_of("|:");
  return at == std::string_view::npos ? name : name.substr(at + 1);
}

} // namespace

float toRoughness(float shininess) {
  return std::pow(2.0f / (2.0f + std::max(shininess, 0.0f)), 0.25f);
}

std::vector<std::pair<TextureRole, std::uint32_t>> listTextures(const Material& material) {
  std::vector<std::pair<TextureRole, std::uint32_t>> out;
  const auto add = [&](TextureRole role, const std::optional<std::uint32_t>& texture) {
    if (texture) out.emplace_back(role, *texture);
  };
  add(TextureRole::baseColor, material.texture);
  add(TextureRole::normals, material.normalTexture);
  add(TextureRole::surface, material.surfaceTexture);
  add(TextureRole::occlusion, material.occlusionTexture);
  add(TextureRole::emissive, material.emissiveTexture);
  return out;
}

const char* toString(TextureRole role) {
  switch (role) {
  case TextureRole::baseColor:
    return "base colour";
  case TextureRole::normals:
    return "normal map";
  case TextureRole::surface:
    return "metallic-roughness";
  case TextureRole::occlusion:
    return "occlusion";
  case TextureRole::emissive:
    break;
  }
  return "emissive";
}

bool isColor(TextureRole role) {
  return role == TextureRole::baseColor || role == TextureRole::emissive;
}

bool showsNormalMap(const Model& model, const Material& material) {
  return material.normalTexture && model.textures[*material.normalTexture].found;
}

std::size_t vertexCount(const Model& model) {
  std::size_t count = 0;
  for (const Mesh& mesh : model.meshes)
    count += mesh.positions.size();
  return count;
}

std::size_t triangleCount(const Model& model) {
  std::size_t count = 0;
  for (const Mesh& mesh : model.meshes)
    count += mesh.triangles.size();
  return count;
}

namespace {

// Removes moved nodes of a model without any mesh: beside a skeleton, those that no other moved
// node is above or below are cameras, lights and their targets.
void dropLoneNodes(const Hierarchy& hierarchy, std::vector<char>& moved) {
  constexpr std::uint32_t kSkeleton = 3;
  const std::size_t count = hierarchy.nodes.size();
  std::vector<std::uint32_t> top(count, kNoNode); // the uppermost moved node above each, or itself
  std::vector<std::uint32_t> below(count, 0);     // moved nodes of the tree that begins there
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t parent = hierarchy.nodes[i].parent;
    if (parent != kNoNode) top[i] = top[parent];
    if (top[i] == kNoNode && moved[i] != 0) top[i] = i;
    if (moved[i] != 0) ++below[top[i]];
  }
  if (std::none_of(below.begin(), below.end(), [](std::uint32_t n) { return n >= kSkeleton; }))
    return;
  for (std::uint32_t i = 0; i < count; ++i)
    if (moved[i] != 0 && below[top[i]] == 1) moved[i] = 0;
}

} // namespace

std::vector<std::uint32_t> jointNodes(const Model& model) {
  std::vector<char> isJoint(model.hierarchy.nodes.size(), 0);
  for (const Skin& skin : model.skins)
    for (const SkinJoint& joint : skin.joints)
      isJoint[joint.node] = 1;
  if (model.skins.empty()) {
    for (const Clip& clip : model.clips)
      for (const Channel& channel : clip.channels)
        isJoint[channel.node] = 1;
    if (model.meshes.empty()) dropLoneNodes(model.hierarchy, isJoint);
  }
  if (model.skins.empty() && model.clips.empty() && model.meshes.empty())
    std::fill(isJoint.begin(), isJoint.end(), char{1});
  std::vector<std::uint32_t> joints;
  for (std::uint32_t i = 0; i < isJoint.size(); ++i)
    if (isJoint[i]) joints.push_back(i);
  return joints;
}

std::uint32_t findClip(const Model& model, std::string_view nameOrIndex) {
  const auto find = [&](auto matches) -> std::optional<std::uint32_t> {
    for (std::uint32_t i = 0; i < model.clips.size(); ++i)
      if (matches(model.clips[i].name)) return i;
    return std::nullopt;
  };
  if (auto exact = find([&](const std::string& name) { return name == nameOrIndex; }))
    return *exact;
  if (auto loose =
          find([&](const std::string& name) { return equalWithoutCase(name, nameOrIndex); }))
    return *loose;
  std::uint32_t index = 0;
  const char* end = nameOrIndex.data() + nameOrIndex.size();
  if (const auto [stop, error] = std::from_chars(nameOrIndex.data(), end, index);
      error == std::errc() && stop == end && index < model.clips.size())
    return index;
  const auto ends = [&](const std::string& name) {
    return !nameOrIndex.empty() && equalWithoutCase(lastPart(name), nameOrIndex);
  };
  const auto ending = find(ends);
  const auto matching = std::count_if(model.clips.begin(), model.clips.end(),
                                      [&](const Clip& clip) { return ends(clip.name); });
  if (ending && matching == 1) return *ending;
  if (model.clips.empty())
    throw usageError(fmt::format("no clip '{}': the model has no animation", nameOrIndex));
  std::vector<std::string> names;
  for (const Clip& clip : model.clips)
    names.push_back(clip.name);
  throw unknownName("clip", nameOrIndex, names);
}

std::string clipWord(const Model& model, std::uint32_t clip) {
  const std::string& name = model.clips[clip].name;
  if (name.empty() || name == "none" || name == "bind" || findClip(model, name) != clip)
    return std::to_string(clip);
  return name;
}

namespace {

void rotateAll(std::vector<vec3>& vectors, const quat& rotation) {
  for (vec3& v : vectors)
    v = rotation * v;
}

template <class T>
void rotateTrack(Track<T>& track, const quat& rotation) {
  for (T& value : track.values)
    value = rotation * value;
  for (std::array<T, 2>& pair : track.tangents)
    for (T& tangent : pair)
      tangent = rotation * tangent;
}

// A skinned mesh lives in bind space; a rigid one in the space of its node, which moves with it.
void rotateSkinned(Mesh& mesh, const quat& rotation) {
  if (!mesh.skin) return;
  rotateAll(mesh.positions, rotation);
  rotateAll(mesh.normals, rotation);
  for (vec4& tangent : mesh.tangents)
    tangent = vec4(rotation * vec3(tangent), tangent.w);
  for (MorphOffsets& morph : mesh.morphs) {
    rotateAll(morph.positions, rotation);
    rotateAll(morph.normals, rotation);
  }
}

} // namespace

void rotateModel(Model& model, const quat& rotation) {
  for (Node& node : model.hierarchy.nodes) {
    if (node.parent != kNoNode) continue;
    node.rest.translation = rotation * node.rest.translation;
    node.rest.rotation = rotation * node.rest.rotation;
  }
  for (Clip& clip : model.clips)
    for (Channel& channel : clip.channels) {
      if (model.hierarchy.nodes[channel.node].parent != kNoNode) continue;
      rotateTrack(channel.translation, rotation);
      rotateTrack(channel.rotation, rotation);
    }
  const mat4 back = glm::mat4_cast(glm::inverse(rotation));
  for (Skin& skin : model.skins)
    for (SkinJoint& joint : skin.joints)
      joint.jointFromBind = joint.jointFromBind * back;
  for (FreeSpline& spline : model.splines)
    for (vec3& point : spline.points)
      point = rotation * point;
  for (Mesh& mesh : model.meshes)
    rotateSkinned(mesh, rotation);
}

} // namespace sinew
