#include "app/crowd.h"

#include "core/random.h"
#include "core/stopwatch.h"
#include "skinning/modified.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

double milliseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

// Rows and columns as square as they come, centred on the first character's place.
std::vector<vec3> gridOffsets(std::size_t count, const Bounds& one) {
  const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
  const vec3 step = 1.1f * glm::max(one.extent(), vec3(1e-3f * one.size()));
  std::vector<vec3> offsets;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t column = i % columns;
    const std::size_t row = i / columns;
    const float middle = 0.5f * static_cast<float>(columns - 1);
    offsets.emplace_back((static_cast<float>(column) - middle) * step.x, 0.0f,
                         (static_cast<float>(row) - middle) * step.z);
  }
  return offsets;
}

void sway(const Hierarchy& hierarchy, float phase, Pose& pose) {
  pose.parentFromNode.resize(hierarchy.nodes.size());
  for (std::size_t i = 0; i < hierarchy.nodes.size(); ++i) {
    Transform& t = pose.parentFromNode[i];
    t = hierarchy.nodes[i].rest;
    const float angle = 0.15f * std::sin(phase + static_cast<float>(i));
    t.rotation = t.rotation * glm::angleAxis(angle, vec3(0.0f, 0.0f, 1.0f));
  }
  pose.morphWeights.clear();
  pose.twists.clear();
}

} // namespace

Crowd makeCrowd(const Workbench& workbench, std::size_t vertices, std::size_t threads) {
  const std::size_t each = std::max<std::size_t>(workbench.rig.positions.size(), 1);
  const std::size_t count = std::max<std::size_t>((vertices + each - 1) / each, 1);

  Crowd crowd;
  crowd.workers = std::make_shared<Workers>(threads);
  const Bounds one = posedOutline(workbench);
  crowd.offsets = gridOffsets(count, one);
  for (const vec3& offset : crowd.offsets) {
    crowd.bounds.include(one.min + offset);
    crowd.bounds.include(one.max + offset);
  }
  Random random(1);
  for (std::size_t i = 0; i < count; ++i) {
    CrowdMember member;
    member.start = random.uniform(0.0f, 60.0f);
    member.speed = random.uniform(0.8f, 1.2f);
    const auto clips = static_cast<std::uint32_t>(workbench.model.clips.size());
    if (clips > 0) member.clip = workbench.clip ? *workbench.clip : random.below(clips);
    crowd.members.push_back(std::move(member));
  }
  return crowd;
}

void bindForCrowd(Workbench& workbench) {
  workbench.formPerCount = true;
  for (BoundMethod& bound : workbench.bound) {
    bound.options.formPerCount = true;
    bound.binding = bound.method->bind(workbench.rig, bound.options);
  }
}

namespace {

// Members that are posed and packed on their own are independent of each other unless layers, which
// may hold formulas and springs, or drivers take part.
bool independent(const Workbench& workbench) {
  return workbench.layerStack.layers.empty() && workbench.layerStack.seconds == 0.0f &&
         workbench.preparedDrivers.empty();
}

float computeTime(const CrowdMember& member, float seconds) {
  return member.start + member.speed * seconds;
}

struct CrowdTask {
  const Workbench& workbench;
  const BoundMethod& bound;
  Crowd& crowd;
  float seconds;
  std::size_t rowsEach;

  std::span<vec4> getRows(std::size_t member) const {
    return {crowd.rows.data() + member * rowsEach, rowsEach};
  }
};

// Whether the member is in the picture, which is noted.
bool show(const CrowdTask& task, std::size_t member, Bounds box) {
  Crowd& crowd = task.crowd;
  box.min += crowd.offsets[member];
  box.max += crowd.offsets[member];
  const bool shown = isInPicture(crowd.culling->clipFromWorld, box);
  crowd.shown[member] = shown ? 1 : 0;
  return shown;
}

void pack(const CrowdTask& task, std::size_t member, CrowdScratch& scratch) {
  if (task.crowd.culling &&
      !show(task, member, posedBox(task.crowd.culling->boxes, scratch.modelFromNode)))
    return;
  scratch.nonUniformScale |= task.bound.method->pack(task.workbench.rig, task.bound.binding,
                                                     scratch.modelFromNode, task.getRows(member));
}

// Whether velocity skinning moves the skin.
bool moves(const CrowdTask& task) {
  return isModified(task.bound.binding, velocityModifier());
}

// One member on its own.
void evaluateMember(const CrowdTask& task, std::size_t i, CrowdScratch& scratch) {
  const Workbench& workbench = task.workbench;
  CrowdMember& member = task.crowd.members[i];
  const auto start = Clock::now();
  member.memory.preRoll = 0.0; // a thousand times as many springs begin at rest
  const float time = computeTime(member, task.seconds);
  if (member.clip || !workbench.layerStack.layers.empty())
    poseAt(workbench, member.clip, static_cast<double>(time), Wrap::loop, member.memory,
           scratch.pose);
  else
    sway(workbench.model.hierarchy, time, scratch.pose);
  if (!workbench.rig.morphs.empty()) {
    if (scratch.pose.morphWeights.empty()) scratch.pose.morphWeights = restWeights(workbench.model);
    task.crowd.morphWeights[i] = scratch.pose.morphWeights;
  }
  modelFromNodes(workbench.model.hierarchy, scratch.pose, scratch.modelFromNode);
  const auto posed = Clock::now();
  pack(task, i, scratch);
  if (moves(task) && member.clip) {
    moveSkin(workbench,
             {member.clip, static_cast<double>(time), Wrap::loop, member.memory, scratch.pose,
              scratch.modelFromNode},
             scratch.moving);
    putModifierRows(task.bound.binding, scratch.moving.joints, task.getRows(i));
  }
  if (task.bound.method->usesFreeSplines && !scratch.pose.twists.empty())
    task.bound.method->addRotations(workbench.rig, task.bound.binding, scratch.pose.twists,
                                    task.getRows(i));
  scratch.posing += milliseconds(posed - start);
  scratch.packing += milliseconds(Clock::now() - posed);
}

// What poseAt() makes of the weights of a member that plays a clip alone.
void morphMember(const CrowdTask& task, CrowdMember& member, MorphWeights& weights) {
  const Workbench& workbench = task.workbench;
  sampleMorphs(workbench.model, workbench.model.clips[*member.clip],
               computeTime(member, task.seconds), Wrap::loop, member.memory.clip.cursor, weights);
  for (const HeldMorph& held : workbench.heldMorphs)
    weights[held.target] = held.weight;
}

// Up to kLanes members side by side.
void evaluateGroup(const CrowdTask& task, std::size_t g, CrowdScratch& scratch) {
  Crowd& crowd = task.crowd;
  const CrowdGroup& group = crowd.groups[g];
  const auto getMember = [&](std::size_t lane) {
    return crowd.order[group.first + std::min<std::size_t>(lane, group.count - 1)];
  };
  const auto start = Clock::now();
  std::array<float, kLanes> times{};
  for (std::size_t l = 0; l < kLanes; ++l)
    times[l] = computeTime(crowd.members[getMember(l)], task.seconds);
  const CrowdClip& clip = crowd.clips[*crowd.members[getMember(0)].clip];
  poseLanes(clip.lanes, times, crowd.cursors[g], scratch.lanes);
  if (!task.workbench.rig.morphs.empty())
    for (std::size_t l = 0; l < group.count; ++l)
      morphMember(task, crowd.members[getMember(l)], crowd.morphWeights[getMember(l)]);
  bool shown = true;
  if (crowd.culling && task.bound.method->packLanes != nullptr) {
    std::array<Bounds, kLanes> boxes;
    posedBoxes(crowd.culling->boxes, scratch.lanes, boxes);
    shown = false;
    for (std::size_t l = 0; l < group.count; ++l)
      shown |= show(task, getMember(l), boxes[l]);
  }
  const auto posed = Clock::now();
  if (!shown) {
    // nothing of the group is packed
  } else if (task.bound.method->packLanes != nullptr) {
    std::array<std::span<vec4>, kLanes> rows;
    for (std::size_t l = 0; l < kLanes; ++l)
      rows[l] = task.getRows(getMember(l));
    scratch.nonUniformScale |= task.bound.method->packLanes(task.workbench.rig, scratch.lanes,
                                                            clip.mayScaleUnevenly, rows);
  } else {
    for (std::size_t l = 0; l < group.count; ++l) {
      takeLane(scratch.lanes, l, scratch.modelFromNode);
      pack(task, getMember(l), scratch);
    }
  }
  scratch.posing += milliseconds(posed - start);
  scratch.packing += milliseconds(Clock::now() - posed);
}

constexpr float kEvenEnough = 3e-5f; // well below the tolerance of packBoneMatrices()

void makeReady(const Workbench& workbench, std::uint32_t index, CrowdClip& clip) {
  clip.lanes =
      prepareLanes(workbench.model.hierarchy, workbench.model.clips[index], ClipNoise::held);
  clip.mayScaleUnevenly = std::any_of(workbench.rig.joints.begin(), workbench.rig.joints.end(),
                                      [&](const RigJoint& joint) {
                                        return !(clip.lanes.nodes[joint.node].unevenness +
                                                     measureUnevenness(mat3(joint.jointFromBind)) <
                                                 kEvenEnough);
                                      });
  clip.ready = true;
}

// Whether members of this clip are posed side by side: the whole of it plays, without what the
// lanes do not hold: poses before and after, among others.
bool inLanes(const CrowdTask& task, const CrowdMember& member) {
  return member.clip && !moves(task) && isPlain(task.workbench.range) &&
         task.workbench.root == RootMotion::keep &&
         !(task.bound.method->usesFreeSplines &&
           !task.workbench.model.clips[*member.clip].twists.empty());
}

// Groups that play one clip, and the others each on its own. Fewer groups than members: the
// order stays from one moment to the next.
void divideCrowd(const CrowdTask& task) {
  Crowd& crowd = task.crowd;
  const auto byClip = [&](std::uint32_t a, std::uint32_t b) {
    return crowd.members[a].clip < crowd.members[b].clip;
  };
  if (crowd.order.size() != crowd.members.size()) {
    crowd.order.resize(crowd.members.size());
    std::iota(crowd.order.begin(), crowd.order.end(), 0u);
  }
  if (!std::is_sorted(crowd.order.begin(), crowd.order.end(), byClip))
    std::stable_sort(crowd.order.begin(), crowd.order.end(), byClip);
  crowd.groups.clear();
  crowd.clips.resize(task.workbench.model.clips.size());
  for (std::uint32_t i = 0; i < crowd.order.size(); ++i) {
    const CrowdMember& member = crowd.members[crowd.order[i]];
    if (!crowd.groups.empty() && crowd.groups.back().count < kLanes && inLanes(task, member) &&
        member.clip == crowd.members[crowd.order[i - 1]].clip)
      ++crowd.groups.back().count;
    else
      crowd.groups.push_back({i, 1});
    if (inLanes(task, member) && !crowd.clips[*member.clip].ready)
      makeReady(task.workbench, *member.clip, crowd.clips[*member.clip]);
  }
  crowd.cursors.resize(crowd.groups.size());
}

void evaluateByAll(const CrowdTask& task) {
  Crowd& crowd = task.crowd;
  divideCrowd(task);
  constexpr std::size_t kPiece = 4; // groups that a thread takes at once
  const std::size_t pieces = (crowd.groups.size() + kPiece - 1) / kPiece;
  crowd.workers->forEach(pieces, [&](std::size_t piece, std::size_t thread) {
    const std::size_t end = std::min((piece + 1) * kPiece, crowd.groups.size());
    for (std::size_t g = piece * kPiece; g < end; ++g) {
      const std::uint32_t first = crowd.order[crowd.groups[g].first];
      if (inLanes(task, crowd.members[first]))
        evaluateGroup(task, g, crowd.scratch[thread]);
      else
        evaluateMember(task, first, crowd.scratch[thread]);
    }
  });
}

} // namespace

void evaluateCrowd(const Workbench& workbench, const BoundMethod& bound, Crowd& crowd,
                   float seconds) {
  const std::size_t rowsEach =
      static_cast<std::size_t>(bound.binding.entryCount) * bound.binding.rowsPerEntry;
  crowd.rows.resize(crowd.live ? rowsEach * crowd.members.size() : 0);
  crowd.nonUniformScale = false;
  crowd.cost = {};
  if (crowd.culling) crowd.shown.assign(crowd.members.size(), 1);
  if (rowsEach == 0 || !crowd.live) { // the unskinned mesh needs no pose
    crowd.morphWeights.clear();
    return;
  }
  const auto start = Clock::now();
  crowd.morphWeights.resize(workbench.rig.morphs.empty() ? 0 : crowd.members.size());
  crowd.scratch.resize(crowd.workers->threads());
  for (CrowdScratch& scratch : crowd.scratch) {
    scratch.nonUniformScale = false;
    scratch.posing = scratch.packing = 0.0;
  }
  const CrowdTask task{workbench, bound, crowd, seconds, rowsEach};
  if (independent(workbench))
    evaluateByAll(task);
  else
    for (std::size_t i = 0; i < crowd.members.size(); ++i)
      evaluateMember(task, i, crowd.scratch[0]);

  // The time that passed, divided as the threads' own is.
  double posing = 0.0;
  double packing = 0.0;
  for (const CrowdScratch& scratch : crowd.scratch) {
    crowd.nonUniformScale |= scratch.nonUniformScale;
    posing += scratch.posing;
    packing += scratch.packing;
  }
  const double passed = millisecondsSince(start);
  const double share = posing + packing > 0.0 ? posing / (posing + packing) : 1.0;
  crowd.cost = {share * passed, (1.0 - share) * passed};
}

} // namespace sinew
