// What a model is opened from: its file, and the files and words that belong to it. The command
// line, the window, recovery files and models beside the document all hold these.
#pragma once

#include "animation/retarget/motion_map.h"
#include "app/subdivision.h"
#include "import/up_axis.h"

#include <string>
#include <vector>

namespace sinew {

// The word for layers that are the springs of the model's file.
inline constexpr const char* kOwnLayers = "own";
inline constexpr const char* kNoLayers = "none";

struct ModelSources {
  std::string model = {};               // a file, or demo:NAME
  std::string motion = {};              // a file whose animation is put on it; empty: none
  MotionMap motionMap = {};             // which joint moves which, in addition to matching names
  std::string pose = {};                // a pose saved as JSON; empty: that of clip and time
  std::vector<std::string> morphs = {}; // NAME=WEIGHT: morph targets that are held (holdMorphs())
  std::string layers = {}; // layers over the clip, as JSON; kOwnLayers; kNoLayers or empty: none
  // Empty: the file beside the model; "none": not even that (sidecar.h).
  std::string zones = {}, weights = {}, splines = {}, drivers = {}, velocity = {};
  std::vector<std::string> zone = {}; // zones of single joints, over those: readZoneText()
  SubdivideOptions subdivide = {};    // `bent` refers to the pose above
  UpAxis up = UpAxis::automatic;
  std::vector<std::string> textureFolders = {}; // further folders that its textures may be in
};

// What shows a model moves the springs of its file, unless it has other layers or holds a pose.
inline void swingBySprings(ModelSources& sources) {
  if (sources.layers.empty() && sources.pose.empty()) sources.layers = kOwnLayers;
}

} // namespace sinew
