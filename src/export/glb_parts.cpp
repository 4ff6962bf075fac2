#include "export/glb_parts.h"

#include "animation/clip_keys.h"
#include "animation/sample.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>

namespace sinew {
namespace {

// The weights of a mesh's morph targets, all in one sampler. values: per key one of every target,
// in their order; a cubic sampler has all in-tangents, then the values, then all out-tangents.
struct WeightKeys {
  std::vector<float> times;
  std::vector<float> values;
  Interpolation interpolation = Interpolation::linear;
};

const Track<float>* findTrack(const Clip& clip, std::uint32_t target) {
  const auto found = std::ranges::find(clip.morphs, target, &MorphChannel::target);
  return found == clip.morphs.end() ? nullptr : &found->weight;
}

// The part of the clip that moves these targets.
Clip ownPart(std::span<const std::uint32_t> targets, const Clip& clip) {
  Clip own{clip.name, clip.seconds, {}, {}};
  for (const std::uint32_t target : targets)
    if (const Track<float>* track = findTrack(clip, target);
        track != nullptr && !track->times.empty())
      own.morphs.push_back({target, *track});
  return own;
}

bool alike(const Clip& own) {
  const Track<float>& first = own.morphs.front().weight;
  return std::ranges::all_of(own.morphs, [&](const MorphChannel& channel) {
    return channel.weight.times == first.times &&
           channel.weight.interpolation == first.interpolation;
  });
}

WeightKeys commonKeys(const Model& model, std::span<const std::uint32_t> targets, const Clip& own) {
  const Track<float>& first = own.morphs.front().weight;
  WeightKeys keys{first.times, {}, first.interpolation};
  const auto addTangents = [&](std::size_t key, std::size_t side) {
    if (keys.interpolation != Interpolation::cubic) return;
    for (const std::uint32_t target : targets) {
      const Track<float>* track = findTrack(own, target);
      keys.values.push_back(track != nullptr ? track->tangents[key].at(side) : 0.0f);
    }
  };
  for (std::size_t key = 0; key < first.times.size(); ++key) {
    addTangents(key, 0);
    for (const std::uint32_t target : targets) {
      const Track<float>* track = findTrack(own, target);
      keys.values.push_back(track != nullptr ? track->values[key]
                                             : model.morphTargets[target].weight);
    }
    addTangents(key, 1);
  }
  return keys;
}

WeightKeys sampledKeys(const Model& model, std::span<const std::uint32_t> targets,
                       const Clip& own) {
  WeightKeys keys{linearKeyTimes(own), {}, Interpolation::linear};
  for (const float time : keys.times) {
    const Pose pose = sample(model, own, time);
    for (const std::uint32_t target : targets)
      keys.values.push_back(pose.morphWeights[target]);
  }
  return keys;
}

// Empty where the clip moves none of them. Tracks with the same times and interpolation are kept as
// they are; others become linear ones at the keys of all, with further keys where one of them steps
// or curves (linearKeyTimes()). A target that the clip leaves alone has its rest weight.
WeightKeys weightKeys(const Model& model, std::span<const std::uint32_t> targets,
                      const Clip& clip) {
  const Clip own = ownPart(targets, clip);
  if (own.morphs.empty()) return {};
  return alike(own) ? commonKeys(model, targets, own) : sampledKeys(model, targets, own);
}

vec4 unitVector(const quat& q) {
  const quat unit = glm::normalize(q);
  return {unit.x, unit.y, unit.z, unit.w};
}

vec3 fileValue(const vec3& v, Interpolation /*unused*/) {
  return v;
}
vec4 fileValue(const quat& q, Interpolation interpolation) {
  return interpolation == Interpolation::cubic ? vec4(q.x, q.y, q.z, q.w) : unitVector(q);
}

void addSampler(std::size_t times, std::size_t values, Interpolation interpolation,
                std::size_t node, const char* path, GltfJson& out) {
  const std::size_t sampler =
      appendTo(out, "samplers",
               {{"input", times}, {"interpolation", toString(interpolation)}, {"output", values}});
  appendTo(out, "channels", {{"sampler", sampler}, {"target", {{"node", node}, {"path", path}}}});
}

template <class T>
void addAnyTrack(const Track<T>& track, std::size_t node, const char* path, GlbBuffer& buffer,
                 GltfJson& out) {
  if (track.times.empty()) return;
  const Interpolation kind = track.interpolation;
  std::vector<decltype(fileValue(T(), kind))> values;
  for (std::size_t i = 0; i < track.values.size(); ++i) {
    if (kind == Interpolation::cubic) values.push_back(fileValue(track.tangents[i][0], kind));
    values.push_back(fileValue(track.values[i], kind));
    if (kind == Interpolation::cubic) values.push_back(fileValue(track.tangents[i][1], kind));
  }
  const std::size_t times = buffer.addTimes(track.times);
  const std::size_t written =
      buffer.add(std::span<const typename decltype(values)::value_type>(values), GlbUse::other);
  addSampler(times, written, kind, node, path, out);
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

} // namespace

const char* toString(Interpolation interpolation) {
  return interpolation == Interpolation::step    ? "STEP"
         : interpolation == Interpolation::cubic ? "CUBICSPLINE"
                                                 : "LINEAR";
}

void setPlace(const Transform& rest, GltfJson& node) {
  for (const char* key : {"matrix", "translation", "rotation", "scale"})
    node.erase(key);
  if (rest.translation != vec3(0.0f)) node["translation"] = numbersJson(rest.translation);
  if (rest.rotation != quat(1, 0, 0, 0)) node["rotation"] = numbersJson(unitVector(rest.rotation));
  if (rest.scale != vec3(1.0f)) node["scale"] = numbersJson(rest.scale);
}

GltfJson nodeJson(const Node& node) {
  GltfJson out = {{"name", node.name}};
  setPlace(node.rest, out);
  return out;
}

void addConstraints(std::span<const NodeConstraint> constraints, const FileNodes& nodes,
                    GltfJson& file) {
  constexpr const char* kExtension = "VRMC_node_constraint";
  if (!constraints.empty()) useExtension(file, kExtension);
  for (const NodeConstraint& constraint : constraints) {
    GltfJson follows = {{"source", nodes[constraint.source]},
                        {"weight", shortNumber(constraint.weight)}};
    if (constraint.roll) follows["rollAxis"] = std::string(1, "XYZ"[constraint.rollAxis]);
    GltfJson kind = GltfJson::object();
    kind[constraint.roll ? "roll" : "rotation"] = std::move(follows);
    file["nodes"][nodes[constraint.node]]["extensions"][kExtension] = {
        {"specVersion", "1.0"}, {"constraint", std::move(kind)}};
  }
}

GltfJson splinesJson(const Model& model, const FileNodes& nodes) {
  GltfJson splines = GltfJson::array();
  for (const FreeSpline& spline : model.splines) {
    GltfJson ends = GltfJson::array(), points = GltfJson::array();
    for (std::size_t i = 0; i < 3; ++i) {
      ends.push_back(nodes[spline.nodes[i]]);
      points.push_back(numbersJson(spline.points[i]));
    }
    splines.push_back(
        {{"name", spline.name}, {"nodes", std::move(ends)}, {"points", std::move(points)}});
  }
  return splines;
}

void addNodeTrack(const Track<vec3>& track, std::size_t node, const char* path, GlbBuffer& buffer,
                  GltfJson& animation) {
  addAnyTrack(track, node, path, buffer, animation);
}

void addNodeTrack(const Track<quat>& track, std::size_t node, GlbBuffer& buffer,
                  GltfJson& animation) {
  addAnyTrack(track, node, "rotation", buffer, animation);
}

void addWeightTrack(const Model& model, const MorphingMesh& mesh, const Clip& clip,
                    GlbBuffer& buffer, GltfJson& animation) {
  const WeightKeys keys = weightKeys(model, mesh.targets, clip);
  if (keys.times.empty()) return;
  const std::size_t values = buffer.add(std::span<const float>(keys.values), GlbUse::other, false);
  addSampler(buffer.addTimes(keys.times), values, keys.interpolation, mesh.node, "weights",
             animation);
}

void addTwists(const Model& model, const FileNodes& nodes, const Clip& clip, GlbBuffer& buffer,
               GltfJson& animation) {
  if (clip.twists.empty()) return;
  GltfJson twists = GltfJson::array();
  for (const TwistChannel& channel : clip.twists) {
    GltfJson twist = {{"node", nodes[channel.node]},
                      {"times", numbersJson(channel.twist.times)},
                      {"values", numbersJson(channel.twist.values)}};
    if (channel.twist.interpolation == Interpolation::step) twist["interpolation"] = "STEP";
    if (channel.twist.interpolation == Interpolation::cubic) {
      std::vector<float> tangents; // in and out of every key
      for (const auto& both : channel.twist.tangents)
        tangents.insert(tangents.end(), both.begin(), both.end());
      twist["interpolation"] = "CUBICSPLINE";
      twist["tangents"] = numbersJson(tangents);
    }
    twists.push_back(std::move(twist));
  }
  animation["extras"]["sinew"]["twists"] = std::move(twists);
  if (animation.contains("channels")) return;
  const std::uint32_t node = clip.twists.front().node;
  addNodeTrack(Track<quat>{{0.0f}, {model.hierarchy.nodes[node].rest.rotation}}, nodes[node],
               buffer, animation);
}

GltfJson animationJson(const Model& model, const FileNodes& nodes,
                       std::span<const MorphingMesh> morphing, const Clip& own, GlbBuffer& buffer) {
  GltfJson out = {{"name", own.name}};
  if (keyTimes(own).empty()) return out;
  const Clip clip = heldToEnd(own);
  for (const Channel& channel : clip.channels) {
    const std::size_t node = nodes[channel.node];
    addNodeTrack(channel.translation, node, "translation", buffer, out);
    addNodeTrack(channel.rotation, node, buffer, out);
    addNodeTrack(channel.scale, node, "scale", buffer, out);
  }
  for (const MorphingMesh& mesh : morphing)
    addWeightTrack(model, mesh, clip, buffer, out);
  addTwists(model, nodes, clip, buffer, out);
  return out;
}

std::size_t addInverseBinds(std::span<const SkinJoint> joints, const mat4& modelFromFile,
                            GlbBuffer& buffer) {
  std::vector<mat4> matrices;
  for (const SkinJoint& joint : joints) {
    matrices.push_back(joint.jointFromBind * modelFromFile);
    for (int c = 0; c < 4; ++c) // exactly affine, whatever an inverse left there
      matrices.back()[c][3] = c == 3 ? 1.0f : 0.0f;
  }
  return buffer.add(std::span<const mat4>(matrices));
}

} // namespace sinew
