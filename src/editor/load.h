// What the background thread does to make a model ready for a session.
#pragma once

#include "animation/retarget/motion_map.h"
#include "app/settings.h"
#include "app/subdivision.h"
#include "editor/document/document.h"
#include "editor/importer.h"
#include "import/up_axis.h"

#include <string>

namespace sinew {

// Files that belong to a model; empty: those beside it. Where one of those is not usable, the model
// comes without it and says so in its warnings.
struct Sidecars {
  std::string zones;
  std::vector<std::string> zone;   // zones of single joints, over those
  SubdivideOptions subdivide;      // no file: where bent, in the pose of these two, or of the
  std::string pose;                // settings' clip and time
  std::vector<std::string> morphs; // as in holdMorphs()
  std::string weights;             // "none": the model's own
  std::string splines;             // likewise
  std::string drivers;             // likewise
  std::string layers;              // layers; none lie beside a model
  std::vector<std::string> textureFolders = {};
};

Sidecars sidecarsOf(const ModelRequest& request);

// model: a file or demo:NAME; motion: a file whose animation is put on it by the map, or empty.
Importer::Load loadForSession(std::string model, std::string motion, MotionMap map, UpAxis up,
                              Sidecars sidecars, Settings settings);

// A message "path: what; remedy" in its parts; those it does not have are empty.
struct MessageParts {
  std::string file, what, remedy;
};
MessageParts partsOf(const std::string& message);

} // namespace sinew
