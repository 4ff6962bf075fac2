// Options of commands that read a model.
#pragma once

#include "app/model_sources.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sinew {

class StandardInput;
struct Command;
struct Sidecar;

// Options of every command that reads a model.
struct ModelOptions : ModelSources {
  std::shared_ptr<const StandardInput> input = {}; // that `model` is a copy of
  std::string motionMapFile;                       // of `motionMap`; empty: by names
  double timeLimit = 60.0;
  bool textures = true;                    // false: looked for and looked at, not decoded
  std::function<void()> whileReading = {}; // called some times while a file is read elsewhere
  bool json = false;
  bool quiet = false;
};

// All of them.
void addSources(Command& command, ModelSources& sources, std::string& motionMapFile);
void addModelOptions(Command& command, ModelOptions& options);

// Some of them, for commands that take a few.
void addUpOption(Command& command, UpAxis& up);
void addTexturePath(Command& command, std::vector<std::string>& folders);
void addSidecar(Command& command, const Sidecar& kind, std::string& word);
void addZoneOptions(Command& command, std::string& file, std::vector<std::string>& joints);
void addSubdivideOptions(Command& command, SubdivideOptions& subdivide);
void addMorphOption(Command& command, std::vector<std::string>& morphs); // for holdMorphs()
void addLayersOption(Command& command, std::string& layers);
void addMotionMap(Command& command, std::string& file);

// Throws usageError where they do not hold together.
void checkSources(const ModelSources& sources);
void checkTexturePath(const std::vector<std::string>& folders);              // likewise
MotionMap openMotionMap(const std::string& file, const std::string& motion); // "": the empty one

} // namespace sinew
