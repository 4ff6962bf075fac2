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
#include <utility>

namespace sinew {
namespace {

using CheckReportJson = nlohmann::ordered_json;

constexpr int kBakes = 3;      // at most; the last holds each joint's best repair
constexpr double kGain = 0.25; // share of the promised gain that a repair has to bring

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

// The repairs that make a joint's fault less by themselves, the least severe first.
struct Choice {
  JointFault fault;
  std::vector<JointRepair> repairs;
  std::size_t tried = 0;                // the one in the file
  std::optional<std::size_t> best = {}; // by what files held
  double severity = fault.severity;     // the joint's, in the file with the best
};

std::vector<Choice> findChoices(const Workbench& workbench, const Check& check, double threshold,
                                const Influences* automatic) {
  std::vector<Choice> out;
  for (const JointFault& fault : check.joints) {
    if (fault.severity < 1.0) break;
    Choice choice{fault, tryRepairs(workbench, check, fault, threshold, automatic)};
    std::erase_if(choice.repairs,
                  [&](const JointRepair& repair) { return repair.severity >= fault.severity; });
    if (!choice.repairs.empty()) out.push_back(std::move(choice));
  }
  return out;
}

// Bakes the repaired character, and checks the file as engines play it, over the skin that was
// checked. In a model without clips, drivers alone turn the helpers.
void bakeAndCheck(const Workbench& workbench, CheckOptions wanted, const Influences* automatic,
                  Fixed& fixed) {
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
  if (workbench.model.clips.empty()) drivers.set = fixed.run.drivers;
  wanted.measured = 0;
  wanted.rig = &workbench.rig;
  fixed.after =
      checkModel(makeWorkbench(std::move(file), settings, {}, {}, std::move(drivers)), wanted);
}

// Learns from a file what the repair in it does for its joint, and takes the next one where the
// fault remains, or else the best. A bake keeps to a share of the whole character's size, and may
// miss what a finger needs; a repair is measured in a few moments, and the file in all. Returns
// whether a repair changed.
bool takeNext(Choice& choice, const Check& file, bool mayTry) {
  const std::size_t tried = choice.tried;
  const double before = choice.fault.severity;
  const double severity = sameJoint(file, choice.fault).severity;
  const bool helps = severity < before - kGain * (before - choice.repairs[tried].severity);
  if (helps && (severity < choice.severity || choice.best == tried)) {
    choice.best = tried;
    choice.severity = severity;
  } else if (choice.best == tried) { // it helped beside other repairs of other joints
    choice.best.reset();
    choice.severity = before;
  }
  if (choice.severity >= 1.0 && mayTry && tried + 1 < choice.repairs.size())
    choice.tried = tried + 1;
  else
    choice.tried = choice.best.value_or(choice.repairs.size());
  return choice.tried != tried;
}

// Fewer faults, or as many that are less severe.
bool isBetter(const Check& a, const Check& b) {
  const auto rank = [](const Check& check) {
    double excess = 0.0;
    for (const JointFault& fault : check.joints)
      excess += std::max(fault.severity - 1.0, 0.0);
    return std::pair(faultCount(check), excess);
  };
  return rank(a) < rank(b);
}

Fixed fixModel(const Workbench& workbench, const Check& check, const CheckOptions& wanted) {
  const auto automatic = makeAutomaticWeights(workbench);
  std::vector<Choice> choices = findChoices(workbench, check, wanted.threshold, automatic.get());
  Fixed best;
  for (int left = kBakes; left-- > 0;) {
    Fixed fixed;
    for (const Choice& choice : choices) {
      if (choice.tried >= choice.repairs.size()) continue;
      fixed.faults.push_back(choice.fault);
      fixed.repairs.push_back(choice.repairs[choice.tried]);
    }
    bakeAndCheck(workbench, wanted, automatic.get(), fixed);
    bool changed = false;
    for (Choice& choice : choices)
      if (choice.tried < choice.repairs.size())
        changed = takeNext(choice, fixed.after, left > 1) || changed;
    if (left + 1 == kBakes || isBetter(fixed.after, best.after)) best = std::move(fixed);
    if (!changed) break;
  }
  return best;
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
    std::string left;
    if (after.severity >= 1.0) left = ", still a fault";
    if (!left.empty() && after.kind != fault.kind)
      left += fmt::format(" by {} {}", after.kind->name, figureText(*after.kind, after.shape));
    const char* outcome = "fixed";
    if (after.severity >= 1.0)
      outcome = after.severity < fault.severity ? "less severe" : "no better";
    text +=
        fmt::format("{}: {}: {}; {} {} before, {} in the file{}\n", outcome, fault.phrase,
                    fixed.repairs[i].text, fault.kind->name, figureText(*fault.kind, fault.shape),
                    figureText(*fault.kind, after.shape), left);
  }
  for (const JointFault& fault : before.joints) {
    if (fault.severity < 1.0) break;
    if (std::ranges::find(fixed.faults, fault.node, &JointFault::node) != fixed.faults.end())
      continue;
    const JointFault& after = sameJoint(fixed.after, fault);
    text += fmt::format("not repaired: {}: {} {} before, {} in the file\n", fault.phrase,
                        fault.kind->name, figureText(*fault.kind, fault.shape),
                        figureText(*fault.kind, after.shape));
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
    const Fixed fixed = fixModel(workbench, check, wanted);
    writeBaked(fixed.run, options.output, {});
    if (!fixed.run.drivers.empty())
      writeBakedDrivers(fixed.run, options.output,
                        sidecarPath(options.output, kDriversSidecar).string());
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
