// The stress scene: copies of one character on a grid, each in its own pose, until a number of
// vertices is reached. Shared by the benchmark and the viewer.
#pragma once

#include "animation/pose_lanes.h"
#include "app/posed_box.h"
#include "app/workbench.h"
#include "core/workers.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace sinew {

// One character: which clip it plays, where in it, and how fast.
struct CrowdMember {
  std::optional<std::uint32_t> clip;
  float start = 0.0f;
  float speed = 1.0f;
  PoseMemory memory;
};

// A clip made ready for a crowd's rig.
struct CrowdClip {
  bool ready = false;
  ClipLanes lanes;
  bool mayScaleUnevenly = true;
};

// Up to kLanes members that play one clip, and are posed side by side.
struct CrowdGroup {
  std::uint32_t first = 0; // index into Crowd::order
  std::uint32_t count = 0;
};

// What one thread poses with, kept so that no frame allocates.
struct CrowdScratch {
  Pose pose;
  std::vector<mat4> modelFromNode;
  PoseLanes lanes;
  SkinMoment moving;
  bool nonUniformScale = false;
  double posing = 0.0, packing = 0.0; // milliseconds
};

// Which members a frame shows: those whose posed box is in the picture. The others are posed, as
// their boxes ask for it, and not packed.
struct CrowdCulling {
  mat4 clipFromWorld{1.0f};
  JointBoxes boxes; // boxes for the method that is shown
};

struct Crowd {
  std::vector<CrowdMember> members;
  std::vector<vec3> offsets; // world space, one per member
  Bounds bounds;             // bounds of the whole crowd
  // The members' palettes in the current moment, one behind another.
  std::vector<vec4> rows;
  bool nonUniformScale = false;
  bool live = true; // false: palettes are baked, and nothing is posed
  std::optional<CrowdCulling> culling;
  std::vector<std::uint8_t> shown;        // per member, with culling; rows of the others are old
  std::vector<MorphWeights> morphWeights; // per member; none: the model has no morph targets
  EvaluateCost cost;                      // sum over the threads, in the time that passed
  // These last from one moment to the next.
  std::vector<CrowdClip> clips;     // one per clip; made ready when a member first plays it
  std::vector<std::uint32_t> order; // indices of members: those of one clip behind one another
  std::vector<CrowdGroup> groups;
  std::vector<LaneCursor> cursors;   // one per group
  std::vector<CrowdScratch> scratch; // one per thread
  std::shared_ptr<Workers> workers;
};

// The fewest members whose vertices reach the number, at least one. The same for the same model.
// The clips of the model must not change while the crowd plays. threads: number that poses it;
// 0: as many as there are cores.
Crowd makeCrowd(const Workbench& workbench, std::size_t vertices, std::size_t threads = 0);

// Binds the workbench's methods as crowds in one draw are drawn: BindOptions::formPerCount.
void bindForCrowd(Workbench& workbench);

// Poses every member at `seconds` and packs its palette by the method: eight members side by side
// where they play whole clips, and by all threads, unless layers or drivers change the poses. A
// character without clips sways: every joint turns a little, each member differently.
void evaluateCrowd(const Workbench& workbench, const BoundMethod& bound, Crowd& crowd,
                   float seconds);

} // namespace sinew
