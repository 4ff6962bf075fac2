// A model by name: a file, or demo:NAME for one the program makes itself.
#pragma once

#include "animation/retarget/motion_map.h"
#include "import/isolated_import.h"
#include "model/model.h"

#include <string>
#include <vector>

namespace sinew {

struct MotionReport; // animation/motion.h

struct LoadOptions {
  std::string motion;            // a file whose animation is put on the model; empty: none
  MotionMap motionMap;           // who moves whom in it, beside what names say
  double seconds = 60.0;         // reading longer is a limit error, for each file
  double megabytes = 8192.0;     // so is memory beyond this
  UpAxis up = UpAxis::automatic; // of the model; a motion is turned by itself
  std::vector<std::string> textureFolders = {}; // where its textures may be, beside its own folder
  bool textures = true;                         // false: they are looked at, not decoded
  ImportProgress progress;                      // false cancels
  MotionReport* report = nullptr;               // of what became of the motion, if there is one
};

// Files are read in a process of their own (isolated_import.h), so that one that makes a reader
// crash or hang costs no more than an error. Throws Error or Cancelled.
Model loadModel(const std::string& name, const LoadOptions& options = {});

// The name of a demo if it is "demo:NAME", else empty.
std::string demoName(const std::string& name);

} // namespace sinew
