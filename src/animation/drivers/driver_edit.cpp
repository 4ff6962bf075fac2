#include "animation/drivers/driver_edit.h"

#include "animation/clip_keys.h"
#include "animation/mirror.h"
#include "animation/sample.h"
#include "animation/side_names.h"

#include <glm/geometric.hpp>

#include <algorithm>

namespace sinew {
namespace {

// The names on the other side of one model.
class OtherSide {
 public:
  explicit OtherSide(const Model& model)
      : model_(model), map_(mirrorMap(model)), labels_(morphLabels(model)),
        modelFromNode_(restRotations(model.hierarchy)) {}

  const MirrorMap& map() const { return map_; }

  std::optional<std::string> joint(const std::string& name) const {
    const std::uint32_t partner = map_.partner[*findNode(model_.hierarchy, name)];
    if (partner == kNoNode) return std::nullopt;
    return model_.hierarchy.nodes[partner].name;
  }

  // A morph target without a side is its own.
  std::string morph(const std::string& label) const {
    for (const SideName& side : sideNames(label))
      if (indexOfLabel(labels_, side.other)) return side.other;
    return label;
  }

  std::optional<DriverInput> input(const DriverInput& in) const {
    const std::optional<std::string> other = joint(in.joint);
    if (!other) return std::nullopt;
    DriverInput out = in;
    out.joint = *other;
    const vec3 axis = modelFromNode_[*findNode(model_.hierarchy, in.joint)] * in.axis;
    const vec3 reflected = axis - 2.0f * glm::dot(axis, map_.normal) * map_.normal;
    out.axis = glm::conjugate(modelFromNode_[*findNode(model_.hierarchy, *other)]) * reflected;
    return out;
  }

 private:
  const Model& model_;
  MirrorMap map_;
  std::vector<std::string> labels_;
  std::vector<quat> modelFromNode_; // rotations at rest
};

// All else at rest.
Pose poseOfKey(const Model& model, const PoseDriver& driver, const DriverKey& key) {
  Pose pose = restPose(model);
  const auto at = [&](const std::string& joint) -> Transform& {
    return pose.parentFromNode[*findNode(model.hierarchy, joint)];
  };
  for (std::size_t i = 0; i < driver.joints.size(); ++i)
    at(driver.joints[i]) = key.joints[i];
  for (std::size_t i = 0; i < key.rotations.size(); ++i)
    at(getInputs(driver)[i].joint).rotation = key.rotations[i];
  const std::vector<std::string> labels = morphLabels(model);
  for (std::size_t i = 0; i < driver.morphs.size(); ++i)
    pose.morphWeights[*indexOfLabel(labels, driver.morphs[i])] = key.morphs[i];
  return pose;
}

} // namespace

std::optional<PoseDriver> mirroredDriver(const Model& model, const PoseDriver& driver) {
  if (std::holds_alternative<PolynomialDriver>(driver.kind)) return std::nullopt;
  const OtherSide other(model);
  PoseDriver out = driver;
  std::vector<DriverInput> inputs;
  for (const DriverInput& input : getInputs(driver)) {
    std::optional<DriverInput> mirroredInput = other.input(input);
    if (!mirroredInput) return std::nullopt;
    inputs.push_back(std::move(*mirroredInput));
  }
  for (std::string& joint : out.joints) {
    const std::optional<std::string> name = other.joint(joint);
    if (!name) return std::nullopt;
    joint = *name;
  }
  for (std::string& morph : out.morphs)
    morph = other.morph(morph);
  const auto sameJoint = [](const DriverInput& a, const DriverInput& b) {
    return a.joint == b.joint;
  };
  if (std::ranges::equal(inputs, getInputs(driver), sameJoint)) return std::nullopt;
  if (auto* share = std::get_if<ShareDriver>(&out.kind)) share->input = inputs.front();
  if (auto* rbf = std::get_if<RbfDriver>(&out.kind)) {
    rbf->inputs = inputs;
    std::vector<DriverKey> keys;
    for (const DriverKey& key : rbf->keys) {
      const Pose image = mirrored(model, other.map(), poseOfKey(model, driver, key));
      keys.push_back(keyFromPose(model, out, image));
      keys.back().name = key.name;
    }
    rbf->keys = std::move(keys);
  }
  const std::vector<SideName> names = sideNames(out.name);
  out.name = names.empty() ? out.name + " (mirrored)" : names.front().other;
  return out;
}

PoseDriver freshDriver(const std::string& input, std::vector<std::string> joints,
                       std::vector<std::string> morphs) {
  RbfDriver rbf;
  rbf.inputs = {{input}};
  rbf.shape.falloff = Falloff::thinPlate;
  return {input, true, std::move(joints), std::move(morphs), std::move(rbf)};
}

namespace {

constexpr float kKeysPerSecond = 60.0f;
constexpr float kSecondsLimit = 3600.0f; // only the clip's own keys are later

std::vector<float> bakedTimes(const Clip& clip) {
  std::vector<float> times = linearKeyTimes(clip);
  const float seconds = std::min(clip.seconds, kSecondsLimit);
  const auto count = static_cast<int>(seconds * kKeysPerSecond);
  for (int i = 0; i <= count; ++i)
    times.push_back(static_cast<float>(i) / kKeysPerSecond);
  times.push_back(clip.seconds);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

bool contains(std::span<const std::uint32_t> sorted, std::uint32_t value) {
  return std::binary_search(sorted.begin(), sorted.end(), value);
}

void bake(const Model& model, const PreparedDrivers& drivers, Clip& clip) {
  const std::vector<float> times = bakedTimes(clip);
  std::vector<Pose> poses(times.size());
  SampleCursor cursor;
  for (std::size_t i = 0; i < times.size(); ++i) {
    sample(model, clip, times[i], Wrap::clamp, cursor, poses[i]);
    drivers.apply(model, poses[i]);
  }
  Clip baked = recordClip(model, clip.name, poses, times);
  std::erase_if(clip.channels, [&](const Channel& c) { return contains(drivers.nodes(), c.node); });
  std::erase_if(clip.morphs,
                [&](const MorphChannel& c) { return contains(drivers.targets(), c.target); });
  for (Channel& channel : baked.channels)
    if (contains(drivers.nodes(), channel.node)) clip.channels.push_back(std::move(channel));
  for (MorphChannel& channel : baked.morphs)
    if (contains(drivers.targets(), channel.target)) clip.morphs.push_back(std::move(channel));
}

} // namespace

void bakeDrivers(Model& model, const PreparedDrivers& drivers) {
  if (drivers.nodes().empty() && drivers.targets().empty()) return;
  for (Clip& clip : model.clips)
    bake(model, drivers, clip);
}

} // namespace sinew
