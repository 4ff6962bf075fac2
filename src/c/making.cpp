// Weights, bakes and measures.
#include "app/workbench.h"
#include "bake/bake_run.h"
#include "c/bind_settings.h"
#include "c/handles.h"
#include "core/error.h"
#include "metrics/skin_analysis.h"
#include "weights/automatic_weights.h"
#include "weights/bind_model.h"
#include "weights/skeleton.h"
#include "weights/weight_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace sinew {
namespace {

WeightAlgorithm findAlgorithm(std::string_view word) {
  std::vector<std::string> known;
  for (const WeightAlgorithmEntry& entry : weightAlgorithms()) {
    if (entry.word == word) return entry.algorithm;
    known.emplace_back(entry.word);
  }
  throw unknownName("method", word, known);
}

Model weighted(const Model& mesh, const Model& from, std::string_view method,
               std::uint32_t influences, const Progress& progress) {
  WeightOptions options;
  options.algorithm = findAlgorithm(method);
  if (influences > 0) options.influences = influences;
  const Model meshes = meshesAlone(mesh);
  const Skeleton skeleton = extractSkeleton(from);
  const JoinedMeshes all = joinMeshes(meshes);
  if (all.positions.empty()) throw inputError("mesh", "it has no vertices");
  const AutomaticWeights weights = automaticWeights(all.positions, all.triangles, skeleton.bones,
                                                    options, skeleton.jointOfBone, progress);
  return bindModel(meshes, skeleton, weights.influences);
}

template <class T>
void takeUnlessZero(T value, T& to) {
  if (value != T{}) to = value;
}

void takeUnlessZero(float value, const char* name, float& to) {
  if (!(value >= 0.0f)) throw usageError(fmt::format("{}: {} is not above 0", name, value));
  if (value > 0.0f) to = value;
}

BakeRunOptions bakeOptions(const Model& model, std::uint32_t clip,
                           const sinew_bake_options& given) {
  BakeRunOptions out;
  out.drivers = false;
  if (given.helpers > 0) out.bake.helpers = given.helpers;
  if (given.no_helpers != 0) out.bake.helpers = 0;
  takeUnlessZero(given.influences, out.bake.influences);
  if (out.bake.influences > kBakeInfluences)
    throw usageError(
        fmt::format("influences: {} are more than {}", out.bake.influences, kBakeInfluences));
  out.bake.morphs = given.morphs;
  takeUnlessZero(given.tolerance, "tolerance", out.bake.tolerance);
  auto rate = static_cast<float>(out.framesPerSecond);
  takeUnlessZero(given.frames_per_second, "frames_per_second", rate);
  out.framesPerSecond = static_cast<double>(rate);
  if (given.poses > 0 && given.poses < 8)
    throw usageError(fmt::format("poses: {} are fewer than 8", given.poses));
  if (given.poses > 0) out.bake.poses.limit = given.poses;
  if (clip == SINEW_NONE) {
    out.bake.poses.clips.resize(model.clips.size());
    std::iota(out.bake.poses.clips.begin(), out.bake.poses.clips.end(), 0u);
  } else if (clip < model.clips.size()) {
    out.bake.poses.clips = {clip};
  } else {
    throw usageError(fmt::format("clip: {} of {}", clip, model.clips.size()));
  }
  return out;
}

sinew_bake_report makeReport(const BakeRun& run) {
  sinew_bake_report out{};
  out.helpers = static_cast<std::uint32_t>(run.helpers);
  out.morphs = static_cast<std::uint32_t>(run.morphs);
  out.poses = static_cast<std::uint32_t>(run.poses);
  out.linear_mean = run.linear.mean;
  out.linear_largest = run.linear.largest;
  out.baked_mean = run.heldOut.mean;
  out.baked_largest = run.heldOut.largest;
  return out;
}

std::span<const vec3> vectorsAt(const float* data, std::size_t count) {
  return {reinterpret_cast<const vec3*>(data), count};
}

void measurePoses(const sinew_model& model, const float* posed, const float* reference,
                  std::span<sinew_measures> out) {
  const Rig& rig = *model.rig;
  const SkinAnalysis analysis = analyzeSkin(model.model, rig, {});
  const std::size_t count = rig.positions.size();
  for (sinew_measures& each : out) {
    const DeformationMetrics all =
        measure(analysis, rig, vectorsAt(posed, count), vectorsAt(reference, count)).front();
    each = {all.volume,  all.stretch,  all.curvature,    all.folded,
            all.flipped, all.distance, all.meanDistance, all.selfIntersections};
    posed += 3 * count;
    reference += 3 * count;
  }
}

} // namespace
} // namespace sinew

extern "C" {

sinew_model* sinew_weights(const sinew_model* mesh, const sinew_model* skeleton, const char* method,
                           uint32_t influences, sinew_progress progress, void* user) {
  return sinew::guardedHandle([&] {
    sinew::requirePointer(mesh, "mesh");
    sinew::requirePointer(skeleton, "skeleton");
    sinew::requirePointer(method, "method");
    return sinew::makeModelHandle(sinew::weighted(mesh->model, skeleton->model, method, influences,
                                                  sinew::toProgress(progress, user)));
  });
}

sinew_model* sinew_bake(const sinew_model* model, const char* method, const char* settings,
                        uint32_t clip, const sinew_bake_options* options, sinew_bake_report* report,
                        sinew_progress progress, void* user) {
  return sinew::guardedHandle([&] {
    sinew::requirePointer(model, "model");
    const sinew::Settings chosen = sinew::bindSettings(method, settings);
    sinew::BakeRunOptions run = sinew::bakeOptions(
        model->model, clip, options != nullptr ? *options : sinew_bake_options{});
    run.bake.progress = sinew::toProgress(progress, user);
    const sinew::BakeRun done = sinew::runBake(sinew::makeWorkbench(model->model, chosen), run);
    if (report != nullptr) *report = sinew::makeReport(done);
    return sinew::makeModelHandle(done.outcome->model);
  });
}

sinew_code sinew_measure(const sinew_model* model, const float* posed, const float* reference,
                         size_t poses, sinew_measures* out) {
  return sinew::guarded([&] {
    sinew::requirePointer(model, "model");
    if (poses == 0) return;
    sinew::requirePointer(posed, "posed");
    sinew::requirePointer(reference, "reference");
    sinew::requirePointer(out, "out");
    sinew::measurePoses(*model, posed, reference, {out, poses});
  });
}

} // extern "C"
