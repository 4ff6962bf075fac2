#include "bake/refit_weights.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/export_options.h"
#include "commands/model_options.h"
#include "commands/output.h"
#include "core/error.h"
#include "core/file.h"
#include "weights/templates/arm_pose.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

namespace sinew {
namespace {

using ReposeJson = nlohmann::ordered_json;

struct ReposeCommandOptions {
  ModelOptions model;
  Settings settings;
  std::string output, to;
  ReposeOptions repose;
  std::optional<double> tolerance; // percent
};

void checkRepose(const ReposeCommandOptions& options, const Command& command) {
  if (getExtension(options.output) != ".glb")
    throw usageError(
        fmt::format("{}: unknown kind of file '{}'", options.output, getExtension(options.output)),
        "end the name in .glb");
  const int given = (options.model.pose.empty() ? 0 : 1) + (options.to.empty() ? 0 : 1) +
                    (command.given("--clip") ? 1 : 0);
  if (given != 1)
    throw usageError(
        "repose needs one pose",
        "add --to t-pose, --to a-pose, --pose FILE.json, or --clip NAME --time SECONDS");
}

ReposeJson reposeErrorJson(const Model& model, const BakeError& error) {
  return {{"mean", error.mean},
          {"largest", error.largest},
          {"vertex", error.vertex},
          {"joint", model.hierarchy.nodes[error.node].name},
          {"pose", error.pose}};
}

ReposeJson reposeJson(const ReposeCommandOptions& options, const Model& model,
                      const ReposeOutcome& done, bool within) {
  return {{"model", options.model.model},
          {"file", within ? ReposeJson(options.output) : ReposeJson()},
          {"offset_joints", done.reposed.offsetJoints},
          {"influences", done.reposed.influences},
          {"clips",
           {{"largest", done.clips.largest},
            {"mean", done.clips.mean},
            {"vertex", done.clips.vertex},
            {"moment", done.clips.moment},
            {"moments", done.clips.moments}}},
          {"held_out", done.poses ? reposeErrorJson(model, done.poses->heldOut) : ReposeJson()},
          {"given", done.poses ? reposeErrorJson(model, done.poses->given) : ReposeJson()}};
}

std::string reposeText(const ReposeOutcome& done) {
  std::string text = fmt::format(
      "clips differ by {:.4f} % of the size at most{}, {:.5f} % in the mean, at {} moments\n",
      100.0 * done.clips.largest,
      done.clips.moment.empty()
          ? ""
          : fmt::format(" (vertex {}, {})", done.clips.vertex, done.clips.moment),
      100.0 * done.clips.mean, done.clips.moments);
  if (done.poses)
    text += fmt::format("poses held out: {:.4f} % at most, {:.5f} % in the mean; {:.4f} and "
                        "{:.5f} % with the weights as they were\n",
                        100.0 * done.poses->heldOut.largest, 100.0 * done.poses->heldOut.mean,
                        100.0 * done.poses->given.largest, 100.0 * done.poses->given.mean);
  return text + fmt::format("{} offset joints, {} weights per vertex at most\n",
                            done.reposed.offsetJoints, done.reposed.influences);
}

ExitCode repose(ReposeCommandOptions& options, const Command& command) {
  checkRepose(options, command);
  if (!options.to.empty()) options.settings.clip = "bind";
  const Workbench workbench = openWorkbench(options.model, options.settings);
  if (workbench.model.skins.empty())
    throw inputError(options.model.model, "has no skin",
                     "bind its mesh to a skeleton with sinew weights");
  const Pose pose = options.to.empty() ? workbench.pose
                                       : armPose(workbench.model,
                                                 options.to == "t-pose" ? ArmPose::t : ArmPose::a);
  ProgressLine line(options.model.quiet);
  options.repose.progress = line.report();
  const ReposeOutcome done = reposeAndRefit(workbench.model, pose, options.repose);
  const bool within = !options.tolerance || 100.0 * done.clips.largest <= *options.tolerance;
  if (within) writeChanged("repose", options.output, done.reposed.model, options.model.quiet);
  print(options.model.json ? toString(reposeJson(options, workbench.model, done, within))
                           : reposeText(done));
  if (within) return ExitCode::done;
  fmt::print(stderr,
             "sinew: {}: not written: clips differ by {:.4f} % of the size, over --tolerance {}; "
             "give a larger one{}\n",
             options.output, 100.0 * done.clips.largest, *options.tolerance,
             options.repose.exact ? "" : ", or add --exact");
  return ExitCode::checkFailed;
}

} // namespace

Command reposeCommand() {
  auto options = std::make_shared<ReposeCommandOptions>();
  Command command{"repose", "Make a pose the new bind pose; mesh, shapes and clips follow"};
  addModelOptions(command, options->model);
  command.add("--to", &options->to, "straight arms, known by their joints' names")
      .allow({"t-pose", "a-pose"});
  command.add("--clip", &options->settings.clip, "the clip with the pose; none: the rest pose")
      .without({"--pose"});
  command.add("--time", &options->settings.time, "its time, seconds")
      .range(0.0, 1e6)
      .without({"--pose"});
  command.add("-o,--output", &options->output, "write the model in its new bind pose, .glb")
      .as(ValueKind::file)
      .required();
  command.add("--keep-weights", &options->repose.keepWeights,
              "weights stay; skin between joints looks more different in clips");
  command.add("--influences", &options->repose.influences, "weights per vertex, at most")
      .range(1, kBakeInfluences)
      .showDefault();
  command
      .add("--exact", &options->repose.exact,
           "no difference: joints that share skin get joints below them that never move; more "
           "weights per vertex, which engines of four cut and sinew shows by --influences all")
      .without({"--keep-weights", "--influences"});
  command
      .add("--tolerance", &options->tolerance,
           "largest difference of clips, percent of the size; beyond it nothing is written, with "
           "exit code 1")
      .range(0.0, 100.0);
  command.notes = "Clips are compared by linear blending with all weights, at all keys and half "
                  "way between them.";
  command.examples = {
      "sinew repose model.glb --to a-pose -o a.glb",
      "sinew repose model.glb --pose saved.json --exact -o posed.glb",
      "sinew repose model.glb --clip walk --time 0.4 --tolerance 1 -o w.glb --json"};
  command.run = [options](const Command& given) { return repose(*options, given); };
  return command;
}

} // namespace sinew
