#include "app/load_model.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/export_options.h"
#include "commands/output.h"
#include "compare/weight_comparison.h"
#include "core/file.h"
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
  std::string algorithm = "auto";
  std::string pruning = "faded";
  std::string proxy = "auto";
  std::string compare;
  std::string given;   // weights in the place of automatic ones
  std::string problem; // file for the surface and the bones
  WeightOptions weights;
  SkeletonPlacement placement;
  std::string up = "y";
  std::vector<float> offset;
  std::vector<float> envelope;
  double timeLimit = 60.0;
  bool json = false;
  bool quiet = false;
};

LoadOptions boundsFor(const WeightsOptions& options) {
  LoadOptions bounds;
  bounds.seconds = options.timeLimit;
  return bounds;
}

Json toJson(const WeightsOptions& options, const Skeleton& skeleton, const AutomaticWeights& result,
            const std::optional<WeightComparison>& comparison) {
  const WeightReport& report = result.report;
  Json repaired = Json::object();
  for (const Repaired& each : listRepairs(report.repairs))
    repaired[each.key] = each.count;
  return {
      {"model", options.mesh},
      {"skeleton", options.skeleton},
      {"algorithm", options.given.empty() ? options.algorithm : "given"},
      {"file", options.output.empty() ? Json() : Json(options.output)},
      {"vertices", result.influences.vertexCount()},
      {"bones", skeleton.bones.size()},
      {"joints", skeleton.joints.size()},
      {"components", report.repairs.components},
      {"seconds", report.seconds},
      {"proxy", report.proxyVertices > 0
                    ? Json{{"cell", report.proxyCell}, {"vertices", report.proxyVertices}}
                    : Json()},
      {"times",
       {{"proxy", report.proxySeconds},
        {"visibility", report.visibilitySeconds},
        {"factorisation", report.factorSeconds},
        {"solve", report.solveSeconds}}},
      {"repaired", repaired},
      {"unweighted", countUnweighted(result.influences)},
      {"fallback",
       {{"nearest_surface", report.fromNearestSurface}, {"nearest_bone", report.fromNearestBone}}},
      {"rigid_parts", report.onRigidParts},
      {"cut", {{"largest", report.largestCut}, {"mean", report.meanCut}}},
      {"compare", comparison ? comparisonJson(*comparison) : Json()}};
}

// The joints with the vertices each moves, and the work of the solver.
std::string writeTable(const Skeleton& skeleton, const AutomaticWeights& result) {
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

void printNotes(const WeightReport& report) {
  for (const std::string& line : listAnomalies(report))
    fmt::print(stderr, "weights: {}\n", line);
}

void writeOutput(const WeightsOptions& options, const Model& meshes, const Skeleton& skeleton,
                 const AutomaticWeights& result) {
  if (getExtension(options.output) == ".glb") {
    const Model bound = bindModel(meshes, skeleton, result.influences);
    return writeChanged("weights", options.output, bound, options.quiet);
  }
  std::vector<std::string> names;
  for (const std::uint32_t node : skeleton.joints)
    names.push_back(skeleton.hierarchy.nodes[node].name);
  writeFile(options.output, weightsToJson(names, result.influences));
}

// The surface and the bones, for other programs.
void writeProblem(const std::string& path, const JoinedMeshes& mesh, const Skeleton& skeleton) {
  const auto point = [](const vec3& p) { return Json{p.x, p.y, p.z}; };
  Json joints = Json::array(), positions = Json::array(), bones = Json::array();
  for (const std::uint32_t node : skeleton.joints)
    joints.push_back(skeleton.hierarchy.nodes[node].name);
  for (const vec3& position : mesh.positions)
    positions.push_back(point(position));
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b)
    bones.push_back({{"joint", skeleton.jointOfBone[b]},
                     {"from", point(skeleton.bones[b].from)},
                     {"to", point(skeleton.bones[b].to)}});
  writeFile(path, Json{{"joints", joints},
                       {"positions", positions},
                       {"triangles", mesh.triangles},
                       {"bones", bones}}
                          .dump() +
                      "\n");
}

AutomaticWeights prunedWeights(const Influences& given, const WeightOptions& options) {
  AutomaticWeights out;
  for (std::size_t v = 0; v < given.vertexCount(); ++v) {
    std::vector<Influence> vertex(given.of(v).begin(), given.of(v).end());
    if (!vertex.empty()) pruneWeights(vertex, options.influences, options.pruning);
    out.influences.append(vertex);
  }
  return out;
}

void check(const WeightsOptions& options) {
  const std::string extension = getExtension(options.output);
  if (!options.output.empty() && extension != ".json" && extension != ".glb")
    throw usageError(fmt::format("{}: unknown kind of file '{}'", options.output, extension),
                     "end the name in .glb for the rigged model, or .json");
  if (!(options.placement.scale > 0.0f)) throw usageError("--scale takes a number above 0");
  if (!options.offset.empty() && options.offset.size() != 3)
    throw usageError("--offset takes three numbers separated by commas");
  const std::vector<float>& bounds = options.envelope;
  if (!bounds.empty() && (bounds.size() != 2 || !(bounds[0] >= 0.0f) || !(bounds[1] > bounds[0])))
    throw usageError("--envelope takes two numbers, 0 or more, the second the larger");
  const WeightOptions usual;
  const bool glows = options.weights.glowSteps != usual.glowSteps ||
                     options.weights.glowSharpness != usual.glowSharpness;
  if (glows && options.algorithm != toString(WeightAlgorithm::boneGlow))
    throw usageError(fmt::format("--glow-steps and --glow-sharpness do nothing with --algorithm {}",
                                 options.algorithm),
                     "add --algorithm bone-glow");
}

WeightAlgorithm algorithmNamed(const std::string& word) {
  const auto entries = weightAlgorithms();
  return std::find_if(entries.begin(), entries.end(),
                      [&](const WeightAlgorithmEntry& entry) { return entry.word == word; })
      ->algorithm;
}

WeightProxy proxyNamed(const std::string& word) {
  for (const WeightProxy proxy : {WeightProxy::none, WeightProxy::voxel})
    if (toString(proxy) == word) return proxy;
  return WeightProxy::automatic;
}

std::vector<std::string> algorithmWords() {
  std::vector<std::string> out;
  for (const WeightAlgorithmEntry& entry : weightAlgorithms())
    out.emplace_back(entry.word);
  return out;
}

// Reading a file leaves a heap full of holes, which a factorisation of large arrays cannot use.
void returnFreeMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

ExitCode run(WeightsOptions& options) {
  check(options);
  options.weights.algorithm = algorithmNamed(options.algorithm);
  options.weights.proxy = proxyNamed(options.proxy);
  options.placement.zUp = options.up == "z";
  if (!options.offset.empty())
    options.placement.offset = {options.offset[0], options.offset[1], options.offset[2]};
  if (!options.envelope.empty())
    options.weights.envelopes = {options.envelope[0], options.envelope[1]};
  options.weights.pruning = options.pruning == "plain" ? Pruning::plain : Pruning::faded;
  const LoadOptions bounds = boundsFor(options);
  const Model model = meshesAlone(loadModel(options.mesh, bounds));
  const JoinedMeshes mesh = joinMeshes(model);
  if (mesh.positions.empty())
    throw inputError(options.mesh, "has no mesh to give weights to",
                     "it can serve as --skeleton of a mesh");
  Skeleton skeleton = loadSkeleton(options.skeleton, mesh, bounds);
  placeSkeleton(skeleton, options.placement, computeBounds(mesh.positions));
  std::optional<ReferenceWeightSet> reference;
  if (!options.compare.empty())
    reference = loadReferenceWeightSet(options.compare, options.mesh, model, options.skeleton,
                                       skeleton, bounds);
  if (!options.problem.empty()) writeProblem(options.problem, mesh, skeleton);
  std::optional<ReferenceWeightSet> given;
  if (!options.given.empty())
    given = loadReferenceWeightSet(options.given, options.mesh, model, options.skeleton, skeleton,
                                   bounds);
  returnFreeMemory();
  const AutomaticWeights result =
      given ? prunedWeights(given->influences, options.weights)
            : automaticWeights(mesh.positions, mesh.triangles, skeleton.bones, options.weights,
                               skeleton.jointOfBone);
  if (!options.quiet) printNotes(result.report);
  if (!options.output.empty()) writeOutput(options, model, skeleton, result);
  std::optional<WeightComparison> comparison;
  if (reference) comparison = compareWeights(mesh, skeleton, result.influences, *reference);
  if (options.json)
    print(toString(toJson(options, skeleton, result, comparison)));
  else
    print(writeTable(skeleton, result) + (comparison ? comparisonText(*comparison) : ""));
  return ExitCode::done;
}

void addWeightOptions(Command& command, WeightsOptions& options) {
  command
      .add("--algorithm", &options.algorithm,
           "auto: nearest to artists' weights; bone-glow: the light of all bones; bone-heat: the "
           "nearest visible bone; envelopes, "
           "nearest-bones, bones-blending: by distances alone")
      .allow(algorithmWords())
      .showDefault();
  command
      .add("--proxy", &options.proxy,
           "voxel: auto, bone glow and bone heat are solved on a closed mesh of voxels in the "
           "mesh's "
           "place; "
           "auto: where much of the mesh sees no bone, or it is in open pieces")
      .allow({"none", "voxel", "auto"})
      .showDefault();
  command
      .add("--influences", &options.weights.influences,
           "number of largest weights kept per vertex; 0: all")
      .showDefault();
  command
      .add("--pruning", &options.pruning,
           "faded, so that weights stay continuous, or plain: the largest unchanged")
      .allow({"faded", "plain"})
      .showDefault();
  command.add("!--no-diffusion", &options.weights.diffusion,
              "the weights before diffusion over the surface");
  command
      .add("--glow-steps", &options.weights.glowSteps,
           "sum a bone's light at this many points, as in the paper; 0: exact integral")
      .range(0, 100000)
      .showDefault();
  command
      .add("--glow-sharpness", &options.weights.glowSharpness,
           "exponent of a bone's light: 1 as published; 4 reduces the weights of distant bones")
      .range(0.1, 64.0)
      .showDefault();
  command
      .add("--envelope", &options.envelope,
           "bounds of an envelope's falloff, as multiples of the radius of the skin about the bone")
      .separatedByCommas()
      .value("INNER,OUTER");
  command
      .add("--distance-exponent", &options.weights.distanceExponent,
           "nearest-bones: weights are the distance to minus this power")
      .range(0.1, 64.0)
      .showDefault();
  command
      .add("--joint-reach", &options.weights.jointReach,
           "bones-blending: how far around a joint both bones count, as fractions of them")
      .range(0.001, 0.5)
      .showDefault();
}

void addPlacementOptions(Command& command, WeightsOptions& options) {
  command.add("--up", &options.up, "the skeleton's axis that points up")
      .allow({"y", "z"})
      .showDefault();
  command.add("--scale", &options.placement.scale,
              "the skeleton's size, as a multiple of the file's");
  command.add("--offset", &options.offset, "moves the skeleton, after scaling; in the mesh's unit")
      .separatedByCommas()
      .value("X,Y,Z");
  command.add("--fit", &options.placement.fit, "scale and move the skeleton into the mesh's box")
      .without({"--scale", "--offset"});
}

} // namespace

Command weightsCommand() {
  auto options = std::make_shared<WeightsOptions>();
  Command command{
      "weights",
      "Bind a mesh to a skeleton: automatic weights, also by bone glow, bone heat or distance"};
  command.add("MESH", &options->mesh, "a file with a mesh, or demo:NAME; its own skin is ignored")
      .as(ValueKind::model)
      .required();
  command
      .add("--skeleton", &options->skeleton,
           "a .tgf, a .bvh, another model with joints, or template:NAME (humanoid, quadruped, "
           "bird, hand), fitted into the mesh")
      .as(ValueKind::model)
      .required();
  command
      .add("-o,--output", &options->output,
           "write the rigged model, .glb, or the weights alone, .json")
      .as(ValueKind::file);
  addWeightOptions(command, *options);
  addPlacementOptions(command, *options);
  command
      .add("--compare", &options->compare,
           "compare with other weights: a .txt or .dmat for the .tgf's bones, a "
           ".json, or a rigged model of the same mesh, which may be MESH itself")
      .as(ValueKind::model);
  command
      .add("--given", &options->given,
           "weights of another program in the place of automatic ones, to be compared or written: "
           "as for --compare")
      .as(ValueKind::model)
      .without({"--algorithm"});
  command
      .add("--problem", &options->problem,
           "write the surface and the bones that weights are computed for, .json: for other "
           "programs")
      .as(ValueKind::file);
  command.add("--time-limit", &options->timeLimit, "seconds reading a file may take").showDefault();
  command.add("--json", &options->json, "one JSON document on stdout");
  command.add("--quiet,-q", &options->quiet, "no notes on stderr");
  command.notes = "All meshes of a file are bound together, in model space.";
  command.examples = {
      "sinew weights body.obj --skeleton body.tgf -o rigged.glb",
      "sinew weights body.obj --skeleton template:humanoid -o rigged.glb",
      "sinew weights body.obj --skeleton walk.bvh --fit --algorithm bone-heat --json",
      "sinew weights rigged.glb --skeleton rigged.glb --compare rigged.glb"};
  command.run = [options](const Command&) { return run(*options); };
  return command;
}

} // namespace sinew
