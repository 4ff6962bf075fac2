// What the commands share: options by visiting the settings, loading a model by name, output.
// The command line is a contract (docs/cli.md): names, JSON keys and exit codes stay.
#pragma once

#include "app/settings.h"
#include "app/workbench.h"
#include "core/error.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>

namespace sinew {

// A command adds its subcommand to the application and, when chosen, sets `run`.
struct CommandLine {
  CLI::App app{"Real-time character skinning: look at a rigged model under every method."};
  std::function<ExitCode()> run;
};

// Options of every command that reads a model.
struct ModelOptions {
  std::string model;    // a file, or demo:NAME
  std::string motion;   // a file whose animation is put on the model; empty: none
  std::string pose;     // a pose saved as JSON; empty: none
  std::string movement; // layers saved as JSON; empty: none
  std::string zones;    // zones of joints saved as JSON; empty: those beside the model
  std::string weights;  // saved as JSON; empty: those beside the model, "none": the model's own
  double timeLimit = 60.0;
  bool json = false;
  bool quiet = false;
};

// --weights of a command that reads a model: a file, or none. Where addSettings() has the joint of
// the same name too, a word that is no file is that.
void addWeightsFile(CLI::App& command, std::string& weights);

void addModelOptions(CLI::App& command, ModelOptions& options);
void addMovementOption(CLI::App& command, ModelOptions& options); // one of them

// One option per setting; only those of the groups named (all when empty).
void addSettings(CLI::App& command, Settings& settings, std::vector<std::string> groups = {});

// "skeleton,weights:Hips,wireframe,no-grid": the "Show" group's words, for --show.
void addShow(CLI::App& command, Settings& settings);

// "yaw,pitch,distance", for --camera.
void addCamera(CLI::App& command, Settings& settings);

// "640x480"; both from 1 to 16384.
struct Size {
  int width = 960;
  int height = 720;
};
void addSize(CLI::App& command, Size& size);

// Whether a command shows several methods at once.
enum class Methods { one, several };

// Loads, reads zones and movement, applies motion and pose, evaluates at the settings' clip and
// time; says repairs, warnings and zones that stand beside the model on stderr unless quiet. Throws
// Error; usageError for several methods where one is meant.
Workbench openWorkbench(const ModelOptions& options, const Settings& settings,
                        Methods methods = Methods::one);

// JSON as text, indented. Names in files may be in any encoding: bytes that are not UTF-8 become
// replacement characters.
std::string textOf(const nlohmann::ordered_json& json);

// Prints text on stdout and makes sure it arrived: a full disk or closed pipe is an error.
void print(const std::string& text);

} // namespace sinew
