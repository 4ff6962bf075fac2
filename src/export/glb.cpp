#include "export/glb.h"

#include "animation/clip_keys.h"
#include "core/error.h"
#include "export/glb_mesh.h"
#include "export/glb_weights.h"
#include "model/png.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

namespace sinew {
namespace {

template <class Vector>
std::vector<double> doubles(const Vector& v) {
  std::vector<double> out(static_cast<std::size_t>(v.length()));
  for (int i = 0; i < v.length(); ++i)
    out[static_cast<std::size_t>(i)] = static_cast<double>(v[i]);
  return out;
}

void addTextures(const Model& model, GlbBuffer& buffer, tinygltf::Model& out,
                 std::vector<int>& fileTexture) {
  for (const Texture& texture : model.textures) {
    fileTexture.push_back(-1);
    const Image& image = texture.image;
    if (!texture.found || image.rgba.empty()) continue;
    const std::string png = pngOf(image, PngEffort::small);
    tinygltf::Image made;
    made.name = texture.path;
    made.mimeType = "image/png";
    made.bufferView = buffer.addView(png.data(), png.size(), GlbUse::other);
    tinygltf::Texture use;
    use.source = static_cast<int>(out.images.size());
    fileTexture.back() = static_cast<int>(out.textures.size());
    out.images.push_back(std::move(made));
    out.textures.push_back(std::move(use));
  }
}

void addMaterials(const Model& model, const std::vector<int>& fileTexture, tinygltf::Model& out) {
  for (const Material& material : model.materials) {
    tinygltf::Material made;
    made.name = material.name;
    made.pbrMetallicRoughness.baseColorFactor = doubles(glm::clamp(material.baseColor, 0.0f, 1.0f));
    made.pbrMetallicRoughness.metallicFactor = 0.0;
    made.pbrMetallicRoughness.roughnessFactor =
        std::pow(2.0 / (2.0 + std::max(static_cast<double>(material.shininess), 0.0)), 0.25);
    if (material.texture)
      made.pbrMetallicRoughness.baseColorTexture.index = fileTexture[*material.texture];
    made.doubleSided = material.doubleSided;
    if (material.normalTexture && fileTexture[*material.normalTexture] >= 0) {
      made.normalTexture.index = fileTexture[*material.normalTexture];
      made.normalTexture.scale = static_cast<double>(material.normalScale);
    }
    if (material.alphaMode == AlphaMode::blend) made.alphaMode = "BLEND";
    if (material.alphaMode == AlphaMode::mask) {
      made.alphaMode = "MASK";
      made.alphaCutoff = static_cast<double>(material.alphaCutoff);
    }
    out.materials.push_back(std::move(made));
  }
}

vec4 unitVector(const quat& q) {
  const quat unit = glm::normalize(q);
  return {unit.x, unit.y, unit.z, unit.w};
}

void addNodes(const Hierarchy& hierarchy, tinygltf::Model& out) {
  for (std::uint32_t n = 0; n < hierarchy.nodes.size(); ++n) {
    const Node& node = hierarchy.nodes[n];
    tinygltf::Node made;
    made.name = node.name;
    if (node.rest.translation != vec3(0.0f)) made.translation = doubles(node.rest.translation);
    if (node.rest.rotation != quat(1, 0, 0, 0))
      made.rotation = doubles(unitVector(node.rest.rotation));
    if (node.rest.scale != vec3(1.0f)) made.scale = doubles(node.rest.scale);
    out.nodes.push_back(std::move(made));
    if (node.parent == kNoNode)
      out.scenes[0].nodes.push_back(static_cast<int>(n));
    else
      out.nodes[node.parent].children.push_back(static_cast<int>(n));
  }
}

void addSkins(const Model& model, GlbBuffer& buffer, tinygltf::Model& out) {
  for (const Skin& skin : model.skins) {
    tinygltf::Skin made;
    std::vector<mat4> matrices;
    for (const SkinJoint& joint : skin.joints) {
      made.joints.push_back(static_cast<int>(joint.node));
      matrices.push_back(joint.jointFromBind);
      for (int c = 0; c < 4; ++c) // exactly affine, whatever an inverse left there
        matrices.back()[c][3] = c == 3 ? 1.0f : 0.0f;
    }
    made.inverseBindMatrices = buffer.add(std::span<const mat4>(matrices));
    out.skins.push_back(std::move(made));
  }
}

// Free splines, which the format does not have (import/gltf/free_splines.h).
void addSplines(const Model& model, tinygltf::Model& out) {
  if (model.splines.empty()) return;
  using tinygltf::Value;
  Value::Array splines;
  for (const FreeSpline& spline : model.splines) {
    Value::Array nodes, points;
    for (std::size_t i = 0; i < 3; ++i) {
      nodes.emplace_back(static_cast<int>(spline.nodes[i]));
      Value::Array point;
      for (const double each : doubles(spline.points[i]))
        point.emplace_back(each);
      points.emplace_back(std::move(point));
    }
    splines.emplace_back(Value::Object{{"name", Value(spline.name)},
                                       {"nodes", Value(std::move(nodes))},
                                       {"points", Value(std::move(points))}});
  }
  Value::Object own;
  own["splines"] = Value(std::move(splines));
  Value::Object extras;
  extras["sinew"] = Value(std::move(own));
  out.extras = Value(std::move(extras));
}

// VRMC_node_constraint 1.0.
void addConstraints(std::span<const NodeConstraint> constraints, tinygltf::Model& out) {
  using tinygltf::Value;
  const char* extension = "VRMC_node_constraint";
  if (!constraints.empty()) out.extensionsUsed.emplace_back(extension);
  for (const NodeConstraint& constraint : constraints) {
    Value::Object follows;
    follows["source"] = Value(static_cast<int>(constraint.source));
    follows["weight"] = Value(static_cast<double>(constraint.weight));
    if (constraint.roll) follows["rollAxis"] = Value(std::string(1, "XYZ"[constraint.rollAxis]));
    Value::Object kind;
    kind[constraint.roll ? "roll" : "rotation"] = Value(std::move(follows));
    Value::Object own;
    own["specVersion"] = Value(std::string("1.0"));
    own["constraint"] = Value(std::move(kind));
    out.nodes[constraint.node].extensions[extension] = Value(std::move(own));
  }
}

// A mesh of the file whose weights clips may move.
struct MorphingMesh {
  int node = 0;
  std::vector<std::uint32_t> targets;
};

// Every mesh on a node of its own: a skinned one at the top of the scene, a rigid one where it is.
std::vector<MorphingMesh> addMeshes(const Model& model, GlbBuffer& buffer, tinygltf::Model& out) {
  std::vector<MorphingMesh> morphing;
  std::set<std::string> names;
  for (const Node& node : model.hierarchy.nodes)
    names.insert(node.name);
  for (const GlbMeshParts& parts : glbMeshes(model)) {
    const Mesh& mesh = *parts.parts.front();
    tinygltf::Node node;
    node.name = nameOf(parts).empty() ? "mesh" : nameOf(parts);
    while (!names.insert(node.name).second)
      node.name += "_mesh";
    node.mesh = static_cast<int>(out.meshes.size());
    const int index = static_cast<int>(out.nodes.size());
    if (mesh.skin) {
      node.skin = static_cast<int>(*mesh.skin);
      out.scenes[0].nodes.push_back(index);
    } else {
      out.nodes[mesh.node].children.push_back(index);
    }
    out.nodes.push_back(std::move(node));
    out.meshes.push_back(glbMesh(model, parts, buffer));
    if (!parts.targets.empty()) morphing.push_back({index, parts.targets});
  }
  return morphing;
}

vec3 fileValue(const vec3& v, Interpolation /*unused*/) {
  return v;
}
vec4 fileValue(const quat& q, Interpolation interpolation) {
  return interpolation == Interpolation::cubic ? vec4(q.x, q.y, q.z, q.w) : unitVector(q);
}

const char* wordOf(Interpolation interpolation) {
  switch (interpolation) {
  case Interpolation::step:
    return "STEP";
  case Interpolation::cubic:
    return "CUBICSPLINE";
  default:
    return "LINEAR";
  }
}

void addSampler(int times, int values, Interpolation interpolation, int node, const char* path,
                tinygltf::Animation& out) {
  tinygltf::AnimationSampler sampler;
  sampler.input = times;
  sampler.output = values;
  sampler.interpolation = wordOf(interpolation);
  tinygltf::AnimationChannel channel;
  channel.sampler = static_cast<int>(out.samplers.size());
  channel.target_node = node;
  channel.target_path = path;
  out.samplers.push_back(std::move(sampler));
  out.channels.push_back(std::move(channel));
}

template <class T>
void addTrack(const Track<T>& track, std::uint32_t node, const char* path, GlbBuffer& buffer,
              tinygltf::Animation& out) {
  if (track.times.empty()) return;
  const Interpolation kind = track.interpolation;
  std::vector<decltype(fileValue(T(), kind))> values;
  for (std::size_t i = 0; i < track.values.size(); ++i) {
    if (kind == Interpolation::cubic) values.push_back(fileValue(track.tangents[i][0], kind));
    values.push_back(fileValue(track.values[i], kind));
    if (kind == Interpolation::cubic) values.push_back(fileValue(track.tangents[i][1], kind));
  }
  const int times = buffer.addTimes(track.times);
  const int written =
      buffer.add(std::span<const typename decltype(values)::value_type>(values), GlbUse::other);
  addSampler(times, written, kind, static_cast<int>(node), path, out);
}

void addWeightTracks(const Model& model, const std::vector<MorphingMesh>& morphing,
                     const Clip& clip, GlbBuffer& buffer, tinygltf::Animation& out) {
  for (const MorphingMesh& mesh : morphing) {
    const WeightKeys keys = weightKeys(model, mesh.targets, clip);
    if (keys.times.empty()) continue;
    const int values = buffer.add(std::span<const float>(keys.values), GlbUse::other, false);
    addSampler(buffer.addTimes(keys.times), values, keys.interpolation, mesh.node, "weights", out);
  }
}

// What glTF does not have, as extras of the animation; an animation needs a channel besides.
void addTwists(const Model& model, const Clip& clip, GlbBuffer& buffer, tinygltf::Animation& out) {
  if (clip.twists.empty()) return;
  using tinygltf::Value;
  const auto list = [](const std::vector<float>& numbers) {
    Value::Array made;
    for (const float number : numbers)
      made.emplace_back(static_cast<double>(number));
    return Value(std::move(made));
  };
  Value::Array twists;
  for (const TwistChannel& channel : clip.twists)
    twists.emplace_back(Value::Object{{"node", Value(static_cast<int>(channel.node))},
                                      {"times", list(channel.twist.times)},
                                      {"values", list(channel.twist.values)}});
  Value::Object own;
  own["twists"] = Value(std::move(twists));
  Value::Object extras;
  extras["sinew"] = Value(std::move(own));
  out.extras = Value(std::move(extras));
  if (!out.channels.empty()) return;
  const std::uint32_t node = clip.twists.front().node;
  addTrack(Track<quat>{{0.0f}, {model.hierarchy.nodes[node].rest.rotation}}, node, "rotation",
           buffer, out);
}

template <class T>
void holdTo(Track<T>& track, float seconds) {
  track.times.push_back(seconds);
  track.values.push_back(track.values.back());
  if (track.interpolation != Interpolation::cubic) return;
  track.tangents.back()[1] = track.values.back() * 0.0f;
  track.tangents.push_back({track.values.back() * 0.0f, track.values.back() * 0.0f});
}

// A clip of glTF ends with its last key: where that is before the end of ours, the first track
// holds its last value up to there, which changes no pose.
Clip heldToEnd(Clip clip) {
  if (keyTimes(clip).back() >= clip.seconds) return clip;
  if (!clip.channels.empty()) {
    Channel& first = clip.channels.front();
    if (!first.rotation.times.empty())
      holdTo(first.rotation, clip.seconds);
    else if (!first.translation.times.empty())
      holdTo(first.translation, clip.seconds);
    else
      holdTo(first.scale, clip.seconds);
  } else if (!clip.morphs.empty()) {
    holdTo(clip.morphs.front().weight, clip.seconds);
  }
  return clip;
}

void addClips(const Model& model, const std::vector<MorphingMesh>& morphing, GlbBuffer& buffer,
              tinygltf::Model& out) {
  for (const Clip& own : model.clips) {
    if (keyTimes(own).empty()) continue;
    const Clip clip = heldToEnd(own);
    tinygltf::Animation made;
    made.name = clip.name;
    for (const Channel& channel : clip.channels) {
      addTrack(channel.translation, channel.node, "translation", buffer, made);
      addTrack(channel.rotation, channel.node, "rotation", buffer, made);
      addTrack(channel.scale, channel.node, "scale", buffer, made);
    }
    addWeightTracks(model, morphing, clip, buffer, made);
    addTwists(model, clip, buffer, made);
    if (!made.channels.empty()) out.animations.push_back(std::move(made));
  }
}

} // namespace

std::string glbOf(const Model& model, std::span<const NodeConstraint> constraints) {
  if (model.hierarchy.nodes.empty()) throw usageError("a model without nodes cannot be written");
  tinygltf::Model out;
  out.asset.version = "2.0";
  out.asset.generator = "sinew " SINEW_VERSION;
  out.scenes.resize(1);
  out.defaultScene = 0;
  GlbBuffer buffer(out);
  std::vector<int> fileTexture;
  addTextures(model, buffer, out, fileTexture);
  addMaterials(model, fileTexture, out);
  addNodes(model.hierarchy, out);
  addConstraints(constraints, out);
  addSkins(model, buffer, out);
  addSplines(model, out);
  const std::vector<MorphingMesh> morphing = addMeshes(model, buffer, out);
  addClips(model, morphing, buffer, out);
  std::ostringstream file;
  if (!tinygltf::TinyGLTF().WriteGltfSceneToStream(&out, file, false, true))
    throw usageError("the glTF file could not be made", "it may be larger than 4 GB");
  return std::move(file).str();
}

std::vector<std::string> leftOutOfGlb(const Model& model) {
  std::vector<std::string> out;
  for (const Texture& texture : model.textures)
    if (!texture.found) out.push_back(fmt::format("texture {}: it was not found", texture.path));
  for (std::uint32_t i = 0; i < model.morphTargets.size(); ++i)
    if (std::ranges::none_of(model.meshes, [&](const Mesh& mesh) {
          return std::ranges::find(mesh.morphs, i, &MorphOffsets::target) != mesh.morphs.end();
        }))
      out.push_back(fmt::format("morph target {}: it moves nothing", model.morphTargets[i].name));
  for (const Clip& clip : model.clips)
    if (!clip.moves()) out.push_back(fmt::format("clip {}: it moves nothing", clip.name));
  return out;
}

} // namespace sinew
