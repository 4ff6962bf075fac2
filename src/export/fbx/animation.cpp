#include "export/fbx/curves.h"
#include "export/fbx/objects.h"
#include "export/fewer_keys.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace sinew {
namespace {

using glm::dvec3;

constexpr double kClipTolerance = 5e-6; // error at each joint, as a fraction of the model's size

// Bits of a key: how the curve runs on from it.
constexpr std::int32_t kStepKey = 0x2;
constexpr std::int32_t kLinearKey = 0x4 | 0x2100 | 0x4000; // with what Blender and the SDK set
constexpr std::int32_t kCubicKey = 0x8 | 0x400 | 0x800;    // with slopes of their own on both sides
// Weights of both slopes, a third each, as two numbers of 16 bits in units of 1e-4.
constexpr std::int32_t kThirds = 0x0D050D05;

class ClipWriter {
 public:
  ClipWriter(const Model& model, const std::vector<std::int64_t>& nodes,
             const std::vector<FbxShapeChannel>& shapes, FbxScene& scene)
      : model_(model), nodes_(nodes), shapes_(shapes), scene_(scene), reach_(nodeReach(model)) {}

  FbxStackTime write(const Clip& clip) {
    const std::int64_t stop = fbxTime(static_cast<double>(clip.seconds));
    const FbxNewObject stack = scene_.add("AnimationStack", "AnimStack", clip.name, "");
    FbxRecord& properties = stack.record->add("Properties70");
    for (const char* name : {"LocalStart", "ReferenceStart"})
      properties.addProperty(name, "KTime", "Time", "", std::int64_t{0});
    for (const char* name : {"LocalStop", "ReferenceStop"})
      properties.addProperty(name, "KTime", "Time", "", stop);
    const FbxNewObject layer = scene_.add("AnimationLayer", "AnimLayer", "BaseLayer", "");
    scene_.connect(layer.id, stack.id);
    layer_ = layer.id;
    seconds_ = static_cast<double>(clip.seconds);
    isHeld_ = false;
    for (const Channel& channel : clip.channels)
      if (nodes_[channel.node] != kFbxSceneRoot) addChannel(channel);
    for (const MorphChannel& channel : clip.morphs)
      addMorph(channel);
    if (!isHeld_) addRest();
    return {clip.name, stop};
  }

 private:
  // Programs that angle rotations into quaternions do so at the keys of translation and scale as
  // well.
  void addChannel(const Channel& channel) {
    const Transform& rest = model_.hierarchy.nodes[channel.node].rest;
    const double place = kClipTolerance * reach_.size;
    const double angle = place / reach_.ofNode[channel.node];
    std::vector<double> moments;
    if (!channel.translation.times.empty()) {
      const FbxKeys keys =
          fbxVectorKeys(channel.translation, place / reach_.parentScale[channel.node]);
      addMoments(keys, channel.rotation, moments);
      addCurves(keys, channel.node, "T", "Lcl Translation");
    }
    if (!channel.scale.times.empty()) {
      const vec3 scale = glm::abs(rest.scale);
      const double largest = static_cast<double>(std::max({scale.x, scale.y, scale.z, 1e-6f}));
      const FbxKeys keys = fbxVectorKeys(channel.scale, angle * largest);
      addMoments(keys, channel.rotation, moments);
      addCurves(keys, channel.node, "S", "Lcl Scaling");
    }
    if (!channel.rotation.times.empty())
      addCurves(fbxRotationKeys(channel.rotation, angle, moments), channel.node, "R",
                "Lcl Rotation");
  }

  // Programs leave a clip out that has no curve.
  void addRest() {
    const auto moved =
        std::ranges::find_if(nodes_, [](std::int64_t node) { return node != kFbxSceneRoot; });
    if (moved == nodes_.end()) return;
    const auto node = static_cast<std::uint32_t>(moved - nodes_.begin());
    FbxKeys keys;
    keys.times = {0.0};
    keys.values = {dvec3(model_.hierarchy.nodes[node].rest.translation)};
    addCurves(keys, node, "T", "Lcl Translation");
  }

  static void addMoments(const FbxKeys& keys, const Track<quat>& rotation,
                         std::vector<double>& moments) {
    if (keys.times.size() < 2 || rotation.times.size() < 2 ||
        rotation.interpolation == Interpolation::step)
      return;
    for (const double time : keys.times)
      if (time > static_cast<double>(rotation.times.front()) &&
          time < static_cast<double>(rotation.times.back()))
        moments.push_back(time);
  }

  void addMorph(const MorphChannel& channel) {
    if (channel.weight.times.empty()) return;
    FbxKeys keys = fbxNumberKeys(channel.weight, kClipTolerance);
    for (std::vector<dvec3>* values : {&keys.values, &keys.arriving, &keys.leaving})
      for (dvec3& value : *values)
        value *= 100.0; // percent
    for (const FbxShapeChannel& shape : shapes_) {
      if (shape.target != channel.target) continue;
      hold(keys);
      const FbxNewObject node =
          scene_.add("AnimationCurveNode", "AnimCurveNode", "DeformPercent", "");
      node.record->add("Properties70")
          .addProperty("d|DeformPercent", "Number", "", "A", keys.values.front().x);
      scene_.connect(node.id, layer_);
      scene_.connect(node.id, shape.id, "DeformPercent");
      addCurve(keys, 0, node.id, "d|DeformPercent");
    }
  }

  // A clip is as long as its keys: the first track holds its values to both ends.
  void hold(FbxKeys& keys) {
    if (isHeld_) return;
    isHeld_ = true;
    const auto insert = [&](std::size_t at, double time) {
      const dvec3 value = at == 0 ? keys.values.front() : keys.values.back();
      const auto place = static_cast<std::ptrdiff_t>(at);
      keys.times.insert(keys.times.begin() + place, time);
      keys.values.insert(keys.values.begin() + place, value);
      if (keys.interpolation != Interpolation::cubic) return;
      keys.arriving.insert(keys.arriving.begin() + place, dvec3(0.0));
      keys.leaving.insert(keys.leaving.begin() + place, dvec3(0.0));
    };
    if (keys.times.front() > 0.0) insert(0, 0.0);
    if (keys.times.back() < seconds_) insert(keys.times.size(), seconds_);
  }

  void addCurves(FbxKeys keys, std::uint32_t target, const char* name, const char* property) {
    hold(keys);
    const FbxNewObject node = scene_.add("AnimationCurveNode", "AnimCurveNode", name, "");
    static constexpr std::array<const char*, 3> kParts = {"d|X", "d|Y", "d|Z"};
    FbxRecord& properties = node.record->add("Properties70");
    for (std::size_t i = 0; i < 3; ++i)
      properties.addProperty(kParts.at(i), "Number", "", "A",
                             keys.values.front()[static_cast<int>(i)]);
    scene_.connect(node.id, layer_);
    scene_.connect(node.id, nodes_[target], property);
    for (std::size_t i = 0; i < 3; ++i)
      addCurve(keys, static_cast<int>(i), node.id, kParts.at(i));
  }

  void addCurve(const FbxKeys& keys, int part, std::int64_t node, const char* property) {
    const FbxNewObject curve = scene_.add("AnimationCurve", "AnimCurve", "", "");
    FbxRecord& record = *curve.record;
    std::vector<std::int64_t> times;
    std::vector<float> values;
    for (std::size_t i = 0; i < keys.times.size(); ++i) {
      times.push_back(fbxTime(keys.times[i]));
      values.push_back(static_cast<float>(keys.values[i][part]));
    }
    record.add("Default", keys.values.front()[part]);
    record.add("KeyVer", 4008);
    record.add("KeyTime", std::span<const std::int64_t>(times));
    record.add("KeyValueFloat", std::span<const float>(values));
    addKeyAttributes(keys, part, record);
    scene_.connect(curve.id, node, property);
  }

  // Keys that are alike share their attributes: right slope, left slope of the next key, weights,
  // velocities.
  static void addKeyAttributes(const FbxKeys& keys, int part, FbxRecord& record) {
    const bool cubic = keys.interpolation == Interpolation::cubic && keys.times.size() > 1;
    const auto count = static_cast<std::int32_t>(keys.times.size());
    std::vector<std::int32_t> flags, uses;
    std::vector<float> data;
    const auto add = [&](std::int32_t flag, double right, double nextLeft, std::int32_t used) {
      flags.push_back(flag);
      data.insert(data.end(), {static_cast<float>(right), static_cast<float>(nextLeft),
                               std::bit_cast<float>(kThirds), 0.0f});
      uses.push_back(used);
    };
    if (!cubic)
      add(keys.interpolation == Interpolation::step ? kStepKey : kLinearKey, 0.0, 0.0, count);
    for (std::size_t i = 0; cubic && i < keys.times.size(); ++i)
      add(kCubicKey, keys.leaving[i][part],
          i + 1 < keys.times.size() ? keys.arriving[i + 1][part] : 0.0, 1);
    record.add("KeyAttrFlags", std::span<const std::int32_t>(flags));
    record.add("KeyAttrDataFloat", std::span<const float>(data));
    record.add("KeyAttrRefCount", std::span<const std::int32_t>(uses));
  }

  const Model& model_;
  const std::vector<std::int64_t>& nodes_;
  const std::vector<FbxShapeChannel>& shapes_;
  FbxScene& scene_;
  NodeReach reach_;
  std::int64_t layer_ = 0;
  double seconds_ = 0.0;
  bool isHeld_ = false;
};

} // namespace

std::vector<FbxStackTime> addFbxClips(const Model& model, const std::vector<std::int64_t>& nodes,
                                      const std::vector<FbxShapeChannel>& shapes, FbxScene& scene) {
  std::vector<FbxStackTime> out;
  ClipWriter writer(model, nodes, shapes, scene);
  for (const Clip& clip : model.clips)
    out.push_back(writer.write(clip));
  return out;
}

} // namespace sinew
