#include "app/commands.h"
#include "app/load_model.h"
#include "app/weight_comparison.h"
#include "core/file.h"
#include "export/glb.h"
#include "weights/automatic_weights.h"
#include "weights/bind_model.h"
#include "weights/weight_report.h"
#include "weights/weights_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <memory>
#include <optional>

namespace sinew {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct WeightsOptions {
  std::string mesh;
  std::string skeleton;
  std::string output;
  std::string algorithm = "bone-glow";
  std::string pruning = "faded";
  std::string compare;
  WeightOptions weights;
  SkeletonPlacement placement;
  std::string up = "y";
  std::vector<float> offset;
  double timeLimit = 60.0;
  bool json = false;
  bool quiet = false;
};

LoadOptions boundsFor(const WeightsOptions& options) {
  LoadOptions bounds;
  bounds.seconds = options.timeLimit;
  return bounds;
}

Json jsonOf(const WeightsOptions& options, const Skeleton& skeleton, const AutomaticWeights& result,
            const std::optional<WeightComparison>& comparison) {
  const WeightReport& report = result.report;
  Json repaired = Json::object();
  for (const Repaired& each : repairedOf(report.repairs))
    repaired[each.key] = each.count;
  return {
      {"mesh", options.mesh},
      {"skeleton", options.skeleton},
      {"algorithm", options.algorithm},
      {"file", options.output.empty() ? Json() : Json(options.output)},
      {"vertices", result.influences.vertexCount()},
      {"bones", skeleton.bones.size()},
      {"joints", skeleton.joints.size()},
      {"shells", report.repairs.shells},
      {"seconds", report.seconds},
      {"times",
       {{"visibility", report.visibilitySeconds},
        {"factorisation", report.factorSeconds},
        {"solve", report.solveSeconds}}},
      {"repaired", repaired},
      {"unweighted", countUnweighted(result.influences)},
      {"fallback",
       {{"nearest_surface", report.fromNearestSurface}, {"nearest_bone", report.fromNearestBone}}},
      {"cut", {{"largest", report.largestCut}, {"mean", report.meanCut}}},
      {"compare", comparison ? comparisonJson(*comparison) : Json()}};
}

// The joints with the vertices each moves, and what was odd.
std::string tableOf(const Skeleton& skeleton, const AutomaticWeights& result) {
  std::vector<std::size_t> vertices(skeleton.joints.size(), 0);
  std::vector<double> sums(skeleton.joints.size(), 0.0);
  for (const Influence& influence : result.influences.values) {
    ++vertices[influence.joint];
    sums[influence.joint] += static_cast<double>(influence.weight);
  }
  std::string out = fmt::format("{:<28} {:>10} {:>12}\n", "joint", "vertices", "weight");
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j)
    out += fmt::format("{:<28} {:>10} {:>12.1f}\n",
                       skeleton.hierarchy.nodes[skeleton.joints[j]].name, vertices[j], sums[j]);
  const WeightReport& r = result.report;
  out += fmt::format("\n{} vertices, {} bones: {:.2f} s (visibility {:.2f}, factorisation {:.2f}, "
                     "solve {:.2f})\n",
                     result.influences.vertexCount(), skeleton.bones.size(), r.seconds,
                     r.visibilitySeconds, r.factorSeconds, r.solveSeconds);
  out += fmt::format("weight that pruning moved: {:.4f} of a vertex at most, {:.5f} in the mean\n",
                     static_cast<double>(r.largestCut), r.meanCut);
  return out;
}

void sayOddities(const WeightReport& report) {
  for (const std::string& line : odditiesOf(report))
    fmt::print(stderr, "weights: {}\n", line);
}

void writeOutput(const WeightsOptions& options, const Model& meshes, const Skeleton& skeleton,
                 const AutomaticWeights& result) {
  if (extensionOf(options.output) == ".glb") {
    const Model bound = bindModel(meshes, skeleton, result.influences);
    for (const std::string& line : leftOutOfGlb(bound))
      if (!options.quiet) fmt::print(stderr, "weights: left out: {}\n", line);
    writeFile(options.output, glbOf(bound));
    return;
  }
  std::vector<std::string> names;
  for (const std::uint32_t node : skeleton.joints)
    names.push_back(skeleton.hierarchy.nodes[node].name);
  writeFile(options.output, weightsToJson(names, result.influences));
}

void check(const WeightsOptions& options) {
  const std::string extension = extensionOf(options.output);
  if (!options.output.empty() && extension != ".json" && extension != ".glb")
    throw usageError(fmt::format("{}: unknown kind of file '{}'", options.output, extension),
                     "end the name in .glb for the rigged model, or .json");
  if (!(options.placement.scale > 0.0f)) throw usageError("--scale takes a number above 0");
  if (!options.offset.empty() && options.offset.size() != 3)
    throw usageError("--offset takes three numbers separated by commas");
}

// Reading a file leaves a heap full of holes, which a factorisation of large arrays cannot use.
void returnFreeMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

ExitCode run(WeightsOptions& options) {
  check(options);
  options.weights.algorithm =
      options.algorithm == "bone-heat" ? WeightAlgorithm::boneHeat : WeightAlgorithm::boneGlow;
  options.placement.zUp = options.up == "z";
  if (!options.offset.empty())
    options.placement.offset = {options.offset[0], options.offset[1], options.offset[2]};
  options.weights.pruning = options.pruning == "plain" ? Pruning::plain : Pruning::faded;
  const LoadOptions bounds = boundsFor(options);
  const Model model = meshesAlone(loadModel(options.mesh, bounds));
  const JoinedMeshes mesh = joinMeshes(model);
  if (mesh.positions.empty())
    throw inputError(options.mesh, "has no mesh to give weights to",
                     "it can serve as --skeleton of a mesh");
  Skeleton skeleton = loadSkeleton(options.skeleton, bounds);
  placeSkeleton(skeleton, options.placement, boundsOf(mesh.positions));
  std::optional<WantedWeights> wanted;
  if (!options.compare.empty())
    wanted =
        loadWantedWeights(options.compare, options.mesh, model, options.skeleton, skeleton, bounds);
  returnFreeMemory();
  const AutomaticWeights result = automaticWeights(mesh.positions, mesh.triangles, skeleton.bones,
                                                   options.weights, skeleton.jointOfBone);
  if (!options.quiet) sayOddities(result.report);
  if (!options.output.empty()) writeOutput(options, model, skeleton, result);
  std::optional<WeightComparison> comparison;
  if (wanted) comparison = compareWeights(mesh, skeleton, result.influences, *wanted);
  if (options.json)
    print(textOf(jsonOf(options, skeleton, result, comparison)));
  else
    print(tableOf(skeleton, result) + (comparison ? comparisonText(*comparison) : ""));
  return ExitCode::done;
}

void addWeightOptions(CLI::App& command, WeightsOptions& options) {
  command
      .add_option("--algorithm", options.algorithm,
                  "bone-heat, the nearest visible bone, or bone-glow, the light of all bones")
      ->check(CLI::IsMember({"bone-heat", "bone-glow"}))
      ->capture_default_str();
  command
      .add_option("--influences", options.weights.influences,
                  "joints kept per vertex, the largest; 0: all")
      ->capture_default_str();
  command
      .add_option("--pruning", options.pruning,
                  "faded, so that weights stay continuous, or plain: the largest as they are")
      ->check(CLI::IsMember({"faded", "plain"}))
      ->capture_default_str();
  command.add_flag("!--no-diffusion", options.weights.diffusion,
                   "the weights before they spread over the surface");
  command
      .add_option("--glow-steps", options.weights.glowSteps,
                  "sum a bone's light at so many points, as the paper does; 0: integrated exactly")
      ->check(CLI::Range(0u, 100000u))
      ->capture_default_str();
  command
      .add_option("--glow-sharpness", options.weights.glowSharpness,
                  "power of a bone's light: 1 as published; 4 leaves less to far bones")
      ->check(CLI::Range(0.1, 64.0))
      ->capture_default_str();
}

void addPlacementOptions(CLI::App& command, WeightsOptions& options) {
  command.add_option("--up", options.up, "the skeleton's axis that points up")
      ->check(CLI::IsMember({"y", "z"}))
      ->capture_default_str();
  auto* scale = command.add_option("--scale", options.placement.scale,
                                   "the skeleton's size, as a multiple of the file's");
  auto* offset = command
                     .add_option("--offset", options.offset,
                                 "moves the skeleton, after scaling; in the mesh's unit")
                     ->delimiter(',')
                     ->type_name("X,Y,Z");
  command
      .add_flag("--fit", options.placement.fit, "scale and move the skeleton into the mesh's box")
      ->excludes(scale)
      ->excludes(offset);
}

} // namespace

void addWeightsCommand(CommandLine& line) {
  auto options = std::make_shared<WeightsOptions>();
  CLI::App* command = line.app.add_subcommand(
      "weights", "Bind a mesh to a skeleton: automatic weights by bone heat or bone glow");
  command
      ->add_option("mesh", options->mesh, "a file with a mesh, or demo:NAME; its own skin is left")
      ->required();
  command
      ->add_option("--skeleton", options->skeleton,
                   "a .tgf, a .bvh, or another model whose joints are taken")
      ->required();
  command->add_option("-o,--output", options->output,
                      "write the rigged model, .glb, or the weights alone, .json");
  addWeightOptions(*command, *options);
  addPlacementOptions(*command, *options);
  command->add_option("--compare", options->compare,
                      "say how near other weights are: a .txt or .dmat for the .tgf's bones, a "
                      ".json, or a rigged model of the same mesh, which may be MESH itself");
  command->add_option("--time-limit", options->timeLimit, "seconds reading a file may take")
      ->capture_default_str();
  command->add_flag("--json", options->json, "one JSON document on stdout");
  command->add_flag("--quiet", options->quiet, "no notes on stderr");
  command->footer(
      "All meshes of a file are bound together, in model space.\n"
      "Examples:\n"
      "  sinew weights body.obj --skeleton body.tgf -o rigged.glb\n"
      "  sinew weights body.obj --skeleton walk.bvh --fit --algorithm bone-heat --json\n"
      "  sinew weights rigged.glb --skeleton rigged.glb --compare rigged.glb");
  command->callback([options, &line] { line.run = [options] { return run(*options); }; });
}

} // namespace sinew
