#include "animation/motion.h"

#include "animation/sample.h"
#include "core/error.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

namespace sinew {
namespace {

constexpr float kSameDirection = 0.9f; // cosine of 26 degrees
constexpr float kSameLength = 0.005f;
constexpr float kLeastTurn = 0.35f; // radians

// One skeleton in its rest pose, model space.
struct RestSkeleton {
  explicit RestSkeleton(const Hierarchy& h) : hierarchy(h) {
    for (const mat4& m : modelFromNodes(h, restPose(h))) {
      position.push_back(vec3(m[3]));
      rotation.push_back(decompose(m).rotation);
    }
  }
  std::uint32_t parent(std::uint32_t node) const { return hierarchy.nodes[node].parent; }

  const Hierarchy& hierarchy;
  std::vector<vec3> position;
  std::vector<quat> rotation;
};

struct Pair {
  std::uint32_t model = 0;
  std::uint32_t motion = 0;
  std::optional<std::size_t>
      parent; // the pair of the nearest matched ancestor of the model's joint
};

std::vector<std::uint32_t> movedNodes(const Model& motion) {
  std::set<std::uint32_t> nodes;
  for (const Clip& clip : motion.clips)
    for (const Channel& channel : clip.channels)
      nodes.insert(channel.node);
  return {nodes.begin(), nodes.end()};
}

// The motion's node for every node of the model, by name. Each is used once.
std::vector<Pair> matchNames(const Model& model, const Model& motion, MotionReport& report) {
  std::unordered_map<std::string, std::uint32_t> exact;
  std::unordered_map<std::string, std::uint32_t> loose;
  for (std::uint32_t i = 0; i < model.hierarchy.nodes.size(); ++i) {
    exact.emplace(model.hierarchy.nodes[i].name, i);
    loose.emplace(normalizedJointName(model.hierarchy.nodes[i].name), i);
  }
  std::map<std::uint32_t, std::uint32_t> motionOf;
  std::vector<std::uint32_t> open;
  for (const std::uint32_t node : movedNodes(motion)) {
    const auto found = exact.find(motion.hierarchy.nodes[node].name);
    if (found != exact.end() && motionOf.emplace(found->second, node).second) continue;
    open.push_back(node);
  }
  for (const std::uint32_t node : open) {
    const auto found = loose.find(normalizedJointName(motion.hierarchy.nodes[node].name));
    if (found != loose.end() && motionOf.emplace(found->second, node).second) continue;
    report.unmatched.push_back(motion.hierarchy.nodes[node].name);
  }

  std::vector<Pair> pairs;
  std::map<std::uint32_t, std::size_t> pairOf;
  for (const auto& [node, other] : motionOf) { // ascending, so ancestors come first
    Pair pair{node, other, {}};
    for (std::uint32_t up = model.hierarchy.nodes[node].parent; up != kNoNode && !pair.parent;
         up = model.hierarchy.nodes[up].parent)
      if (const auto found = pairOf.find(up); found != pairOf.end()) pair.parent = found->second;
    pairOf[node] = pairs.size();
    pairs.push_back(pair);
    report.matched.push_back(model.hierarchy.nodes[node].name);
  }
  return pairs;
}

// How the two skeletons relate, judged by the bones both have. A motion's rest may itself be a
// frame of it, with joints out of place, so the judgement is that of the majority, by length.
struct Relation {
  float scale = 1.0f;               // model over motion: the median of the bones
  float size = 0.0f;                // all the model's matched bones together
  bool sameFrames = false;          // bones point the same way as seen from their joints
  bool sameBones = false;           // and are as long
  bool sameTree = true;             // matched joints have matched parents
  quat modelFromMotion{1, 0, 0, 0}; // about the vertical: the way each faces
};

struct Bone {
  vec3 model{0.0f}; // from the joint above, model space
  vec3 motion{0.0f};
  vec3 modelLocal{0.0f}; // as seen from the joint above
  vec3 motionLocal{0.0f};
};

std::vector<Bone> commonBones(const RestSkeleton& model, const RestSkeleton& motion,
                              const std::vector<Pair>& pairs) {
  std::vector<Bone> bones;
  for (const Pair& pair : pairs) {
    if (!pair.parent) continue;
    const Pair& above = pairs[*pair.parent];
    Bone bone;
    bone.model = model.position[pair.model] - model.position[above.model];
    bone.motion = motion.position[pair.motion] - motion.position[above.motion];
    bone.modelLocal = glm::inverse(model.rotation[above.model]) * bone.model;
    bone.motionLocal = glm::inverse(motion.rotation[above.motion]) * bone.motion;
    if (glm::length(bone.model) > 0.0f && glm::length(bone.motion) > 0.0f) bones.push_back(bone);
  }
  return bones;
}

// The best turn about Y, in the least-squares sense, of one bunch of bones onto the other. Small
// ones are taken for differences of pose, not of facing.
quat facing(const std::vector<Bone>& bones) {
  float sine = 0.0f;
  float cosine = 0.0f;
  for (const Bone& bone : bones) {
    sine += bone.motion.z * bone.model.x - bone.motion.x * bone.model.z;
    cosine += bone.motion.x * bone.model.x + bone.motion.z * bone.model.z;
  }
  const float angle = std::atan2(sine, cosine);
  return std::abs(angle) > kLeastTurn ? glm::angleAxis(angle, vec3(0, 1, 0)) : quat(1, 0, 0, 0);
}

float medianScale(const std::vector<Bone>& bones) {
  if (bones.empty()) return 1.0f;
  std::vector<float> ratios;
  for (const Bone& bone : bones)
    ratios.push_back(glm::length(bone.model) / glm::length(bone.motion));
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return std::abs(*middle - 1.0f) < kSameLength ? 1.0f : *middle;
}

Relation relate(const RestSkeleton& model, const RestSkeleton& motion,
                const std::vector<Pair>& pairs) {
  const std::vector<Bone> bones = commonBones(model, motion, pairs);
  Relation r;
  r.scale = medianScale(bones);
  r.modelFromMotion = facing(bones);
  float agreeing = 0.0f;
  float equal = 0.0f;
  for (const Bone& bone : bones) {
    const float length = glm::length(bone.modelLocal);
    const float lengthThere = glm::length(bone.motionLocal);
    r.size += length;
    if (glm::dot(bone.modelLocal, bone.motionLocal) > kSameDirection * length * lengthThere)
      agreeing += length;
    if (std::abs(length - lengthThere) < 2.0f * kSameLength * length) equal += length;
  }
  for (const Pair& pair : pairs)
    if (pair.parent && (model.parent(pair.model) != pairs[*pair.parent].model ||
                        motion.parent(pair.motion) != pairs[*pair.parent].motion))
      r.sameTree = false;
  r.sameFrames = bones.empty() || agreeing > 0.8f * r.size;
  r.sameBones = r.sameFrames && r.scale == 1.0f && equal >= 0.6f * r.size;
  return r;
}

std::vector<float> keyTimes(const Clip& clip) {
  std::vector<float> times;
  for (const Channel& channel : clip.channels)
    for (const auto* track :
         {&channel.translation.times, &channel.rotation.times, &channel.scale.times})
      times.insert(times.end(), track->begin(), track->end());
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  std::erase_if(times, [](float t) { return t < 0.0f; });
  if (times.empty()) times.push_back(0.0f);
  return times;
}

// The least rotation of one unit vector onto another; none where they are opposite, for then every
// axis would do and none is meant.
quat shortestTurn(const vec3& from, const vec3& to) {
  const float cosine = glm::dot(from, to);
  if (cosine < -0.99f) return {1, 0, 0, 0};
  const vec3 axis = glm::cross(from, to);
  return glm::normalize(quat(1.0f + cosine, axis.x, axis.y, axis.z));
}

// Appends q on the side of its predecessor.
void appendRotation(Track<quat>& track, float time, quat q) {
  q = glm::normalize(q);
  if (!track.values.empty() && glm::dot(track.values.back(), q) < 0.0f) q = -q;
  track.times.push_back(time);
  track.values.push_back(q);
}

class Retarget {
 public:
  Retarget(const Model& model, const Model& motion, std::vector<Pair> pairs)
      : model_(model), motion_(motion), pairs_(std::move(pairs)), rest_(model.hierarchy),
        motionRest_(motion.hierarchy), relation_(relate(rest_, motionRest_, pairs_)) {
    // G_model(t) = turn * G_motion(t) * correction: nothing to correct where the frames agree.
    if (relation_.sameFrames) relation_.modelFromMotion = quat(1, 0, 0, 0);
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      correction_.push_back(relation_.sameFrames ? quat(1, 0, 0, 0) : restCorrection(i));
  }

  const Relation& relation() const { return relation_; }

  // The clip can be copied: same joints, same parents, same places, and what the roots stand on
  // stands the same and still.
  bool isExact(const Clip& clip) const {
    return relation_.sameBones && relation_.sameTree &&
           std::all_of(pairs_.begin(), pairs_.end(), [&](const Pair& pair) {
             return pair.parent.has_value() || sameGround(pair, clip);
           });
  }

  Clip copy(const Clip& clip) const {
    std::unordered_map<std::uint32_t, std::uint32_t> modelOf;
    for (const Pair& pair : pairs_)
      modelOf[pair.motion] = pair.model;
    Clip out{clip.name, clip.seconds, {}};
    for (const Channel& channel : clip.channels)
      if (const auto found = modelOf.find(channel.node); found != modelOf.end()) {
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
    SampleCursor cursor;
    Pose pose;
    std::vector<mat4> modelFromNode;
    std::vector<vec3> firstPlace(pairs_.size());
    bool first = true;
    for (const float time : keyTimes(clip)) {
      sample(motion_.hierarchy, clip, time, Wrap::clamp, cursor, pose);
      modelFromNodes(motion_.hierarchy, pose, modelFromNode);
      if (first)
        for (std::size_t i = 0; i < pairs_.size(); ++i)
          firstPlace[i] = startOf(pairs_[i], vec3(modelFromNode[pairs_[i].motion][3]));
      first = false;
      addKeys(time, modelFromNode, firstPlace, out);
    }
    return out;
  }

 private:
  // What makes the motion's rest the model's, for joint i in model space. Joints with one matched
  // child are first swung so that their bone points as the motion's does: then rests in different
  // poses (arms up here, down there) do no harm. A joint at the end swings with the one above.
  quat restCorrection(std::size_t i) {
    const Pair& pair = pairs_[i];
    std::optional<std::size_t> child;
    std::size_t children = 0;
    for (std::size_t j = i + 1; j < pairs_.size(); ++j)
      if (pairs_[j].parent == i) {
        child = j;
        ++children;
      }
    quat swing(1, 0, 0, 0);
    if (children == 1) {
      const vec3 here = rest_.position[pairs_[*child].model] - rest_.position[pair.model];
      const vec3 there = relation_.modelFromMotion * (motionRest_.position[pairs_[*child].motion] -
                                                      motionRest_.position[pair.motion]);
      const float least = 1e-3f * relation_.size;
      if (glm::length(here) > least && glm::length(there) * relation_.scale > least)
        swing = shortestTurn(glm::normalize(here), glm::normalize(there));
    } else if (children == 0 && pair.parent) {
      swing = swing_[*pair.parent];
    }
    swing_.push_back(swing);
    return glm::inverse(relation_.modelFromMotion * motionRest_.rotation[pair.motion]) * swing *
           rest_.rotation[pair.model];
  }

  bool sameGround(const Pair& pair, const Clip& clip) const {
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

  // From where the root's way is measured: its rest, or its first key where the rest is elsewhere
  // (a BVH file's root rests at the origin).
  vec3 startOf(const Pair& pair, const vec3& firstPlace) const {
    const vec3& rest = motionRest_.position[pair.motion];
    const float sizeThere = relation_.size / relation_.scale;
    return glm::distance(rest, firstPlace) < 0.1f * sizeThere ? rest : firstPlace;
  }

  // One key of every matched joint: orientations in model space first, then relative to parents.
  void addKeys(float time, const std::vector<mat4>& motionFromNode,
               const std::vector<vec3>& firstPlace, Clip& out) const {
    Pose pose = restPose(model_.hierarchy);
    std::vector<mat4> modelFromNode(pose.parentFromNode.size());
    std::size_t next = 0;
    for (std::uint32_t node = 0; node < pose.parentFromNode.size(); ++node) {
      const std::uint32_t parent = rest_.parent(node);
      const mat4 modelFromParent = parent == kNoNode ? mat4(1.0f) : modelFromNode[parent];
      Transform& local = pose.parentFromNode[node];
      if (next < pairs_.size() && pairs_[next].model == node) {
        const Pair& pair = pairs_[next];
        Channel& channel = out.channels[next];
        const mat4& there = motionFromNode[pair.motion];
        const quat turned =
            relation_.modelFromMotion * decompose(there).rotation * correction_[next];
        local.rotation = glm::normalize(glm::inverse(decompose(modelFromParent).rotation) * turned);
        appendRotation(channel.rotation, time, local.rotation);
        if (!pair.parent) {
          const vec3 way = relation_.modelFromMotion * (vec3(there[3]) - firstPlace[next]);
          const vec3 place = rest_.position[pair.model] + relation_.scale * way;
          local.translation = transformPoint(glm::inverse(modelFromParent), place);
          channel.translation.times.push_back(time);
          channel.translation.values.push_back(local.translation);
        }
        ++next;
      }
      modelFromNode[node] = modelFromParent * matrixOf(local);
    }
  }

  const Model& model_;
  const Model& motion_;
  std::vector<Pair> pairs_;
  RestSkeleton rest_;
  RestSkeleton motionRest_;
  Relation relation_;
  std::vector<quat> correction_;
  std::vector<quat> swing_;
};

// Names that say nothing give way to the file's.
std::string clipName(const Model& motion, const Clip& clip) {
  const bool silent = clip.name.starts_with("clip ") || clip.name == "Motion";
  return silent && motion.clips.size() == 1 && !motion.name.empty() ? motion.name : clip.name;
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

std::string normalizedJointName(std::string_view name) {
  if (const std::size_t colon = name.find_last_of(":|"); colon != std::string_view::npos)
    name.remove_prefix(colon + 1);
  std::string out;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

MotionReport applyMotion(Model& model, const Model& motion) {
  const std::string& file = motion.path.empty() ? motion.name : motion.path;
  if (motion.clips.empty())
    throw usageError(fmt::format("--motion {}: has no animation in it", file),
                     "give a file with animation, such as .bvh, .fbx, .glb or .md5anim");
  MotionReport report;
  std::vector<Pair> pairs = matchNames(model, motion, report);
  if (pairs.empty())
    throw usageError(fmt::format("--motion {}: none of its {} moving joints ('{}', ...) is a joint "
                                 "of {} by name",
                                 file, report.unmatched.size(),
                                 report.unmatched.empty() ? "" : report.unmatched.front(),
                                 model.path.empty() ? model.name : model.path),
                     "the skeletons need joints of the same names; `sinew info` lists them");
  const Retarget retarget(model, motion, std::move(pairs));
  report.scale = retarget.relation().scale;
  report.sameFrames = retarget.relation().sameFrames;
  report.exact = true;
  std::vector<Clip> clips;
  for (const Clip& clip : motion.clips) {
    const bool exact = retarget.isExact(clip);
    report.exact = report.exact && exact;
    clips.push_back(exact ? retarget.copy(clip) : retarget.resample(clip));
    clips.back().name = clipName(motion, clip);
  }
  putFirst(std::move(clips), model);
  return report;
}

} // namespace sinew
