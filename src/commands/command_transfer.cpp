#include "app/load_model.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/output.h"
#include "core/error.h"
#include "core/file.h"
#include "export/glb.h"
#include "weights/bind_model.h"
#include "weights/skeleton_weights.h"
#include "weights/transfer_weights.h"
#include "weights/weights_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace sinew {
namespace {

struct TransferCommandOptions {
  std::string source, target, output;
  TransferOptions transfer;
  std::string pruning = "faded";
  double distance = 5.0; // percent
  bool keepSides = false;
  double timeLimit = 60.0;
  bool json = false;
  bool quiet = false;
};

std::size_t countOf(const TransferredWeights& weights, TransferOrigin origin) {
  return static_cast<std::size_t>(std::ranges::count(weights.origins, origin));
}

ExitCode transfer(TransferCommandOptions& options) {
  const std::string extension = extensionOf(options.output);
  if (extension != ".json" && extension != ".glb")
    throw usageError(fmt::format("{}: unknown kind of file '{}'", options.output, extension),
                     "end the name in .glb for the rigged model, or .json for its weights");
  options.transfer.distance = static_cast<float>(options.distance / 100.0);
  options.transfer.flipped = !options.keepSides;
  options.transfer.pruning = options.pruning == "plain" ? Pruning::plain : Pruning::faded;
  LoadOptions bounds;
  bounds.seconds = options.timeLimit;
  const Model source = loadModel(options.source, bounds);
  const Skeleton skeleton = skeletonOf(source);
  const Influences weights = weightsBySkeleton(source, skeleton, options.source);
  const JoinedMeshes from = joinMeshes(meshesAlone(source));
  const Model target = meshesAlone(loadModel(options.target, bounds));
  const JoinedMeshes to = joinMeshes(target);
  for (const auto& [mesh, path] : {std::pair(&from, &options.source), {&to, &options.target}})
    if (mesh->triangles.empty()) throw inputError(*path, "has no mesh");
  const TransferredWeights out =
      transferWeights({from.positions, from.triangles}, weights, skeleton.joints.size(),
                      {to.positions, to.triangles}, options.transfer);
  std::vector<std::string> names;
  for (const std::uint32_t node : skeleton.joints)
    names.push_back(skeleton.hierarchy.nodes[node].name);
  if (extension == ".json") {
    writeFile(options.output, weightsToJson(names, out.influences));
  } else {
    const Model bound = bindModel(target, skeleton, out.influences);
    for (const std::string& line : leftOutOfGlb(bound))
      if (!options.quiet) fmt::print(stderr, "transfer: left out: {}\n", line);
    writeFile(options.output, glbOf(bound));
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
                  {"joints", names.size()},
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
      .add("--distance", &options->distance,
           "how far the closest point may be, percent of the target's diagonal")
      .range(0.0, 100.0)
      .showDefault();
  command
      .add("--angle", &options->transfer.angle,
           "how far its normal may differ, degrees; what is beyond is inpainted")
      .range(0.0, 180.0)
      .showDefault();
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
                      "sinew transfer old.fbx new.obj --distance 2 -o new.glb --json"};
  command.run = [options](const Command&) { return transfer(*options); };
  return command;
}

} // namespace sinew
