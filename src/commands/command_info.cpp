#include "app/model_info.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/model_options.h"
#include "commands/output.h"
#include "core/error.h"
#include "demo/demo.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace sinew {
namespace {

struct InfoOptions {
  ModelOptions model;
  Settings settings;
  bool list = false;
  std::string failOn;
};

// Whether the file has what the user does not want in it.
bool fails(const Model& model, const std::string& failOn) {
  if (failOn.empty()) return false;
  return !model.warnings.empty() || (failOn == "repair" && !model.repairs.empty());
}

std::string demoList() {
  std::string out;
  for (const Demo& demo : demos())
    out += fmt::format("demo:{:<17} {}\n", std::string(demo.name), demo.summary);
  return out;
}

nlohmann::ordered_json demoJson() {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const Demo& demo : demos())
    out.push_back({{"name", fmt::format("demo:{}", demo.name)}, {"summary", demo.summary}});
  return out;
}

} // namespace

Command infoCommand() {
  auto options = std::make_shared<InfoOptions>();
  Command command{"info", "Show the contents of a model file"};
  addModelOptions(command, options->model);
  command.find("MODEL").required(false);
  command.add("--list", &options->list, "list the built-in models");
  command
      .add("--fail-on", &options->failOn,
           "exit code 1 where the file gives a warning, or a warning or a repair")
      .allow({"warning", "repair"});
  command.examples = {"sinew info model.fbx", "sinew info --list",
                      "sinew info model.fbx --fail-on warning",
                      "sinew info model.glb --json | jq .clips"};
  command.run = [options](const Command&) {
    if (options->list) {
      print(options->model.json ? toString(demoJson()) : demoList());
      return ExitCode::done;
    }
    if (options->model.model.empty()) throw usageError("info needs a MODEL");
    options->model.quiet = true; // repairs and warnings are part of the output
    options->settings.clip = "none";
    // Decoding is more than half of the time; it finds images that are damaged.
    options->model.textures = !options->failOn.empty();
    const Workbench workbench = openWorkbench(options->model, options->settings);
    print(options->model.json ? toString(infoJson(workbench)) : infoText(workbench));
    return fails(workbench.model, options->failOn) ? ExitCode::checkFailed : ExitCode::done;
  };
  return command;
}

} // namespace sinew
