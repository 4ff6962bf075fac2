#include "app/method_list.h"
#include "app/sidecar.h"
#include "bake/bake_run.h"
#include "check/check.h"
#include "check/check_text.h"
#include "check/joint_repair.h"
#include "check/weight_repair.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/export_options.h"
#include "commands/model_options.h"
#include "commands/output.h"
#include "commands/setting_options.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <optional>

namespace sinew {
namespace {

using CheckReportJson = nlohmann::ordered_json;

constexpr int kBakes = 3; // at most, each without the repairs that were in vain in the one before

struct CheckCommandOptions {
  ModelOptions model;
  Settings settings;
  std::string clip = "all";
  std::optional<double> threshold; // percent
  bool fix = false;
  std::string output;
};

// What was done about the faults, and the check of what the file holds.
struct Fixed {
  std::vector<JointFault> faults;
  std::vector<JointRepair> repairs; // one for each
  BakeRun run;
  Check after;
};

const JointFault& sameJoint(const Check& check, const JointFault& fault) {
  return *std::ranges::find(check.joints, fault.node, &JointFault::node);
}

// Faults of which some repair makes less.
void chooseRepairs(const Workbench& workbench, const Check& check, double threshold,
                   const Influences* automatic, Fixed& fixed) {
  for (const JointFault& fault : check.joints) {
    if (fault.severity < 1.0) break;
    const std::vector<JointRepair> repairs =
        tryRepairs(workbench, check, fault, threshold, automatic);
    if (repairs.empty() || repairs.front().severity >= fault.severity) continue;
    fixed.faults.push_back(fault);
    fixed.repairs.push_back(repairs.front());
  }
}

// Bakes the repaired character, and checks the file as engines play it, over the skin that was
// checked. In a model without clips, drivers alone turn the helpers.
void bakeAndCheck(const Workbench& workbench, CheckOptions wanted, const Influences* automatic,
                  const std::string& output, Fixed& fixed) {
  BakeRunOptions options;
  options.bake.poses.clips.resize(workbench.model.clips.size());
  std::iota(options.bake.poses.clips.begin(), options.bake.poses.clips.end(), 0u);
  options.bake.poses.sweep = workbench.model.clips.empty();
  fixed.run = runBake(repaired(workbench, fixed.faults, fixed.repairs, automatic), options);
  Settings settings;
  settings.methods = {{&findMethod("lbs")}};
  settings.clip = "bind";
  Model file = fixed.run.outcome->model;
  ModelDrivers drivers;
  if (workbench.model.clips.empty() && !fixed.run.drivers.empty())
    drivers.set = driverSetFromJson(file, fixed.run.drivers, output);
  wanted.measured = 0;
  wanted.rig = &workbench.rig;
  fixed.after =
      checkModel(makeWorkbench(std::move(file), settings, {}, {}, std::move(drivers)), wanted);
}

// Leaves the repairs out that make their joint no better in the file; returns whether there were
// any. A bake keeps to a share of the whole character's size, and may miss what a finger needs.
bool dropVain(Fixed& fixed) {
  const std::size_t before = fixed.repairs.size();
  for (std::size_t i = before; i-- > 0;) {
    if (sameJoint(fixed.after, fixed.faults[i]).severity < fixed.faults[i].severity) continue;
    fixed.faults.erase(fixed.faults.begin() + static_cast<std::ptrdiff_t>(i));
    fixed.repairs.erase(fixed.repairs.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return fixed.repairs.size() < before;
}

Fixed fixModel(const Workbench& workbench, const Check& check, const CheckOptions& wanted,
               const std::string& output) {
  Fixed fixed;
  const auto automatic = makeAutomaticWeights(workbench);
  chooseRepairs(workbench, check, wanted.threshold, automatic.get(), fixed);
  for (int round = 0; round < kBakes; ++round) {
    bakeAndCheck(workbench, wanted, automatic.get(), output, fixed);
    if (round + 1 == kBakes || !dropVain(fixed)) break;
  }
  return fixed;
}

// Shapes in the file: those of the repairs, and those that the bake added.
std::size_t shapeCount(const Fixed& fixed) {
  const auto correctives = std::ranges::count(fixed.repairs, "corrective", &JointRepair::kind);
  return fixed.run.morphs + static_cast<std::size_t>(correctives);
}

// Faults of the file at joints that had none.
std::vector<JointFault> newFaults(const Check& before, const Fixed& fixed) {
  std::vector<JointFault> out;
  for (const JointFault& fault : fixed.after.joints)
    if (fault.severity >= 1.0 && sameJoint(before, fault).severity < 1.0) out.push_back(fault);
  return out;
}

CheckReportJson fixedJson(const Model& model, const Check& before, const Fixed& fixed,
                          const std::string& output) {
  CheckReportJson repairs = CheckReportJson::array(), added = CheckReportJson::array();
  for (std::size_t i = 0; i < fixed.repairs.size(); ++i) {
    CheckReportJson each{{"joint", fixed.faults[i].name}};
    each["repair"] = repairJson(fixed.repairs[i]);
    each["before"] = fixed.faults[i].severity;
    each["after"] = sameJoint(fixed.after, fixed.faults[i]).severity;
    repairs.push_back(each);
  }
  for (const JointFault& fault : newFaults(before, fixed))
    added.push_back(faultJson(model, fault));
  return {{"file", output},
          {"helpers", fixed.run.helpers},
          {"morphs", shapeCount(fixed)},
          {"repairs", repairs},
          {"new", added}};
}

std::string fixedText(const Model& model, const Check& before, const Fixed& fixed,
                      const std::string& output) {
  std::string text;
  for (std::size_t i = 0; i < fixed.repairs.size(); ++i) {
    const JointFault& fault = fixed.faults[i];
    const JointFault& after = sameJoint(fixed.after, fault);
    text += fmt::format("fixed: {}: {}; {} {} before, {} in the file{}\n", fault.phrase,
                        fixed.repairs[i].text, fault.kind->name,
                        figureText(*fault.kind, fault.shape), figureText(*fault.kind, after.shape),
                        after.severity < 1.0 ? "" : ", still a fault");
  }
  for (const JointFault& fault : newFaults(before, fixed))
    text += "new: " + describeFault(model, fault) + "\n";
  return text + fmt::format("wrote {}: {}, {}; {}\n", output,
                            counted(fixed.run.helpers, "helper joint"),
                            counted(shapeCount(fixed), "shape"), countText(fixed.after));
}

void checkCommandLine(const CheckCommandOptions& options) {
  if (options.fix && options.output.empty())
    throw usageError("--fix writes a model", "name it with -o FILE.glb");
  if (!options.fix && !options.output.empty())
    throw usageError("-o is the repaired model of --fix", "add --fix, or leave out -o");
  if (!options.output.empty()) checkExportName(options.output);
}

ExitCode checkCharacter(CheckCommandOptions& options) {
  checkCommandLine(options);
  options.settings.clip = "bind";
  const Workbench workbench = openWorkbench(options.model, options.settings);
  CheckOptions wanted;
  wanted.threshold = options.threshold.value_or(0.0) / 100.0;
  wanted.measured = workbench.rig.joints.size();
  if (options.clip != "all") wanted.clip = findClip(workbench.model, options.clip);
  const Check check = checkModel(workbench, wanted);
  std::size_t left = faultCount(check);
  CheckReportJson joints = CheckReportJson::array();
  for (const JointFault& fault : check.joints)
    joints.push_back(faultJson(workbench.model, fault));
  CheckReportJson report{{"model", options.model.model},
                         {"method", workbench.bound.front().method->name},
                         {"vertices", workbench.rig.positions.size()},
                         {"clips", check.clips},
                         {"moments", check.moments},
                         {"step", check.step},
                         {"sampled", check.sampled},
                         {"faults", left},
                         {"joints", joints},
                         {"seconds", check.seconds}};
  std::string text = checkText(workbench.model, check);
  if (options.fix) {
    const Fixed fixed = fixModel(workbench, check, wanted, options.output);
    writeBaked(fixed.run, options.output, {});
    if (!fixed.run.drivers.empty())
      writeFile(sidecarPath(options.output, kDriversSidecar), fixed.run.drivers);
    left = faultCount(fixed.after);
    report["fixed"] = fixedJson(workbench.model, check, fixed, options.output);
    report["left"] = left;
    text += fixedText(workbench.model, check, fixed, options.output);
  }
  if (options.model.json)
    print(toString(report));
  else if (!options.model.quiet)
    print(text);
  return left == 0 ? ExitCode::done : ExitCode::checkFailed;
}

} // namespace

Command checkCommand() {
  auto options = std::make_shared<CheckCommandOptions>();
  Command command{"check", "Find where a character breaks, and repair it"};
  addModelOptions(command, options->model);
  addSettings(command, options->settings, {"Skinning"});
  for (const char* name : {"--skin-on", "--pose", "--morph", "--layers"})
    command.remove(name);
  command.add("--clip", &options->clip, "clips to check: all or one").showDefault();
  command
      .add("--threshold", &options->threshold,
           "percent of thickness lost, of volume gained or of skin folded or crossed from which on "
           "it is a fault [of each kind]")
      .range(0.1, 1000.0);
  command.add("--fix", &options->fix,
              "repair each fault by what measures best, and write the model, baked");
  command.add("-o,--output", &options->output, "the repaired model: " + exportExtensions())
      .as(ValueKind::file);
  command.notes =
      "Exit code 1 where a joint has a fault, or with --fix still has one. A model without clips "
      "is\nlooked at with every joint bent and twisted by 90 degrees; docs/check.md has the "
      "details.";
  command.examples = {"sinew check model.glb", "sinew check model.fbx --threshold 25 --json",
                      "sinew check model.glb --fix -o fixed.glb"};
  command.run = [options](const Command&) { return checkCharacter(*options); };
  return command;
}

} // namespace sinew
