#include "app/corrective.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/model_options.h"
#include "commands/output.h"
#include "commands/setting_options.h"
#include "core/error.h"
#include "core/file.h"
#include "import/isolated_import.h"
#include "report/table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

struct CorrectiveCommandOptions {
  ModelOptions model;
  Settings settings;
  std::string action;
  std::string shape;
  std::string output;
  CorrectiveOptions corrective;
};

// Puts the smallest index of each triangle first: programs begin a triangle at any corner.
std::vector<Triangle> comparable(std::vector<Triangle> triangles) {
  for (Triangle& t : triangles)
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

// The positions of a sculpt, which has to have the model's vertices in their order.
std::vector<vec3> readSculpt(const CorrectiveCommandOptions& options, const Rig& rig) {
  ImportOptions raw;
  raw.raw = true;
  const Model read = importIsolated(options.shape, raw, {options.model.timeLimit});
  const Mesh& sculpt = read.meshes.front();
  constexpr const char* kRemedy =
      "sculpt what 'sinew export MODEL --pose P -o FILE.ply' wrote, and save it as .ply with the "
      "vertices kept in their order";
  if (sculpt.positions.size() != rig.positions.size())
    throw inputError(options.shape,
                     fmt::format("has {} vertices; the model has {}", sculpt.positions.size(),
                                 rig.positions.size()),
                     kRemedy);
  if (comparable(sculpt.triangles) != comparable(rig.triangles))
    throw inputError(options.shape, "its triangles join other vertices than the model's", kRemedy);
  return sculpt.positions;
}

ExitCode add(CorrectiveCommandOptions& options) {
  if (options.shape.empty())
    throw usageError("corrective add needs the sculpted pose", "--shape FILE.ply");
  if (options.output.empty())
    throw usageError("corrective add needs a file to write", "-o MODEL.drivers.json");
  if (options.corrective.name.empty())
    options.corrective.name = std::filesystem::path(options.shape).stem().string();
  const Workbench workbench = openWorkbench(options.model, options.settings);
  if (insertedVertexCount(workbench.model) > 0)
    throw usageError("a corrective shape is of the model as it is, not subdivided");
  const std::vector<vec3> places = readSculpt(options, workbench.rig);
  DriverSet set = workbench.drivers.set;
  const CorrectiveReport report = addCorrective(workbench, places, options.corrective, set);
  Model model = workbench.model;
  addShapes(model, set.shapes);
  for (const PoseDriver& driver : set.drivers)
    if (const std::string problem = findProblem(model, driver); !problem.empty())
      throw usageError(fmt::format("driver '{}': {}", driver.name, problem),
                       "this pose is next to one that has a shape already");
  writeFile(options.output, driverSetToJson(set));
  if (options.model.json)
    print(toString({{"file", options.output},
                    {"shape", options.corrective.name},
                    {"driver", report.driver},
                    {"vertices", report.vertices},
                    {"largest_offset", report.largestOffset},
                    {"largest_error", report.largestError},
                    {"missed", report.missed}}));
  else if (!options.model.quiet)
    print(fmt::format("{}: '{}' moves {} vertices by up to {:.4g}, weighed by {}\n", options.output,
                      options.corrective.name, report.vertices, report.largestOffset,
                      report.driver));
  if (report.missed > 0 && !options.model.quiet)
    fmt::print(stderr,
               "warning: {} vertices do not reach their places (by up to {:.4g}): {} flattens them "
               "in this pose\n",
               report.missed, report.largestError, workbench.bound.front().method->name);
  return ExitCode::done;
}

Json toJson(const PoseDriver& driver) {
  Json inputs = Json::array();
  for (const DriverInput& input : getInputs(driver))
    inputs.push_back(input.joint);
  const auto* rbf = std::get_if<RbfDriver>(&driver.kind);
  return {{"name", driver.name},
          {"kind", std::string(kindWord(driver))},
          {"on", driver.on},
          {"inputs", inputs},
          {"joints", driver.joints},
          {"morphs", driver.morphs},
          {"keys", rbf != nullptr ? rbf->keys.size() : 0}};
}

ExitCode list(const CorrectiveCommandOptions& options) {
  const Workbench workbench = openWorkbench(options.model, options.settings);
  Json drivers = Json::array();
  Table table{
      "Pose drivers",
      {{"driver", ""}, {"kind", ""}, {"on", ""}, {"keys", "", 0}, {"reads", ""}, {"drives", ""}},
      {}};
  for (const PoseDriver& driver : workbench.drivers.set.drivers) {
    const Json json = toJson(driver);
    drivers.push_back(json);
    std::vector<std::string> driven = driver.joints;
    driven.insert(driven.end(), driver.morphs.begin(), driver.morphs.end());
    const auto inputs = json["inputs"].get<std::vector<std::string>>();
    table.rows.push_back({driver.name, std::string(kindWord(driver)), driver.on ? "yes" : "no",
                          json["keys"].get<double>(), fmt::format("{}", fmt::join(inputs, ", ")),
                          fmt::format("{}", fmt::join(driven, ", "))});
  }
  if (options.model.json)
    print(toString({{"model", workbench.model.path},
                    {"drivers_file", workbench.drivers.path},
                    {"drivers", drivers}}));
  else
    print(drivers.empty() ? "no pose drivers\n" : tableText(table));
  return ExitCode::done;
}

} // namespace

Command correctiveCommand() {
  auto options = std::make_shared<CorrectiveCommandOptions>();
  Command command{"corrective",
                  "Turn a sculpted pose into a shape that follows the pose, or list pose drivers"};
  command.add("ACTION", &options->action, "add: a sculpt becomes a shape; list: what there is")
      .allow({"add", "list"})
      .required();
  addModelOptions(command, options->model);
  command.add("--shape", &options->shape, "the posed mesh after sculpting, as .ply")
      .as(ValueKind::file);
  command.add("--name", &options->corrective.name, "of the shape [that of the file]");
  command
      .add("--joints", &options->corrective.joints,
           "joints whose rotations weigh the shape [those turned in the pose]; several separated "
           "by commas")
      .separatedByCommas();
  command.add("-o,--output", &options->output, "the file to write, as MODEL.drivers.json")
      .as(ValueKind::file);
  addSettings(command, options->settings, {"Skinning", "Animation"});
  command.remove("--skin-on");
  command.notes =
      "The shape is added before skinning, by the method named: in the pose it brings the mesh to "
      "the sculpt.\nDrivers beside the model are kept in the file that is written.";
  command.examples = {"sinew export model.fbx --pose bent.json -o fix.ply",
                      "sinew corrective add model.fbx --pose bent.json --shape fix.ply -o "
                      "model.fbx.drivers.json",
                      "sinew corrective list model.fbx"};
  command.run = [options](const Command&) {
    return options->action == "add" ? add(*options) : list(*options);
  };
  return command;
}

} // namespace sinew
