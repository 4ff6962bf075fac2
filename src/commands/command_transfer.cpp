#include "app/load_model.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/output.h"
#include "core/error.h"
#include "core/file.h"
#include "export/glb.h"
#include "weights/transfer_rig.h"
#include "weights/weights_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace sinew {
namespace {

struct TransferCommandOptions {
  std::string source, target, output;
  TransferOptions transfer;
  std::string by = "surface";
  std::string pruning = "faded";
  double distance = 5.0; // percent
  bool keepSides = false;
  bool dress = false;
  double timeLimit = 60.0;
  bool json = false;
  bool quiet = false;
};

ExitCode transfer(TransferCommandOptions& options) {
  const std::string extension = extensionOf(options.output);
  if (extension != ".json" && extension != ".glb")
    throw usageError(fmt::format("{}: unknown kind of file '{}'", options.output, extension),
                     "end the name in .glb for the rigged model, or .json for its weights");
  if (options.dress && extension == ".json")
    throw usageError("--dress writes a model", "end the name of -o in .glb");
  options.transfer.distance = static_cast<float>(options.distance / 100.0);
  if (options.by == "texture") options.transfer.by = TransferBy::texture;
  if (options.by == "order") options.transfer.by = TransferBy::order;
  options.transfer.flipped = !options.keepSides;
  options.transfer.pruning = options.pruning == "plain" ? Pruning::plain : Pruning::faded;
  LoadOptions bounds;
  bounds.seconds = options.timeLimit;
  const Model source = loadModel(options.source, bounds);
  const TransferredRig rig =
      transferRig(source, loadModel(options.target, bounds), options.transfer, options.dress);
  const TransferredWeights& out = rig.weights;
  if (extension == ".json") {
    writeFile(options.output, weightsToJson(rig.joints, out.influences));
  } else {
    for (const std::string& line : leftOutOfGlb(rig.model))
      if (!options.quiet) fmt::print(stderr, "transfer: left out: {}\n", line);
    writeFile(options.output, glbOf(rig.model));
  }
  const std::size_t nearest = countOf(out, TransferOrigin::nearest);
  if (nearest > 0 && !options.quiet)
    fmt::print(stderr,
               "transfer: {} vertices are on parts without any match: they take the closest "
               "point's weights; check that both meshes stand in the same place\n",
               nearest);
  if (options.json)
    print(textOf({{"source", options.source},
                  {"target", options.target},
                  {"output", options.output},
                  {"joints", rig.joints.size()},
                  {"vertices", out.origins.size()},
                  {"matched", countOf(out, TransferOrigin::matched)},
                  {"inpainted", countOf(out, TransferOrigin::inpainted)},
                  {"nearest", nearest},
                  {"largest_cut", out.largestCut}}));
  else
    print(fmt::format("{} vertices: {} matched, {} inpainted, {} from the closest point\n",
                      out.origins.size(), countOf(out, TransferOrigin::matched),
                      countOf(out, TransferOrigin::inpainted), nearest));
  return ExitCode::done;
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
      .oneOf({"surface", "texture", "order"})
      .showDefault();
  command
      .add("--distance", &options->distance,
           "how far the closest point may be, percent of the target's diagonal")
      .range(0.0, 100.0)
      .showDefault();
  command
      .add("--angle", &options->transfer.angle,
           "how far its normal may differ, degrees; what is beyond is inpainted")
      .range(0.0, 180.0)
      .showDefault();
  command.add("--dress", &options->dress,
              "write the source's own meshes too: a body in its clothes, as one model");
  command.add("--keep-sides", &options->keepSides,
              "a normal that points the other way does not agree");
  command
      .add("--influences", &options->transfer.influences,
           "number of largest weights kept per vertex; 0: all")
      .showDefault();
  command
      .add("--pruning", &options->pruning,
           "faded, so that weights stay continuous, or plain: the largest unchanged")
      .oneOf({"faded", "plain"})
      .showDefault();
  command.add("--time-limit", &options->timeLimit, "seconds reading a file may take").showDefault();
  command.add("--json", &options->json, "one JSON document on stdout");
  command.add("--quiet", &options->quiet, "no notes on stderr");
  command.examples = {"sinew transfer body.glb shirt.obj -o shirt.glb",
                      "sinew transfer body.glb shirt.obj --dress -o dressed.glb",
                      "sinew transfer old.fbx new.obj --distance 2 -o new.glb --json"};
  command.run = [options](const Command&) { return transfer(*options); };
  return command;
}

} // namespace sinew
