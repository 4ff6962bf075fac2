// A model by name: a file, or demo:NAME for one the program makes itself. Skeletons and motions are
// named alike.
#pragma once

#include "animation/retarget/motion_map.h"
#include "import/isolated_import.h"
#include "model/model.h"
#include "weights/bind_model.h"
#include "weights/skeleton.h"

#include <string>
#include <vector>

namespace sinew {

struct MotionReport; // animation/motion.h

struct LoadOptions {
  std::string motion;            // a file whose animation is put on the model; empty: none
  MotionMap motionMap;           // which joint moves which, in addition to matching names
  double seconds = 60.0;         // reading longer is a limit error, for each file
  double megabytes = 8192.0;     // using more memory is a limit error too
  UpAxis up = UpAxis::automatic; // the model's; a motion is turned by itself
  std::vector<std::string> textureFolders = {}; // further folders that its textures may be in
  bool textures = true;                         // false: they are looked at, not decoded
  ImportProgress progress;                      // false cancels
  MotionReport* report = nullptr;               // receives the report on the motion, if not null
};

// Files are read in a process of their own (isolated_import.h), so that one that makes a reader
// crash or hang costs no more than an error. Throws Error or Cancelled.
Model loadModel(const std::string& name, const LoadOptions& options = {});

// The name of a demo if it is "demo:NAME", else empty.
std::string demoName(const std::string& name);

// The skeleton that a mesh is to be bound to.
// "template:NAME" is fitted into the mesh (weights/templates/skeleton_template.h); else a .tgf file
// (weights/skeleton_tgf.h), or a model, whose joints are taken: a file or "demo:NAME". The mesh is
// used for templates alone. Throws as these do.
Skeleton loadSkeleton(const std::string& name, const JoinedMeshes& mesh,
                      const LoadOptions& options = {});

struct AddedMotion {
  std::vector<Clip> clips;            // for the model's nodes
  std::vector<std::string> unmatched; // the motion's joints the model does not have
};

// The clips of a motion as the model moves by them (applyMotion()). A clip without a name, or with
// one that is in `taken`, is named after the file, and numbered where that is taken too; the names
// are added to `taken`. Throws as loadModel() and applyMotion() do.
AddedMotion motionFor(const Model& model, const std::string& file, const LoadOptions& options,
                      std::vector<std::string>& taken);

// The same for several files; the clips follow the model's own. Joints without a match are a
// warning of the model.
void addMotions(Model& model, const std::vector<std::string>& files, const LoadOptions& options);

std::vector<std::string> clipNames(const Model& model);

} // namespace sinew
