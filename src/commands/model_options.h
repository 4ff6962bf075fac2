// Options of commands that read a model.
#pragma once

#include "animation/retarget/motion_map.h"
#include "app/subdivision.h"
#include "import/up_axis.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sinew {

class StandardInput;
struct Command;

// Options of every command that reads a model.
struct ModelOptions {
  std::string model;                               // a file, or demo:NAME
  std::shared_ptr<const StandardInput> input = {}; // that `model` is a copy of
  std::string motion;    // a file whose animation is put on the model; empty: none
  std::string motionMap; // map of its joints (animation/retarget/motion_map.h); empty: by names
  std::string pose;      // a pose saved as JSON; empty: none
  std::vector<std::string> morphs; // NAME=WEIGHT: weights of morph targets that are held
  std::string layers;              // layers saved as JSON; empty: none
  std::string zones;               // zones of joints saved as JSON; empty: those beside the model
  std::vector<std::string> zone;   // JOINT:KEY=VALUE:..., over those
  SubdivideOptions subdivide;
  std::string weights; // saved as JSON; empty: those beside the model, "none": the model's own
  std::string splines; // saved as JSON; empty: those beside the model, "none": the model's own
  std::string drivers; // saved as JSON; empty: those beside the model, "none": none
  std::string importer = "auto"; // "assimp": for glTF too
  std::vector<std::string> textureFolders = {};
  UpAxis up = UpAxis::automatic;
  double timeLimit = 60.0;
  bool textures = true;                    // false: looked for and looked at, not decoded
  std::function<void()> whileReading = {}; // called some times while a file is read elsewhere
  bool json = false;
  bool quiet = false;
};

// All of them.
void addModelOptions(Command& command, ModelOptions& options);

// Some of them, for commands that take a few.
void addUpOption(Command& command, UpAxis& up);
void addTexturePath(Command& command, std::vector<std::string>& folders);
void addWeightsFile(Command& command, std::string& weights);
void addSplinesFile(Command& command, std::string& splines);
void addDriversFile(Command& command, std::string& drivers);
void addZoneOptions(Command& command, std::string& file, std::vector<std::string>& joints);
void addSubdivideOptions(Command& command, SubdivideOptions& subdivide);
void addMorphOption(Command& command, std::vector<std::string>& morphs); // for holdMorphs()
void addLayersOption(Command& command, ModelOptions& options);
void addMotionMap(Command& command, std::string& file);

void checkTexturePath(const std::vector<std::string>& folders);            // throws usageError
MotionMap motionMapOf(const std::string& file, const std::string& motion); // "": the empty one

} // namespace sinew
