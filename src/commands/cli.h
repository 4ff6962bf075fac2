// What the commands share: options by visiting the settings, loading a model by name, output.
// The command line is a contract (docs/cli.md): names, JSON keys and exit codes stay.
#pragma once

#include "animation/retarget/motion_map.h"
#include "app/settings.h"
#include "app/subdivision.h"
#include "app/workbench.h"
#include "commands/command.h"
#include "import/up_axis.h"
#include "picture/picture_size.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sinew {

class StandardInput;

// Options of every command that reads a model.
struct ModelOptions {
  std::string model;                               // a file, or demo:NAME
  std::shared_ptr<const StandardInput> input = {}; // that `model` is a copy of
  std::string motion;    // a file whose animation is put on the model; empty: none
  std::string motionMap; // of its joints (animation/retarget/motion_map.h); empty: by names
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

// --weights of a command that reads a model: a file, or none.
void addUpOption(Command& command, UpAxis& up);
void addTexturePath(Command& command, std::vector<std::string>& folders);
void checkTexturePath(const std::vector<std::string>& folders); // throws usageError
void addWeightsFile(Command& command, std::string& weights);
void addSplinesFile(Command& command, std::string& splines); // likewise

void addDriversFile(Command& command, std::string& drivers); // likewise

void addZoneOptions(Command& command, std::string& file, std::vector<std::string>& joints);
void addSubdivideOptions(Command& command, SubdivideOptions& subdivide);

void addModelOptions(Command& command, ModelOptions& options);
void addMorphOption(Command& command, std::vector<std::string>& morphs); // of holdMorphs()
void addLayersOption(Command& command, ModelOptions& options);           // one of them

// One option per setting; only those of the groups named (all when empty).
void addSettings(Command& command, Settings& settings, std::vector<std::string> groups = {});

// "skeleton,weights:Hips,wireframe,no-grid": the "Show" group's words, for --show.
void addShow(Command& command, Settings& settings);

// "yaw,pitch,distance", for --camera.
void addCamera(Command& command, Settings& settings);

void addMotionMap(Command& command, std::string& file);
MotionMap motionMapOf(const std::string& file, const std::string& motion); // "": the empty one

// What --size accepts.
struct SizeRange {
  Size min{1, 1};
  Size max{16384, 16384};
};

// "640x480".
void addSize(Command& command, Size& size, const SizeRange& range, const std::string& help);
void addSize(Command& command, Size& size); // of a picture

// Whether a command shows several methods at once, or has a list of methods beside the settings.
enum class Methods { one, several, ownList };

// Loads, reads zones and animation layers, applies motion and pose, evaluates at the settings' clip
// and time; unless quiet, reports repairs, warnings and a zones file beside the model on stderr.
// Throws Error; usageError for several methods where one is meant.
Workbench openWorkbench(const ModelOptions& options, const Settings& settings,
                        Methods methods = Methods::one);

// JSON as text, indented. Names in files may be in any encoding: bytes that are not UTF-8 become
// replacement characters.
std::string textOf(const nlohmann::ordered_json& json);

// Prints text on stdout and makes sure it arrived: a full disk or closed pipe is an error.
void print(const std::string& text);

} // namespace sinew
