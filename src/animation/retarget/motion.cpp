#include "animation/retarget/motion.h"

#include "animation/clip_keys.h"
#include "animation/retarget/joint_names.h"
#include "animation/retarget/joint_travel.h"
#include "animation/retarget/skeleton_relation.h"
#include "animation/sample.h"
#include "core/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

namespace sinew {
namespace {

// The shortest rotation from one unit vector to another; the identity where they are opposite,
// because the axis is undefined there.
quat leastRotation(const vec3& from, const vec3& to) {
  const float cosine = glm::dot(from, to);
  if (cosine < -0.99f) return {1, 0, 0, 0};
  const vec3 axis = glm::cross(from, to);
  return glm::normalize(quat(1.0f + cosine, axis.x, axis.y, axis.z));
}

// Appends q on the hemisphere of its predecessor.
void appendRotation(Track<quat>& track, float time, quat q) {
  q = glm::normalize(q);
  if (!track.values.empty() && glm::dot(track.values.back(), q) < 0.0f) q = -q;
  track.times.push_back(time);
  track.values.push_back(q);
}

// Cosine of 10 degrees: smaller angles between bones of skeletons with the same frames are
// differences of proportion only.
constexpr float kSameBone = 0.985f;

class Retarget {
 public:
  Retarget(const Model& model, const Model& motion, std::vector<JointPair> pairs,
           const MotionMap& map)
      : model_(model), motion_(motion), pairs_(std::move(pairs)), rest_(model.hierarchy),
        motionRest_(motion.hierarchy), relation_(relate(rest_, motionRest_, pairs_)) {
    // G_model(t) = modelFromMotion * G_motion(t) * correction
    facing_ = relation_.modelFromMotion;
    facesAlike_ = !relation_.sameBones && branchesAgree(); // equal lengths: it is one rig
    if (relation_.sameFrames) relation_.modelFromMotion = quat(1, 0, 0, 0);
    travel_ = planTravel(model_, rest_, motionRest_, pairs_, relation_, facing_);
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      correction_.push_back((relation_.sameFrames ? boneCorrection(i) : restCorrection(i)) *
                            getOffset(map, i));
    offsets_ = !map.offsets.empty();
  }

  const Relation& relation() const { return relation_; }

  // The clip can be copied: same joints, parents and positions, and the ancestors of the roots have
  // the same transform and are not animated.
  bool isExact(const Clip& clip) const {
    return !offsets_ && relation_.sameBones && relation_.sameTree &&
           std::all_of(pairs_.begin(), pairs_.end(), [&](const JointPair& pair) {
             return pair.parent.has_value() || sameAncestors(pair, clip);
           });
  }

  Clip copy(const Clip& clip) const {
    std::unordered_map<std::uint32_t, std::uint32_t> modelByMotion;
    for (const JointPair& pair : pairs_)
      modelByMotion[pair.motion] = pair.model;
    Clip out{clip.name, clip.seconds, {}};
    for (const Channel& channel : clip.channels)
      if (const auto found = modelByMotion.find(channel.node); found != modelByMotion.end()) {
        out.channels.push_back(channel);
        out.channels.back().node = found->second;
      }
    return out;
  }

  Clip resample(const Clip& clip) const {
    Clip out{clip.name, clip.seconds, {}};
    out.channels.resize(pairs_.size());
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      out.channels[i].node = pairs_[i].model;
    for (const std::vector<std::uint32_t>* more : {&travel_.carriers, &travel_.followers})
      for (const std::uint32_t node : *more)
        out.channels.emplace_back().node = node;
    SampleCursor cursor;
    Pose pose;
    std::vector<mat4> modelFromNode;
    std::vector<vec3> firstPosition(pairs_.size());
    bool first = true;
    std::vector<float> times = linearKeyTimes(clip);
    if (times.empty()) times.push_back(0.0f);
    if (!travel_.followers.empty() || !travel_.hung.empty()) times = withMoreKeys(times);
    for (const float time : times) {
      sample(motion_.hierarchy, clip, time, Wrap::clamp, cursor, pose);
      modelFromNodes(motion_.hierarchy, pose, modelFromNode);
      if (first)
        for (std::size_t i = 0; i < pairs_.size(); ++i)
          firstPosition[i] = computeStart(pairs_[i], vec3(modelFromNode[pairs_[i].motion][3]));
      first = false;
      addKeys(time, modelFromNode, firstPosition, out);
    }
    return out;
  }

 private:
  // Followers move on arcs, between keys on chords: sixty keys in a second are near enough.
  static std::vector<float> withMoreKeys(const std::vector<float>& times) {
    constexpr float kStep = 1.0f / 60.0f;
    std::vector<float> out;
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
      const auto parts = static_cast<int>(std::ceil((times[i + 1] - times[i]) / kStep));
      for (int part = 0; part < parts; ++part)
        out.push_back(times[i] + (times[i + 1] - times[i]) * static_cast<float>(part) /
                                     static_cast<float>(parts));
    }
    out.push_back(times.back());
    return out;
  }

  // The matched joints directly below joint i: their number and the last of them.
  struct Below {
    std::optional<std::size_t> child;
    std::size_t children = 0;
  };
  Below below(std::size_t i) const {
    Below found;
    for (std::size_t j = i + 1; j < pairs_.size(); ++j)
      if (pairs_[j].parent == i) {
        found.child = j;
        ++found.children;
      }
    return found;
  }

  // Unit directions from joint i to its child, at rest in model space, of the model and the motion;
  // none where either bone is too short.
  std::optional<std::pair<vec3, vec3>> bones(std::size_t i, std::size_t child) const {
    return directions(pairs_[i], pairs_[child].model, pairs_[child].motion);
  }
  std::optional<std::pair<vec3, vec3>> directions(const JointPair& from, std::uint32_t model,
                                                  std::uint32_t motion) const {
    const vec3 here = rest_.position[model] - rest_.position[from.model];
    const vec3 there = relation_.modelFromMotion *
                       (motionRest_.position[motion] - motionRest_.position[from.motion]);
    const float least = 1e-3f * relation_.size;
    if (!(glm::length(here) > least && glm::length(there) * relation_.scale > least)) return {};
    return std::pair(glm::normalize(here), glm::normalize(there));
  }

  // The motion's frame of joint i at rest, seen from the model's.
  quat frameDifference(std::size_t i) const {
    return glm::inverse(facing_ * motionRest_.rotation[pairs_[i].motion]) *
           rest_.rotation[pairs_[i].model];
  }

  // Whether the frames of joints with several bones agree at rest, as they must where bones have
  // the same directions in them and the skeletons face the same way.
  bool branchesAgree() const {
    constexpr float kAgree = 0.92f; // 46 degrees
    std::size_t branches = 0;
    std::size_t agree = 0;
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (below(i).children > 1) {
        ++branches;
        agree += std::abs(frameDifference(i).w) > kAgree ? 1 : 0;
      }
    return branches > 0 && 2 * agree > branches;
  }

  // How the motion's frame is rotated about a bone (its direction in the frame) from the model's,
  // where that is more than rest poses differ by: tools that point an axis along the bone choose
  // the others freely.
  quat computeRoll(std::size_t i, const vec3& bone) const {
    constexpr float kPose = 0.866f; // 60 degrees
    const quat none(1, 0, 0, 0);
    if (!facesAlike_) return none;
    const quat difference = frameDifference(i);
    const float along = glm::dot(vec3(difference.x, difference.y, difference.z), bone);
    const quat roll(difference.w, along * bone.x, along * bone.y, along * bone.z);
    const float length = glm::length(roll);
    return length > 0.1f && std::abs(roll.w) < kPose * length ? roll / length : none;
  }

  // Where the frames agree, only bones with different directions in them are corrected: skeletons
  // whose frames are all upright, in different rest poses.
  quat boneCorrection(std::size_t i) {
    const quat none(1, 0, 0, 0);
    const quat& rest = motionRest_.rotation[pairs_[i].motion];
    const auto [child, children] = below(i);
    const auto bone = children == 1 ? bones(i, *child) : std::nullopt;
    swing_.push_back(children == 0 && pairs_[i].parent ? swing_[*pairs_[i].parent] : none);
    quat roll = none;
    if (bone) {
      const vec3 here = glm::inverse(rest_.rotation[pairs_[i].model]) * bone->first;
      const vec3 there = glm::inverse(rest) * bone->second;
      if (glm::dot(here, there) < kSameBone)
        swing_[i] = rest * leastRotation(here, there) * glm::inverse(rest);
      else
        roll = computeRoll(i, there);
    }
    return swing_[i] == none ? roll : glm::inverse(rest) * swing_[i] * rest;
  }

  quat getOffset(const MotionMap& map, std::size_t i) const {
    const auto found = map.offsets.find(model_.hierarchy.nodes[pairs_[i].model].name);
    if (found == map.offsets.end()) return {1, 0, 0, 0};
    const vec3 angles = glm::radians(found->second);
    return glm::angleAxis(angles.z, vec3(0, 0, 1)) * glm::angleAxis(angles.y, vec3(0, 1, 0)) *
           glm::angleAxis(angles.x, vec3(1, 0, 0));
  }

  std::string getBodyPart(std::size_t i) const {
    return bodyPart(model_.hierarchy.nodes[pairs_[i].model]);
  }

  static std::uint32_t firstChild(const Hierarchy& hierarchy, std::uint32_t node) {
    for (auto n = node + 1; n < hierarchy.nodes.size(); ++n)
      if (hierarchy.nodes[n].parent == node) return n;
    return kNoNode;
  }

  // Legs for inverse kinematics: the foot hangs on a goal of its own, and no joint matches below.
  static bool isLowerLeg(const std::string& part) {
    return part.ends_with("calf") || part.ends_with("foot");
  }

  // To what lies below such a joint in both.
  std::optional<std::pair<vec3, vec3>> endBones(std::size_t i) const {
    const std::uint32_t here = firstChild(model_.hierarchy, pairs_[i].model);
    const std::uint32_t there = firstChild(motion_.hierarchy, pairs_[i].motion);
    if (here == kNoNode || there == kNoNode) return {};
    return directions(pairs_[i], here, there);
  }

  // The rotation from the motion's rest to the model's, for joint i in model space. Joints with one
  // matched child are first aligned with the motion's bone, which compensates different rest poses
  // (arms up here, down there). An end joint is aligned with the joint above it.
  quat restCorrection(std::size_t i) {
    const JointPair& pair = pairs_[i];
    const auto [child, children] = below(i);
    quat swing(1, 0, 0, 0);
    const std::string part = getBodyPart(i);
    // Collars rest alike in all rest poses; where their bones begin is each artist's choice.
    if (part.ends_with("clavicle")) {
      swing = quat(1, 0, 0, 0);
    } else if (children == 1 || (children == 0 && isLowerLeg(part))) {
      const auto bone = children == 1 ? bones(i, *child) : endBones(i);
      if (bone) swing = leastRotation(bone->first, bone->second);
    } else if (children == 0 && pair.parent) {
      swing = swing_[*pair.parent];
    }
    swing_.push_back(swing);
    return glm::inverse(relation_.modelFromMotion * motionRest_.rotation[pair.motion]) * swing *
           rest_.rotation[pair.model];
  }

  bool sameAncestors(const JointPair& pair, const Clip& clip) const {
    const std::uint32_t here = rest_.parent(pair.model);
    const std::uint32_t there = motionRest_.parent(pair.motion);
    if (here == kNoNode || there == kNoNode) return here == there;
    for (std::uint32_t up = there; up != kNoNode; up = motionRest_.parent(up))
      for (const Channel& channel : clip.channels)
        if (channel.node == up) return false;
    return glm::distance(rest_.position[here], motionRest_.position[there]) <=
               kSameLength * relation_.size &&
           std::abs(glm::dot(rest_.rotation[here], motionRest_.rotation[there])) > 0.99999f;
  }

  // The origin of the root's path: its rest position, or its first key where the rest is far away
  // (a BVH file's root rests at the origin).
  vec3 computeStart(const JointPair& pair, const vec3& firstPosition) const {
    const vec3& rest = motionRest_.position[pair.motion];
    const float sizeThere = relation_.size / relation_.scale;
    return glm::distance(rest, firstPosition) < 0.1f * sizeThere ? rest : firstPosition;
  }

  // One key of every matched joint: orientations in model space first, then relative to parents.
  void addKeys(float time, const std::vector<mat4>& motionFromNode,
               const std::vector<vec3>& firstPosition, Clip& out) const {
    Pose pose = restPose(model_.hierarchy);
    std::vector<mat4> modelFromNode(pose.parentFromNode.size());
    std::size_t next = 0;
    for (std::uint32_t node = 0; node < pose.parentFromNode.size(); ++node) {
      const std::uint32_t parent = rest_.parent(node);
      const mat4 modelFromParent = parent == kNoNode ? mat4(1.0f) : modelFromNode[parent];
      Transform& local = pose.parentFromNode[node];
      if (next < pairs_.size() && pairs_[next].model == node) {
        const JointPair& pair = pairs_[next];
        Channel& channel = out.channels[next];
        const mat4& there = motionFromNode[pair.motion];
        const quat orientation =
            relation_.modelFromMotion * decompose(there).rotation * correction_[next];
        local.rotation =
            glm::normalize(glm::inverse(decompose(modelFromParent).rotation) * orientation);
        appendRotation(channel.rotation, time, local.rotation);
        if (travel_.travels[next]) {
          const vec3 offset = relation_.modelFromMotion * (vec3(there[3]) - firstPosition[next]);
          const vec3& anchor = travel_.anchors[next];
          const quat rotated = orientation * glm::inverse(rest_.rotation[node]);
          const vec3 position =
              rest_.position[node] + relation_.scale * offset + anchor - rotated * anchor;
          local.translation = transformPoint(glm::inverse(modelFromParent), position);
          channel.translation.times.push_back(time);
          channel.translation.values.push_back(local.translation);
        }
        ++next;
      }
      for (std::size_t i = 0; i < travel_.carriers.size(); ++i)
        if (travel_.carriers[i] == node) {
          const std::size_t pair = travel_.carried[i];
          const vec3 offset = relation_.modelFromMotion *
                              (vec3(motionFromNode[pairs_[pair].motion][3]) - firstPosition[pair]);
          const vec3 position = rest_.position[node] + relation_.scale * offset;
          local.translation = transformPoint(glm::inverse(modelFromParent), position);
          Channel& channel = out.channels[pairs_.size() + i];
          channel.translation.times.push_back(time);
          channel.translation.values.push_back(local.translation);
        }
      modelFromNode[node] = modelFromParent * toMatrix(local);
    }
    for (const std::size_t i : travel_.hung) {
      const std::uint32_t node = pairs_[i].model;
      const vec3 place = placeOn(pairs_[travel_.limbs.at(i)].model, node, modelFromNode);
      modelFromNode[node][3] = vec4(place, 1.0f);
      addPlace(node, time, place, modelFromNode, out.channels[i]);
    }
    for (std::size_t i = 0; i < travel_.followers.size(); ++i)
      addFollower(i, time, modelFromNode,
                  out.channels[pairs_.size() + travel_.carriers.size() + i]);
  }

  // Where a node rests, as fixed to a joint that has moved.
  vec3 placeOn(std::uint32_t joint, std::uint32_t node,
               const std::vector<mat4>& modelFromNode) const {
    const quat rotation =
        decompose(modelFromNode[joint]).rotation * glm::inverse(rest_.rotation[joint]);
    return vec3(modelFromNode[joint][3]) +
           rotation * (rest_.position[node] - rest_.position[joint]);
  }

  void addPlace(std::uint32_t node, float time, const vec3& place,
                const std::vector<mat4>& modelFromNode, Channel& channel) const {
    const std::uint32_t parent = rest_.parent(node);
    const mat4 modelFromParent = parent == kNoNode ? mat4(1.0f) : modelFromNode[parent];
    channel.translation.times.push_back(time);
    channel.translation.values.push_back(transformPoint(glm::inverse(modelFromParent), place));
  }

  // From its rest as the joint that it follows from its own.
  void addFollower(std::size_t i, float time, const std::vector<mat4>& modelFromNode,
                   Channel& channel) const {
    const std::uint32_t node = travel_.followers[i];
    const std::uint32_t followed = travel_.followed[i];
    const quat rotation =
        decompose(modelFromNode[followed]).rotation * glm::inverse(rest_.rotation[followed]);
    const mat4& parent = modelFromNode[rest_.parent(node)];
    addPlace(node, time, placeOn(followed, node, modelFromNode), modelFromNode, channel);
    appendRotation(channel.rotation, time,
                   glm::inverse(decompose(parent).rotation) * rotation * rest_.rotation[node]);
  }

  const Model& model_;
  const Model& motion_;
  std::vector<JointPair> pairs_;
  RestSkeleton rest_;
  RestSkeleton motionRest_;
  Relation relation_;
  quat facing_{1, 0, 0, 0}; // the relation's modelFromMotion
  bool facesAlike_ = false;
  bool offsets_ = false; // the map has some
  std::vector<quat> correction_;
  std::vector<quat> swing_;
  JointTravel travel_;
};

// A generic clip name is replaced by the file's name.
std::string clipName(const Model& motion, const Clip& clip) {
  const bool generic = clip.name.starts_with("clip ") || clip.name == "Motion";
  return generic && motion.clips.size() == 1 && !motion.name.empty() ? motion.name : clip.name;
}

// Morph targets have the same weights by the same names.
std::vector<MorphChannel> retargetMorphs(const Model& model, const Model& motion, const Clip& clip,
                                         std::set<std::string>& without) {
  const std::vector<std::string> here = morphLabels(model);
  const std::vector<std::string> there = morphLabels(motion);
  std::vector<MorphChannel> out;
  for (const MorphChannel& channel : clip.morphs) {
    const std::string& label = there[channel.target];
    const auto found = std::find(here.begin(), here.end(), label);
    if (found == here.end())
      without.insert(label);
    else
      out.push_back({static_cast<std::uint32_t>(found - here.begin()), channel.weight});
  }
  return out;
}

// Splines' twists stay with nodes of the same names.
std::vector<TwistChannel> retargetTwists(const Model& model, const Model& motion,
                                         const Clip& clip) {
  std::vector<TwistChannel> out;
  for (const TwistChannel& channel : clip.twists)
    if (const auto node = findNode(model.hierarchy, motion.hierarchy.nodes[channel.node].name))
      out.push_back({*node, channel.twist});
  return out;
}

void putFirst(std::vector<Clip> clips, Model& model) {
  std::set<std::string> used;
  for (const Clip& clip : clips)
    used.insert(clip.name);
  for (Clip& clip : model.clips) {
    const std::string base = clip.name;
    for (int n = 2; !used.insert(clip.name).second; ++n)
      clip.name = fmt::format("{} ({})", base, n);
    clips.push_back(std::move(clip));
  }
  model.clips = std::move(clips);
}

} // namespace

MotionReport applyMotion(Model& model, const Model& motion, const MotionMap& map) {
  const std::string& file = motion.path.empty() ? motion.name : motion.path;
  if (motion.clips.empty())
    throw usageError(fmt::format("--motion {}: has no animation in it", file),
                     "give a file with animation, such as .bvh, .fbx, .glb or .md5anim");
  MotionReport report;
  std::vector<JointPair> pairs = matchJoints(model, motion, map, report.unmatched);
  std::set<std::uint32_t> moved;
  for (const JointPair& pair : pairs) {
    report.matched.push_back({model.hierarchy.nodes[pair.model].name,
                              motion.hierarchy.nodes[pair.motion].name, pair.match});
    moved.insert(pair.model);
  }
  for (const auto& [joint, angles] : map.offsets)
    if (!findNode(model.hierarchy, joint))
      throw usageError(fmt::format("the map of joints has an offset of '{}', which the model does "
                                   "not have",
                                   joint));
  for (const std::uint32_t joint : jointNodes(model))
    if (!moved.contains(joint)) report.still.push_back(model.hierarchy.nodes[joint].name);
  report.file = file;
  if (pairs.empty())
    throw usageError(fmt::format("--motion {}: none of its {} moving joints ('{}', ...) is a joint "
                                 "of {} by name",
                                 file, report.unmatched.size(),
                                 report.unmatched.empty() ? "" : report.unmatched.front(),
                                 model.path.empty() ? model.name : model.path),
                     "the skeletons need joints of the same names; `sinew info` lists them");
  const Retarget retarget(model, motion, std::move(pairs), map);
  report.scale = retarget.relation().scale;
  report.sameFrames = retarget.relation().sameFrames;
  report.exact = true;
  std::vector<Clip> clips;
  std::set<std::string> withoutMorph;
  for (const Clip& clip : motion.clips) {
    const bool exact = retarget.isExact(clip);
    report.exact = report.exact && exact;
    clips.push_back(exact ? retarget.copy(clip) : retarget.resample(clip));
    clips.back().name = clipName(motion, clip);
    clips.back().morphs = retargetMorphs(model, motion, clip, withoutMorph);
    clips.back().twists = retargetTwists(model, motion, clip);
  }
  if (!withoutMorph.empty())
    model.warnings.push_back(fmt::format("morph targets of {} that the model does not have: {}",
                                         file, fmt::join(withoutMorph, ", ")));
  putFirst(std::move(clips), model);
  return report;
}

} // namespace sinew
