// Options of commands that read a model, and the workbench that they open.
#pragma once

#include "app/model_sources.h"
#include "app/settings.h"
#include "app/workbench.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sinew {

class UnfinishedFolder;
struct Command;
struct Sidecar;

// Options of every command that reads a model.
struct ModelOptions : ModelSources {
  std::shared_ptr<const UnfinishedFolder> input = {}; // holds standard input as `model`
  std::string motionMapFile;                          // file of `motionMap`; empty: by names
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
void addSidecar(Command& command, const Sidecar& kind, std::string& word);
void addZoneOptions(Command& command, std::string& file, std::vector<std::string>& joints);
void addSubdivideOptions(Command& command, SubdivideOptions& subdivide);
void addLayersOption(Command& command, std::string& layers);

// Throws usageError where they do not hold together.
void checkSources(const ModelSources& sources);
MotionMap openMotionMap(const std::string& file, const std::string& motion); // "": the empty one

// Whether a command shows several methods at once, or has its own list of methods.
enum class Methods { one, several, ownList };

// Loads, reads zones and animation layers, applies motion and pose, evaluates at the settings' clip
// and time; unless quiet, reports repairs, warnings and a zones file beside the model on stderr.
// Throws Error; usageError for several methods where one is meant.
Workbench openWorkbench(const ModelOptions& options, const Settings& settings,
                        Methods methods = Methods::one);

} // namespace sinew
