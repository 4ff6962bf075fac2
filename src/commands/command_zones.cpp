#include "commands/command.h"
#include "commands/commands.h"
#include "commands/model_options.h"
#include "commands/output.h"
#include "core/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

struct ZonesOptions {
  ModelOptions model;
  Settings settings;
  std::string output;
  bool fitted = false;
};

// A joint of the rig, once for every skin that binds it: the first is shown.
struct Row {
  std::string joint;
  BoneAxis axis;
  Zone zone;
  const JointZone* fromFile = nullptr; // null: the file has no entry for it
};

std::vector<Row> makeRows(const Workbench& workbench) {
  const std::vector<BoneAxis> axes = boneAxes(workbench.rig);
  RigZones zones = rigZones(workbench.zones.table, workbench.model.hierarchy, workbench.rig);
  if (zones.zones.empty()) zones.zones = zonesFromWeights(workbench.rig, axes);
  std::vector<Row> rows;
  for (const std::uint32_t node : jointNodes(workbench.model))
    for (std::size_t j = 0; j < workbench.rig.joints.size(); ++j) {
      if (workbench.rig.joints[j].node != node) continue;
      Row row{workbench.model.hierarchy.nodes[node].name, axes[j], zones.zones[j]};
      const auto entry = workbench.zones.table.find(row.joint);
      if (entry != workbench.zones.table.end() && !entry->second.empty())
        row.fromFile = &entry->second;
      rows.push_back(std::move(row));
      break;
    }
  return rows;
}

// Every joint's zone in full, so that it can be edited; the rest as in the file.
ZoneTable fullTable(const std::vector<Row>& rows) {
  ZoneTable table;
  for (const Row& row : rows) {
    JointZone& zone = table[row.joint];
    if (row.fromFile != nullptr) zone = *row.fromFile;
    zone.min = row.zone.min;
    zone.max = row.zone.max;
  }
  return table;
}

std::string getSource(const Row& row) {
  return row.fromFile != nullptr && row.fromFile->source
             ? std::string(toString(*row.fromFile->source))
             : "";
}

std::string getMethod(const Row& row) {
  return row.fromFile != nullptr ? row.fromFile->method : "";
}

std::string getTwist(const Row& row) {
  return row.fromFile != nullptr && row.fromFile->twist ? toString(*row.fromFile->twist) : "";
}

std::string writeTable(const std::vector<Row>& rows) {
  std::string out =
      fmt::format("{:<28} {:>10} {:>10} {:>10}  {:<8} {:<8} {:<14} {:<8} {}\n", "joint", "min",
                  "max", "bone", "source", "curve", "method", "twist", "from");
  for (const Row& row : rows)
    out += fmt::format("{:<28} {:>10.4g} {:>10.4g} {:>10.4g}  {:<8} {:<8} {:<14} {:<8} {}\n",
                       row.joint, row.zone.min, row.zone.max, row.axis.length, getSource(row),
                       toString(row.zone.curve), getMethod(row), getTwist(row),
                       row.fromFile != nullptr ? "file" : "fitted");
  return out;
}

Json toJson(const Workbench& workbench, const std::vector<Row>& rows) {
  Json joints = Json::array();
  for (const Row& row : rows)
    joints.push_back({{"name", row.joint},
                      {"min", row.zone.min},
                      {"max", row.zone.max},
                      {"bone_length", row.axis.length},
                      {"parent_length", row.axis.parentLength},
                      {"source", getSource(row).empty() ? Json() : Json(getSource(row))},
                      {"curve", toString(row.zone.curve)},
                      {"method", getMethod(row).empty() ? Json() : Json(getMethod(row))},
                      {"twist", getTwist(row).empty() ? Json() : Json(getTwist(row))},
                      {"from", row.fromFile != nullptr ? "file" : "fitted"}});
  return {{"model", workbench.model.path}, {"zones", workbench.zones.path}, {"joints", joints}};
}

ExitCode run(const ZonesOptions& options) {
  ModelOptions model = options.model;
  model.textures = false;
  Workbench workbench = openWorkbench(model, options.settings);
  if (options.fitted) workbench.zones = {};
  const std::vector<Row> rows = makeRows(workbench);
  if (!options.output.empty()) writeFile(options.output, zonesToJson(fullTable(rows)));
  if (options.model.json)
    print(toString(toJson(workbench, rows)));
  else if (options.output.empty())
    print(writeTable(rows));
  return ExitCode::done;
}

} // namespace

Command zonesCommand() {
  auto options = std::make_shared<ZonesOptions>();
  Command command{
      "zones", "Part of each bone over which its joint's rotation blends in, as a table or a file"};
  addModelOptions(command, options->model);
  command
      .add("-o,--output", &options->output,
           "write the zones of every joint as JSON that --zones reads")
      .as(ValueKind::file);
  command.add("--fitted", &options->fitted,
              "fitted to the weights; ignores a zones file beside the model");
  command.notes = "min and max are distances along the bone from the joint, in the file's unit.";
  command.examples = {"sinew zones model.fbx", "sinew zones model.fbx -o model.fbx.zones.json"};
  command.run = [options](const Command&) {
    options->settings.clip = "none";
    return run(*options);
  };
  return command;
}

} // namespace sinew
