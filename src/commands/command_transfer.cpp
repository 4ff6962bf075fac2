#include "app/load_model.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/export_options.h"
#include "commands/output.h"
#include "core/error.h"
#include "core/file.h"
#include "render/image.h"
#include "tools/figures/pictures.h"
#include "weights/bind_model.h"
#include "weights/transfer_rig.h"
#include "weights/weights_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace sinew {
namespace {

struct TransferCommandOptions {
  std::string source, target, output;
  TransferRigOptions transfer;
  std::string by = "surface";
  std::string pruning = "faded";
  std::string matched;   // a picture
  double distance = 5.0; // percent
  bool keepSides = false;
  double timeLimit = 60.0;
  bool json = false;
  bool quiet = false;
};

void check(const TransferCommandOptions& options) {
  const std::string extension = getExtension(options.output);
  if (extension != ".json" && extension != ".glb")
    throw usageError(fmt::format("{}: unknown kind of file '{}'", options.output, extension),
                     "end the name in .glb for the rigged model, or .json for its weights");
  if (options.transfer.dress && extension == ".json")
    throw usageError("--dress writes a model", "end the name of -o in .glb");
  if (!options.matched.empty() && getExtension(options.matched) != ".png")
    throw usageError(fmt::format("{}: pictures are PNG", options.matched),
                     "end the name of --matched in .png");
  if (options.transfer.below && options.transfer.joints.empty())
    throw usageError("--below does nothing without --joints", "name the joints");
  if (options.transfer.weights.smoothAll && options.transfer.weights.smoothing == 0)
    throw usageError("--smooth-all does nothing without --smooth", "add --smooth 10");
}

void read(TransferCommandOptions& options) {
  TransferOptions& weights = options.transfer.weights;
  weights.distance = static_cast<float>(options.distance / 100.0);
  if (options.by == "texture") weights.by = TransferBy::texture;
  if (options.by == "order") weights.by = TransferBy::order;
  weights.flipped = !options.keepSides;
  weights.pruning = options.pruning == "plain" ? Pruning::plain : Pruning::faded;
}

void writeResult(const TransferCommandOptions& options, const TransferredRig& rig) {
  if (getExtension(options.output) == ".json") {
    writeFile(options.output, weightsToJson(rig.joints, rig.weights.influences));
    return;
  }
  writeChanged("transfer", options.output, rig.model, options.quiet);
}

ExitCode transfer(TransferCommandOptions& options) {
  check(options);
  read(options);
  LoadOptions bounds;
  bounds.seconds = options.timeLimit;
  const Model source = loadModel(options.source, bounds);
  const Model target = loadModel(options.target, bounds);
  const TransferredRig rig = transferRig(source, target, options.transfer);
  const TransferredWeights& out = rig.weights;
  writeResult(options, rig);
  if (!options.matched.empty())
    writePng(options.matched, pictureOfMatches(meshesAlone(target), out.origins));
  const std::size_t nearest = countOrigins(out, TransferOrigin::nearest);
  if (nearest > 0 && !options.quiet)
    fmt::print(stderr,
               "transfer: {} vertices are on parts without any match: they take the closest "
               "point's weights; check that both meshes stand in the same place\n",
               nearest);
  const std::size_t matched = countOrigins(out, TransferOrigin::matched);
  if (nearest == 0 && 2 * matched < out.origins.size() && !options.quiet)
    fmt::print(stderr,
               "transfer: only {} of {} vertices are matched: loose clothes take a larger "
               "--distance\n",
               matched, out.origins.size());
  if (options.json)
    print(toString({{"source", options.source},
                    {"target", options.target},
                    {"file", options.output},
                    {"joints", rig.joints.size()},
                    {"vertices", out.origins.size()},
                    {"matched", matched},
                    {"inpainted", countOrigins(out, TransferOrigin::inpainted)},
                    {"nearest", nearest},
                    {"largest_cut", out.largestCut}}));
  else
    print(fmt::format("{} vertices: {} matched, {} inpainted, {} from the closest point\n",
                      out.origins.size(), matched, countOrigins(out, TransferOrigin::inpainted),
                      nearest));
  return ExitCode::done;
}

// Options for the weights that the target gets, and its own that stay.
void addChoices(Command& command, TransferCommandOptions& options) {
  TransferRigOptions& transfer = options.transfer;
  command
      .add("--joints", &transfer.joints,
           "take the weights of these joints of the source alone; the target keeps its own others, "
           "which fill the rest")
      .separatedByCommas();
  command.add("--below", &transfer.below, "and of all joints below those of --joints");
  command.add("--mix", &transfer.mix, "share of the new weights; the rest is what the target has")
      .range(0.0, 1.0)
      .showDefault();
  command.add("--add-joints", &transfer.addJoints,
              "the target keeps its skeleton and clips and gets the joints that it lacks; without "
              "it the source's replace them");
  command.add("--mirror", &transfer.mirror,
              "from the source's mirror image: a left glove's weights for the right one");
  command.add("--dress", &transfer.dress,
              "write the source's own meshes too: a body in its clothes, as one model");
  command
      .add("--smooth", &transfer.weights.smoothing,
           "steps of smoothing, of what is not matched and of its surroundings within --distance")
      .range(0, 1000)
      .showDefault();
  command.add("--smooth-all", &transfer.weights.smoothAll, "smooth matched vertices too");
}

} // namespace

Command transferCommand() {
  auto options = std::make_shared<TransferCommandOptions>();
  Command command{"transfer", "Weights of one mesh for another: body to clothes, old to new mesh"};
  command.add("SOURCE", &options->source, "a rigged model, or demo:NAME")
      .as(ValueKind::model)
      .required();
  command
      .add("TARGET", &options->target,
           "a model whose meshes get the weights; it stands where the source does in its bind pose")
      .as(ValueKind::model)
      .required();
  command
      .add("-o,--output", &options->output,
           "write the target with the source's skeleton and clips, .glb, or its weights, .json")
      .as(ValueKind::file)
      .required();
  command
      .add("--by", &options->by,
           "where a vertex is on the source: at the closest point of its surface, at the same "
           "texture coordinates, or at the vertex of the same number")
      .allow({"surface", "texture", "order"})
      .showDefault();
  command
      .add("--distance", &options->distance,
           "how far the closest point may be, percent of the target's diagonal")
      .range(0.0, 100.0)
      .showDefault();
  command
      .add("--angle", &options->transfer.weights.angle,
           "how far its normal may differ, degrees; what is beyond is inpainted")
      .range(0.0, 180.0)
      .showDefault();
  command.add("--keep-sides", &options->keepSides,
              "a normal that points the other way does not agree");
  addChoices(command, *options);
  command
      .add("--influences", &options->transfer.weights.influences,
           "number of largest weights kept per vertex; 0: all")
      .showDefault();
  command
      .add("--pruning", &options->pruning,
           "faded, so that weights stay continuous, or plain: the largest unchanged")
      .allow({"faded", "plain"})
      .showDefault();
  command
      .add("--matched", &options->matched,
           "draw where weights are from, .png: blue is matched, orange inpainted, red a loose part "
           "without a match")
      .as(ValueKind::file);
  command.add("--time-limit", &options->timeLimit, "seconds reading a file may take").showDefault();
  command.add("--json", &options->json, "one JSON document on stdout");
  command.add("--quiet,-q", &options->quiet, "no notes on stderr");
  command.examples = {"sinew transfer body.glb shirt.obj -o shirt.glb",
                      "sinew transfer body.glb shirt.obj --dress -o dressed.glb",
                      "sinew transfer old.fbx new.obj --distance 2 -o new.glb --json",
                      "sinew transfer body.glb suit.glb --joints Spine --below --mix 0.5 -o s.glb",
                      "sinew transfer left.glb right.obj --mirror --matched right.png -o r.glb"};
  command.run = [options](const Command&) { return transfer(*options); };
  return command;
}

} // namespace sinew
