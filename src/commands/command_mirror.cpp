#include "app/load_model.h"
#include "app/sidecar.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/export_options.h"
#include "commands/model_options.h"
#include "commands/output.h"
#include "core/error.h"
#include "core/file.h"
#include "weights/mirror_rig.h"
#include "weights/weights_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace sinew {
namespace {

struct MirrorCommandOptions {
  std::string model, output, weights;
  std::string from = "left";
  double distance = 2.0; // percent
  bool keepWeights = false, keepShapes = false, joints = false;
  double timeLimit = 60.0;
  bool json = false;
  bool quiet = false;
};

nlohmann::ordered_json mirrorJson(const MirrorCommandOptions& options, const MirroredRig& out) {
  return {{"model", options.model},
          {"file", options.output},
          {"from", options.from},
          {"pairs", out.pairs},
          {"mirrored", out.mirrored},
          {"middle", out.middle},
          {"farthest", out.farthest},
          {"largest_change", out.largestChange},
          {"unmatched", out.unmatched},
          {"joints_without_partner", out.joints},
          {"shapes", {{"replaced", out.shapes}, {"added", out.addedShapes}}},
          {"moved_joints", out.movedJoints}};
}

void writeMirrored(const MirrorCommandOptions& options, const Model& model) {
  if (getExtension(options.output) == ".json")
    return writeFile(options.output, weightsToJson(model));
  writeChanged("mirror", options.output, model, options.quiet);
}

void printUnmatched(const MirroredRig& out) {
  constexpr std::size_t kShown = 12;
  if (!out.joints.empty())
    fmt::print(stderr, "mirror: joints without a partner, which keep their weights: {}\n",
               fmt::join(out.joints, ", "));
  if (out.unmatched.empty()) return;
  const auto end =
      out.unmatched.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, out.unmatched.size()));
  fmt::print(stderr,
             "mirror: {} vertices have no surface near their mirror image and keep their weights: "
             "{}{}; give a larger --distance\n",
             out.unmatched.size(), fmt::join(out.unmatched.begin(), end, ", "),
             end == out.unmatched.end() ? "" : ", ...");
}

ExitCode runMirror(MirrorCommandOptions& options) {
  const std::string extension = getExtension(options.output);
  if (extension != ".json" && extension != ".glb")
    throw usageError(fmt::format("{}: unknown kind of file '{}'", options.output, extension),
                     "end the name in .glb for the model, or .json for its weights");
  checkSidecar(kWeightsSidecar, options.weights);
  MirrorRigOptions mirror;
  mirror.from = options.from == "right" ? Side::right : Side::left;
  mirror.distance = static_cast<float>(options.distance / 100.0);
  mirror.weights = !options.keepWeights;
  mirror.shapes = !options.keepShapes;
  mirror.joints = options.joints;
  LoadOptions bounds;
  bounds.seconds = options.timeLimit;
  Model model = loadModel(options.model, bounds);
  readWeights(model, options.model, options.weights);
  if (model.skins.empty())
    throw inputError(options.model, "has no skin",
                     "bind its mesh to a skeleton with sinew weights");
  const MirroredRig out = mirrorRig(model, mirror);
  writeMirrored(options, out.model);
  if (!options.quiet) printUnmatched(out);
  if (options.json) {
    print(toString(mirrorJson(options, out)));
    return ExitCode::done;
  }
  std::string text = fmt::format(
      "{} vertices mirrored, {} in the middle, {} unmatched; weights change by {:.3f} at most\n",
      out.mirrored, out.middle, out.unmatched.size(), static_cast<double>(out.largestChange));
  if (!out.shapes.empty() || !out.addedShapes.empty())
    text +=
        fmt::format("{} shapes replaced, {} added\n", out.shapes.size(), out.addedShapes.size());
  if (options.joints) text += fmt::format("{} joints moved\n", out.movedJoints);
  print(text);
  return ExitCode::done;
}

} // namespace

Command mirrorCommand() {
  auto options = std::make_shared<MirrorCommandOptions>();
  Command command{"mirror", "Weights, shapes and joints of one side for the other"};
  command.add("MODEL", &options->model, "a rigged model, or demo:NAME")
      .as(ValueKind::model)
      .required();
  command.add("-o,--output", &options->output, "write the model, .glb, or its weights alone, .json")
      .as(ValueKind::file)
      .required();
  command.add("--from", &options->from, "the character's own side that stays")
      .allow({"left", "right"})
      .showDefault();
  command
      .add("--distance", &options->distance,
           "how far the surface may be from the mirror image of a vertex, percent of the diagonal")
      .range(0.0, 100.0)
      .showDefault();
  command.add("--keep-weights", &options->keepWeights, "weights stay");
  command.add("--keep-shapes", &options->keepShapes, "morph targets of the other side stay");
  command.add("--joints", &options->joints,
              "joints of the other side move to the mirrored places, in bind pose and clips");
  addSidecar(command, kWeightsSidecar, options->weights);
  command.add("--time-limit", &options->timeLimit, "seconds reading a file may take").showDefault();
  command.add("--json", &options->json, "one JSON document on stdout");
  command.add("--quiet,-q", &options->quiet, "no notes on stderr");
  command.notes = "Sides are those of the joints' names (arm.L, LeftArm, Bip01_R_Hand), else of "
                  "their places.";
  command.examples = {"sinew mirror rigged.glb -o symmetric.glb",
                      "sinew mirror rigged.glb --from right --joints -o symmetric.glb --json"};
  command.run = [options](const Command&) { return runMirror(*options); };
  return command;
}

} // namespace sinew
