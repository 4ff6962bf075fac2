// What a method does to the skin over a range of motion, and a clip of one. Measured: every joint
// that bends skin, one after another, bent by 45 and 90 degrees to either side about two axes
// across its bone, and twisted by 90 degrees either way.
#pragma once

#include "core/progress.h"
#include "model/model.h"
#include "skinning/method.h"

#include <cstddef>
#include <limits>
#include <string>

namespace sinew {

// Over all joints and poses; each pose counts with the bent joint's region (SkinRegion). NaN
// without a joint for which the measure is defined.
struct RangeOfMotion {
  static constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

  std::size_t joints = 0; // joints that bend skin
  std::size_t poses = 0;
  double leastVolume = kUndefined; // over the bind volume
  double largestVolume = kUndefined;
  double meanVolumeChange = kUndefined; // |ratio - 1|
  double leastSection = kUndefined;     // smallest radius of a slice over the bind radius
  double meanSection = kUndefined;
  double largestFolded =
      kUndefined; // fraction of the edges, by length, that fold by 60 degrees more
  double meanFolded = kUndefined;
  std::size_t selfIntersections = 0; // pairs of triangles, all poses together
  std::string worstSection;          // the joint of leastSection
};

// Throws Cancelled.
RangeOfMotion measureRangeOfMotion(const Model& model, const Rig& rig, const Method& method,
                                   const BindOptions& options, const Progress& progress = {});

// A clip that shows what a skin does where nothing else moves it: every joint below another one,
// bent to either side about two axes across its bone; joints at the same level of the skeleton
// together. Without such joints it has no channels.
Clip rangeOfMotionClip(const Model& model);

} // namespace sinew
