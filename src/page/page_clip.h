// The motion of a page: poses one after the other, as many a second as it shows.
#pragma once

#include "app/workbench.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinew {

struct PagePose {
  std::vector<mat4> modelFromNode;             // F of every node
  std::vector<float> twists;                   // Pose::twists
  MorphWeights morphWeights = {};              // one per morph target; none: all 0
  std::string label = {};                      // empty: its time says what it is
  std::optional<Camera> camera = {};           // looks at what is to be seen, in a square view
  std::vector<ShownModel::Pose> standIns = {}; // withStandIns(): per method; without nodes: none
  // Pose::parentFromNode; empty: a reader cannot rotate its joints.
  std::vector<Transform> parentFromNode = {};
  // Displacements of velocity skinning, per joint of the rig (SkinMoment); none: without it.
  std::vector<MatrixRows> displacements = {};
};

struct PageClip {
  std::string name;
  double framesPerSecond = 0.0; // 0: poses that are looked at one by one
  double begin = 0.0;           // seconds into the clip of the first pose
  std::vector<PagePose> poses;  // at least one
  // Seconds from the first pose to each; empty: they are evenly spaced.
  std::vector<double> times = {};
};

// The clips by their words (clipWord(), "all", "none", "bind"; without any the settings' clip) with
// the workbench's layers, from the first to the last moment of the played range: evenly spaced, or
// at the keys and between them, if even poses would miss keys. Throws usageError for an unknown
// clip, and for more poses than a page holds.
std::vector<PageClip> sampleClips(Workbench workbench, Settings settings,
                                  std::span<const std::string> clips, double framesPerSecond);

// The clips with what the workbench's methods with stand-ins show (Method::shows). The weights of
// their own morph targets follow those of the model in PagePose::morphWeights.
std::vector<PageClip> withStandIns(const Workbench& workbench, std::span<const PageClip> clips);

} // namespace sinew
