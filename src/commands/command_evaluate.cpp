#include "app/load_model.h"
#include "app/method_list.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/output.h"
#include "commands/setting_options.h"
#include "core/error.h"
#include "metrics/range_of_motion.h"
#include "weights/bind_model.h"
#include "weights/evaluate_rig.h"
#include "weights/merge_rigs.h"
#include "weights/surface.h"
#include "weights/triangle_tree.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

namespace sinew {
namespace {

using EvaluateJson = nlohmann::ordered_json;

constexpr double kSameVertex = 1e-3;  // distance in a mesh of size 1
constexpr double kSameSurface = 2e-2; // distance in a mesh of size 1

struct EvaluateCommandOptions {
  std::string rigged, reference;
  Settings settings;
  bool range = true;
  double timeLimit = 60.0;
  bool json = false;
  bool quiet = false;
};

// A rig whose mesh has its box about the origin, with a longest side of 1.
struct NormalizedRig {
  Model model; // as in the file
  Skeleton skeleton;
  Influences weights; // joints are indices into Skeleton::joints
  JoinedMeshes mesh;
  JointPoints points;
  std::vector<std::string> names; // names of the joints
  std::vector<std::uint32_t> parents;
};

NormalizedRig loadRig(const std::string& path, double timeLimit) {
  LoadOptions bounds;
  bounds.seconds = timeLimit;
  bounds.textures = false;
  NormalizedRig out;
  out.model = loadModel(path, bounds);
  if (out.model.skins.empty())
    throw inputError(path, "has no skin", "bind its mesh to a skeleton with sinew weights");
  out.skeleton = extractSkeleton(out.model);
  out.weights = weightsBySkeleton(out.model, out.skeleton, path);
  out.mesh = joinMeshes(meshesAlone(out.model));
  const Bounds box = computeBounds(out.mesh.positions);
  const vec3 extent = box.extent();
  const float side = std::max({extent.x, extent.y, extent.z});
  if (!(side > 0.0f)) throw inputError(path, "has a mesh without any size");
  const auto normalized = [&](const vec3& p) { return (p - box.center()) / side; };
  for (vec3& p : out.mesh.positions)
    p = normalized(p);
  const auto parents = parentJoints(out.skeleton);
  for (std::uint32_t j = 0; j < parents.size(); ++j) {
    out.points.joints.push_back(normalized(vec3(out.skeleton.modelFromJoint[j][3])));
    out.names.push_back(out.skeleton.hierarchy.nodes[out.skeleton.joints[j]].name);
    out.parents.push_back(parents[j].value_or(j));
    if (parents[j])
      out.points.bones.push_back({out.points.joints[*parents[j]], out.points.joints[j]});
  }
  return out;
}

// A name as two programs may both write it: "mixamorig:LeftArm" and "leftarm".
std::string plainName(const std::string& name) {
  const std::size_t colon = name.find_last_of(":|");
  std::string out = colon == std::string::npos ? name : name.substr(colon + 1);
  for (char& c : out)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// Both sets of weights by one list of joints: the reference's joints, then joints of the rig that
// the reference does not have.
struct ComparableWeights {
  Influences weights, wanted;
  std::vector<vec3> joints;
  std::vector<std::uint32_t> parents;
  std::size_t matched = 0;            // joints with a match
  std::vector<std::string> unmatched; // joints of the rig without one
};

ComparableWeights comparableJoints(const NormalizedRig& rig, const NormalizedRig& reference) {
  ComparableWeights out;
  std::map<std::string, std::uint32_t> exact, plain;
  for (std::uint32_t j = 0; j < reference.names.size(); ++j) {
    exact.emplace(reference.names[j], j);
    plain.emplace(plainName(reference.names[j]), j);
  }
  out.joints = reference.points.joints;
  out.parents = reference.parents;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t j = 0; j < rig.names.size(); ++j) {
    auto found = exact.find(rig.names[j]);
    bool has = found != exact.end();
    if (!has) {
      found = plain.find(plainName(rig.names[j]));
      has = found != plain.end();
    }
    if (has && std::ranges::find(numbers, found->second) == numbers.end()) {
      numbers.push_back(found->second);
      ++out.matched;
      continue;
    }
    const auto number = static_cast<std::uint32_t>(out.joints.size());
    out.unmatched.push_back(rig.names[j]);
    out.joints.push_back(rig.points.joints[j]);
    out.parents.push_back(rig.parents[j] == j ? number : numbers[rig.parents[j]]);
    numbers.push_back(number);
  }
  out.weights = rig.weights;
  for (Influence& each : out.weights.values)
    each.joint = numbers[each.joint];
  return out;
}

// The reference's weights at the vertices of the rig; none, and why, where the meshes differ.
std::optional<Influences> weightsAtVertices(const NormalizedRig& rig,
                                            const NormalizedRig& reference, std::string& why) {
  const auto& ours = rig.mesh.positions;
  const auto& theirs = reference.mesh.positions;
  bool same = ours.size() == theirs.size();
  for (std::size_t v = 0; same && v < ours.size(); ++v)
    same = static_cast<double>(glm::distance(ours[v], theirs[v])) <= kSameVertex;
  if (same) return reference.weights;
  const TriangleTree tree(theirs, reference.mesh.triangles);
  Influences out;
  for (std::size_t v = 0; v < ours.size(); ++v) {
    const TreePoint point = tree.nearest(ours[v]);
    const Triangle& corners = reference.mesh.triangles[point.triangle];
    vec3 at(0.0f);
    std::map<std::uint32_t, float> sums;
    for (int i = 0; i < 3; ++i) {
      const auto corner = static_cast<std::size_t>(i);
      at += point.corners[i] * theirs[corners[corner]];
      for (const Influence& each : reference.weights.of(corners[corner]))
        sums[each.joint] += point.corners[i] * each.weight;
    }
    if (const float far = glm::distance(at, ours[v]); !(static_cast<double>(far) <= kSameSurface)) {
      why = fmt::format("the meshes differ: vertex {} is {:.1f} % of the size from the reference",
                        v, 100.0 * static_cast<double>(far));
      return std::nullopt;
    }
    std::vector<Influence> row;
    for (const auto& [joint, weight] : sums)
      if (weight > 0.0f) row.push_back({joint, weight});
    out.append(row);
  }
  return out;
}

struct SkinEvaluation {
  WeightAgreement agreement;
  PosedDistance posed;
};

std::optional<SkinEvaluation> evaluateSkin(const NormalizedRig& rig, const NormalizedRig& reference,
                                           ComparableWeights& both, std::string& why) {
  if (both.matched == 0) {
    why = "no joint has a name that the reference has";
    return std::nullopt;
  }
  auto wanted = weightsAtVertices(rig, reference, why);
  if (!wanted) return std::nullopt;
  both.wanted = std::move(*wanted);
  return SkinEvaluation{
      weightAgreement(both.weights, both.wanted),
      posedDistance(rig.mesh.positions, both.weights, both.wanted, both.joints, both.parents)};
}

EvaluateJson numberOrNull(double value) {
  return std::isnan(value) ? EvaluateJson() : EvaluateJson(value);
}

EvaluateJson rangeJson(const RangeOfMotion& range) {
  return {
      {"joints", range.joints},
      {"poses", range.poses},
      {"volume",
       {{"least", numberOrNull(range.leastVolume)},
        {"largest", numberOrNull(range.largestVolume)},
        {"mean_change", numberOrNull(range.meanVolumeChange)}}},
      {"section",
       {{"least", numberOrNull(range.leastSection)},
        {"joint", range.worstSection},
        {"mean", numberOrNull(range.meanSection)}}},
      {"folded",
       {{"largest", numberOrNull(range.largestFolded)}, {"mean", numberOrNull(range.meanFolded)}}},
      {"self_intersections", range.selfIntersections}};
}

struct EvaluatedRanges {
  std::string method;
  RangeOfMotion rig, reference;
};

EvaluatedRanges evaluateRanges(const EvaluateCommandOptions& options, const NormalizedRig& rig,
                               const NormalizedRig& reference) {
  const MethodChoice& choice = onlyMethod(options.settings);
  const Method& method = *choice.method;
  const BindOptions bind = makeBindOptions(options.settings, choice);
  ProgressLine line(options.quiet);
  const auto measured = [&](const Model& model) {
    return measureRangeOfMotion(model, buildRig(model), method, bind, line.report());
  };
  return {std::string(method.name), measured(rig.model), measured(reference.model)};
}

std::string percentOrNone(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.1f} %", 100.0 * value);
}

std::string rangeText(const EvaluatedRanges& ranges) {
  std::string out = fmt::format("\nrange of motion, {:<24} {:>12} {:>12}\n", ranges.method,
                                "rigged", "reference");
  const auto row = [&](const char* name, double a, double b) {
    out += fmt::format("{:<41} {:>12} {:>12}\n", name, percentOrNone(a), percentOrNone(b));
  };
  const RangeOfMotion& a = ranges.rig;
  const RangeOfMotion& b = ranges.reference;
  out += fmt::format("{:<41} {:>12} {:>12}\n", "joints that bend skin", a.joints, b.joints);
  row("least volume at a joint", a.leastVolume, b.leastVolume);
  row("mean change of volume", a.meanVolumeChange, b.meanVolumeChange);
  row("smallest slice", a.leastSection, b.leastSection);
  row("smallest slice, mean", a.meanSection, b.meanSection);
  row("largest share of folded edges", a.largestFolded, b.largestFolded);
  row("folded edges, mean", a.meanFolded, b.meanFolded);
  out += fmt::format("{:<41} {:>12} {:>12}\n", "pairs of crossing triangles", a.selfIntersections,
                     b.selfIntersections);
  return out;
}

ExitCode evaluateRig(const EvaluateCommandOptions& options) {
  const NormalizedRig rig = loadRig(options.rigged, options.timeLimit);
  const NormalizedRig reference = loadRig(options.reference, options.timeLimit);
  const SkeletonDistances distances = skeletonDistances(rig.points, reference.points);
  ComparableWeights both = comparableJoints(rig, reference);
  std::string why;
  const auto skin = evaluateSkin(rig, reference, both, why);
  std::optional<EvaluatedRanges> ranges;
  if (options.range) ranges = evaluateRanges(options, rig, reference);
  if (options.json) {
    EvaluateJson out{{"rigged", options.rigged},
                     {"reference", options.reference},
                     {"joints",
                      {{"rigged", rig.names.size()},
                       {"reference", reference.names.size()},
                       {"matched", both.matched},
                       {"unmatched", both.unmatched}}},
                     {"skeleton",
                      {{"joint_to_joint", distances.jointToJoint},
                       {"joint_to_bone", distances.jointToBone},
                       {"bone_to_bone", distances.boneToBone}}}};
    out["skin"] = nullptr;
    if (skin)
      out["skin"] = {{"vertices", rig.mesh.positions.size()},
                     {"precision", numberOrNull(skin->agreement.precision)},
                     {"recall", numberOrNull(skin->agreement.recall)},
                     {"mean_l1", numberOrNull(skin->agreement.meanL1)},
                     {"mean_distance", skin->posed.mean},
                     {"largest_distance", skin->posed.largest},
                     {"vertex", skin->posed.vertex},
                     {"pose", skin->posed.pose},
                     {"poses", kEvaluatedPoses}};
    out["skin_missing"] = why.empty() ? EvaluateJson() : EvaluateJson(why);
    out["range"] = nullptr;
    if (ranges)
      out["range"] = {{"method", ranges->method},
                      {"rigged", rangeJson(ranges->rig)},
                      {"reference", rangeJson(ranges->reference)}};
    print(toString(out));
    return ExitCode::done;
  }
  std::string text = fmt::format("joints: {} of {} have the name of one of the reference's {}\n"
                                 "joint to joint {:.3f} %, joint to bone {:.3f} %, bone to bone "
                                 "{:.3f} % of the mesh's longest "
                                 "side\n",
                                 both.matched, rig.names.size(), reference.names.size(),
                                 100.0 * distances.jointToJoint, 100.0 * distances.jointToBone,
                                 100.0 * distances.boneToBone);
  if (skin)
    text += fmt::format("weights: precision {:.1f} %, recall {:.1f} %, L1 {:.4f} in the mean\n"
                        "posed, {} poses: distance {:.4f} % in the mean, {:.3f} % at most (vertex "
                        "{} in pose {})\n",
                        100.0 * skin->agreement.precision, 100.0 * skin->agreement.recall,
                        skin->agreement.meanL1, kEvaluatedPoses, 100.0 * skin->posed.mean,
                        100.0 * skin->posed.largest, skin->posed.vertex, skin->posed.pose);
  else
    text += fmt::format("weights: not comparable: {}\n", why);
  if (ranges) text += rangeText(*ranges);
  print(text);
  return ExitCode::done;
}

} // namespace

Command evaluateCommand() {
  auto options = std::make_shared<EvaluateCommandOptions>();
  Command command{"evaluate",
                  "How near a rig is to a reference: its joints, weights and posed skin"};
  command.add("RIGGED", &options->rigged, "the rig to judge: a rigged model, or demo:NAME")
      .as(ValueKind::model)
      .required();
  command
      .add("REFERENCE", &options->reference,
           "the rig it should be like: the same mesh, rigged by an artist or another program")
      .as(ValueKind::model)
      .required();
  command.add("--range,!--no-range", &options->range,
              "measure both also over a range of motion: volume, slices, folds, crossings");
  command.add("--time-limit", &options->timeLimit, "seconds reading a file may take").showDefault();
  command.add("--json", &options->json, "one JSON document on stdout");
  command.add("--quiet,-q", &options->quiet, "no notes on stderr");
  addSettings(command, options->settings, {"Skinning"});
  command.notes = "Each rig is moved and scaled so that the longest side of its mesh is 1.\n"
                  "docs/weights.md defines every measure.";
  command.examples = {"sinew evaluate auto.glb artist.glb",
                      "sinew evaluate auto.glb artist.glb --no-range --json"};
  command.run = [options](const Command&) { return evaluateRig(*options); };
  return command;
}

} // namespace sinew
