#include "bake/reduce_joints.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/export_options.h"
#include "commands/model_options.h"
#include "commands/output.h"
#include "core/error.h"
#include "core/file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <span>

namespace sinew {
namespace {

using ReduceJson = nlohmann::ordered_json;

struct ReduceCommandOptions {
  ModelOptions model;
  Settings settings;
  std::string output;
  std::optional<double> tolerance; // percent
  std::uint32_t joints = 0;
  ReduceOptions reduce;
};

void checkReduce(ReduceCommandOptions& options, const Command& command) {
  if (getExtension(options.output) != ".glb")
    throw usageError(
        fmt::format("{}: unknown kind of file '{}'", options.output, getExtension(options.output)),
        "end the name in .glb");
  if (command.given("--joints")) options.reduce.joints = options.joints;
  if (options.tolerance) options.reduce.tolerance = *options.tolerance / 100.0;
  if (!options.reduce.joints && !options.tolerance && !command.given("--influences"))
    throw usageError("reduce needs to know how far",
                     "add --joints N, --tolerance PERCENT or --influences N");
}

ReduceJson reduceJson(const ReduceCommandOptions& options, const Model& model,
                      const ReducedModel& reduced, const PlayedDifference& clips, bool within) {
  ReduceJson curve = ReduceJson::array();
  for (const ReduceStep& step : reduced.curve)
    curve.push_back({{"joints", step.joints},
                     {"mean", step.heldOut.mean},
                     {"p999", step.heldOut.p999},
                     {"largest", step.heldOut.largest}});
  return {{"model", options.model.model},
          {"file", within ? ReduceJson(options.output) : ReduceJson()},
          {"joints", reduced.joints},
          {"joints_before", reduced.before},
          {"influences", options.reduce.influences},
          {"removed", reduced.removed},
          {"removed_nodes", reduced.nodes},
          {"poses", reduced.poses},
          {"held_out_poses", reduced.heldOutPoses},
          {"held_out", toJson(model, reduced.errors.heldOut)},
          {"merged", toJson(model, reduced.errors.given)},
          {"clips",
           {{"largest", clips.largest},
            {"mean", clips.mean},
            {"vertex", clips.vertex},
            {"moment", clips.moment}}},
          {"curve", curve}};
}

// A rig of controls loses hundreds of joints: --json has all names.
std::string removedText(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 24;
  const std::size_t named = std::min(names.size(), kNamed);
  std::string text = fmt::format("removed: {}", fmt::join(std::span(names).first(named), ", "));
  if (named < names.size()) text += fmt::format(" and {} others", names.size() - named);
  return text + "\n";
}

std::string remedyText(const ReduceCommandOptions& options, const ReducedModel& reduced) {
  if (reduced.joints < reduced.before) return "a larger --tolerance, or more --joints";
  return options.reduce.influences < kBakeInfluences ? "a larger --tolerance, or more --influences"
                                                     : "a larger --tolerance";
}

std::string reduceText(const ReducedModel& reduced, const PlayedDifference& clips) {
  std::string text = fmt::format("{:>7} {:>10} {:>10}\n", "joints", "mean %", "largest %");
  for (const ReduceStep& step : reduced.curve)
    text += fmt::format("{:>7} {:>10.4f} {:>10.3f}\n", step.joints, 100.0 * step.heldOut.mean,
                        100.0 * step.heldOut.largest);
  text +=
      fmt::format("\n{} of {} joints; poses held out differ by {:.3f} % of the size at most ({}), "
                  "{:.4f} % in the mean; {:.3f} and {:.4f} % with weights only added up\n",
                  reduced.joints, reduced.before, 100.0 * reduced.errors.heldOut.largest,
                  reduced.errors.heldOut.pose, 100.0 * reduced.errors.heldOut.mean,
                  100.0 * reduced.errors.given.largest, 100.0 * reduced.errors.given.mean);
  text += fmt::format("clips differ by {:.3f} % at most, {:.4f} % in the mean\n",
                      100.0 * clips.largest, 100.0 * clips.mean);
  return reduced.removed.empty() ? text : text + removedText(reduced.removed);
}

ExitCode reduceModel(ReduceCommandOptions& options, const Command& command) {
  checkReduce(options, command);
  options.settings.clip = "bind";
  const Workbench workbench = openWorkbench(options.model, options.settings);
  ProgressLine line(options.model.quiet);
  options.reduce.progress = line.report();
  const ReducedModel reduced = reduceJoints(workbench.model, options.reduce);
  const PlayedDifference clips = playedDifference(workbench.model, reduced.model, line.report());
  const double largest =
      std::max({reduced.errors.heldOut.largest, reduced.errors.fitted.largest, clips.largest});
  const bool within = !options.reduce.tolerance || largest <= *options.reduce.tolerance;
  if (within) writeChanged("reduce", options.output, reduced.model, options.model.quiet);
  print(options.model.json ? toString(reduceJson(options, workbench.model, reduced, clips, within))
                           : reduceText(reduced, clips));
  if (within) return ExitCode::done;
  fmt::print(stderr,
             "sinew: {}: not written: {} joints differ by {:.3f} % of the size, over the tolerance "
             "of {} %; give {}\n",
             options.output, reduced.joints, 100.0 * largest, *options.tolerance,
             remedyText(options, reduced));
  return ExitCode::checkFailed;
}

} // namespace

Command reduceCommand() {
  auto options = std::make_shared<ReduceCommandOptions>();
  Command command{"reduce", "Fewer joints or weights per vertex for the same motion"};
  addModelOptions(command, options->model);
  command.add("-o,--output", &options->output, "write the reduced model, .glb")
      .as(ValueKind::file)
      .required();
  command.add("--joints", &options->joints, "how many joints stay").range(1, 100000).value("N");
  command
      .add("--tolerance", &options->tolerance,
           "as few joints as this largest error allows, percent of the size; with --joints: beyond "
           "it nothing is written, with exit code 1")
      .range(0.0, 100.0)
      .value("PERCENT");
  command
      .add("--keep", &options->reduce.keep,
           "joints and nodes that stay: sockets, ends of chains; several separated by commas")
      .value("NAME")
      .separatedByCommas();
  command.add("--influences", &options->reduce.influences, "weights per vertex, at most")
      .range(1, kBakeInfluences)
      .showDefault();
  command.add("--sweep", &options->reduce.sweep,
              "look at joints bent by up to 135 and twisted by up to 180 degrees, not only as far "
              "as the clips do");
  command.add("--poses", &options->reduce.poses, "at most so many are looked at")
      .range(8, 5000)
      .showDefault();
  command.notes =
      "Errors are distances by linear blending in poses that were not fitted, as percent "
      "of\nthe model's size (in --json as shares).";
  command.examples = {
      "sinew reduce knight.glb --joints 20 -o small.glb",
      "sinew reduce knight.glb --tolerance 1 --keep hand_slot.r -o small.glb --json",
      "sinew reduce knight.glb --influences 2 -o two.glb"};
  command.run = [options](const Command& given) { return reduceModel(*options, given); };
  return command;
}

} // namespace sinew
