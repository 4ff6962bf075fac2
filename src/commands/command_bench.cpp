#include "app/method_list.h"
#include "app/sidecar.h"
#include "bench/bench.h"
#include "bench/pose_bench.h"
#include "bench/ragdoll_bench.h"
#include "bench/scaling_bench.h"
#include "bench/skin_bench.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/model_options.h"
#include "commands/output.h"
#include "commands/setting_options.h"
#include "core/error.h"
#include "core/text.h"
#include "gl/context.h"
#include "import/time_import.h"
#include "ragdoll_run/ragdoll_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

struct BenchCommandOptions {
  BenchOptions bench;
  std::string methods = "all";
  Size size{640, 480};
  ModelOptions model;
  Settings settings;
  std::size_t characters = 0;  // in the crowd; 0: as many as have the vertices
  bool skinning = false;       // skinning on the CPU alone
  std::uint32_t scattered = 0; // vertices of a tube to skin; 0: the model is skinned
  double scaling = 0.0;        // seconds for the scaling tables; 0: the stress scene
  std::size_t poses = 0;       // characters that are posed only; 0: the stress scene
  std::vector<int> ragdolls;   // none: the stress scene
  std::string import;          // a file whose reading is timed; empty: the stress scene
};

std::vector<const Method*> chosenMethods(const std::string& words) {
  std::vector<const Method*> chosen;
  if (words == "all") {
    for (const Method& method : methods())
      chosen.push_back(&method);
    return chosen;
  }
  for (const std::string& word : split(words, ','))
    chosen.push_back(&findMethod(word));
  if (chosen.empty()) throw usageError("--method names no method");
  return chosen;
}

Json orNull(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

Json toJson(const BenchReport& report) {
  Json results = Json::array();
  for (const BenchResult& r : report.results)
    results.push_back({{"method", r.method},
                       {"ms_median", r.frame.median},
                       {"ms_p95", r.frame.p95},
                       {"ms_min", r.frame.minimum},
                       {"processor_ms_median", r.processor.median},
                       {"processor_ms_min", r.processor.minimum},
                       {"cpu_pose_ms", r.poseMs},
                       {"upload_ms", r.uploadMs},
                       {"gpu_ms", orNull(r.gpuMs)},
                       {"vertices_per_second", r.verticesPerSecond},
                       {"ratio_to_static", r.ratioToStatic},
                       {"processor_to_static", r.processorToStatic},
                       {"draws", r.draws},
                       {"triangles", r.triangles},
                       {"skin_on", r.skinOn},
                       {"ratio_to_plain", orNull(r.ratioToPlain)},
                       {"processor_to_plain", orNull(r.processorToPlain)},
                       {"bytes_per_joint", r.bytes.perJoint},
                       {"baked_bytes", r.bytes.baked},
                       {"bytes_per_frame", r.bytes.perFrame},
                       {"palette_error_mm", orNull(r.errorMm)},
                       {"palette_bound_mm", orNull(r.boundMm)}});
  return {{"renderer", report.renderer},
          {"version", report.version},
          {"cpu", report.cpu},
          {"model", report.model},
          {"palette", report.palette},
          {"size", {report.width, report.height}},
          {"vertex_only", report.vertexOnly},
          {"frames", report.frames},
          {"vertices", report.vertices},
          {"instances", report.instances},
          {"results", results}};
}

std::string crowdTable(const BenchReport& report);

std::string toText(const BenchReport& report) {
  std::string out = fmt::format(
      "{} x {} = {} vertices, {}x{}{}, palette {}, {} frames a method, in alternating rounds\n"
      "{}, OpenGL {}\n{}\n\n",
      report.instances, report.model, report.vertices, report.width, report.height,
      report.vertexOnly ? ", vertex stage alone" : "", report.palette, report.frames,
      report.renderer, report.version, report.cpu);
  out +=
      fmt::format("{:<16} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8} {:>9} {:>9} {:>9} {:>6}  {}\n",
                  "method", "ms median", "p95", "min", "cpu pose", "upload", "gpu", "Mvert/s",
                  "x static", "processor", "x static", "draws", "skinned on");
  for (const BenchResult& r : report.results)
    out += fmt::format("{:<16} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.3f} {:>9.3f} {:>9} {:>8.2f} "
                       "{:>9.2f} {:>9.2f} {:>9.2f} {:>6}  {}\n",
                       r.method, r.frame.median, r.frame.p95, r.frame.minimum, r.poseMs, r.uploadMs,
                       r.gpuMs ? fmt::format("{:.2f}", *r.gpuMs) : "-", r.verticesPerSecond / 1e6,
                       r.ratioToStatic, r.processor.median, r.processorToStatic, r.draws, r.skinOn);
  return out + crowdTable(report);
}

// What format, baking, levels of detail, culling and passes gain, and what they upload.
std::string crowdTable(const BenchReport& report) {
  const auto isVariant = [](const BenchResult& r) { return r.ratioToPlain.has_value(); };
  if (std::ranges::none_of(report.results, isVariant)) return "";
  std::string out = fmt::format(
      "\n{:<22} {:>9} {:>9} {:>9} {:>8} {:>9} {:>10} {:>10} {:>9} {:>9}\n", "", "x plain",
      "processor", "triangles", "upload", "bytes per", "bytes a", "bytes", "largest", "error's");
  out +=
      fmt::format("{:<22} {:>9} {:>9} {:>9} {:>8} {:>9} {:>10} {:>10} {:>9} {:>9}\n", "", "frame",
                  "x plain", "", "ms", "joint", "frame", "once", "error mm", "bound mm");
  const auto number = [](const std::optional<double>& value, int digits) {
    return value ? fmt::format("{:.{}f}", *value, digits) : std::string("-");
  };
  for (const BenchResult& r : report.results)
    out += fmt::format("{:<22} {:>9} {:>9} {:>9} {:>8.3f} {:>9} {:>10} {:>10} {:>9} {:>9}\n",
                       r.method, number(r.ratioToPlain, 2), number(r.processorToPlain, 2),
                       r.triangles, r.uploadMs, r.bytes.perJoint, r.bytes.perFrame, r.bytes.baked,
                       number(r.errorMm, 3), number(r.boundMm, 3));
  return out;
}

Json toJson(const std::vector<ScalingRow>& rows) {
  Json out = Json::array();
  for (const ScalingRow& row : rows) {
    Json report = toJson(row.report);
    report["axis"] = row.axis;
    report["joints"] = row.tube.joints;
    report["influences"] = row.tube.influences;
    out.push_back(std::move(report));
  }
  return {{"scaling", out}};
}

std::string toText(const std::vector<ScalingRow>& rows) {
  std::string out = fmt::format("{}\n{}\n", rows.front().report.renderer, rows.front().report.cpu);
  std::string axis;
  for (const ScalingRow& row : rows) {
    if (row.axis != axis)
      out += fmt::format(
          "\n{:<11} {:>9} {:>6} {:>9} {:<14} {:>9} {:>9} {:>8} {:>8} {:>8} {:>9} {:>6}\n",
          row.axis + ":", "instances", "joints", "vertices", "method", "ms median", "processor",
          "pose", "upload", "x static", "processor", "frames");
    axis = row.axis;
    for (const BenchResult& r : row.report.results)
      out += fmt::format("{:<11} {:>9} {:>6} {:>9} {:<14} {:>9.3f} {:>9.3f} {:>8.3f} {:>8.3f} "
                         "{:>8.2f} {:>9.2f} {:>6}\n",
                         axis == "influences" ? std::to_string(row.tube.influences) : "",
                         row.report.instances, row.tube.joints, row.report.vertices, r.method,
                         r.frame.median, r.processor.median, r.poseMs, r.uploadMs, r.ratioToStatic,
                         r.processorToStatic, row.report.frames);
  }
  return out;
}

Json toJson(const PoseBenchReport& report) {
  Json results = Json::array();
  for (const PoseBenchResult& r : report.results)
    results.push_back({{"layout", r.layout},
                       {"ns_per_joint_median", r.nsPerJoint.median},
                       {"ns_per_joint_min", r.nsPerJoint.minimum},
                       {"largest_difference", r.largestDifference}});
  return {{"cpu", report.cpu},
          {"model", report.model},
          {"clip", report.clip},
          {"characters", report.characters},
          {"joints", report.joints},
          {"nodes", report.nodes},
          {"rounds", report.rounds},
          {"stages",
           {{"sample_ns", report.stages.sample},
            {"model_from_nodes_ns", report.stages.modelFromNodes},
            {"palette_ns", report.stages.palette}}},
          {"results", results}};
}

std::string toText(const PoseBenchReport& report) {
  std::string out = fmt::format(
      "{} characters of {} joints ({} nodes), {}, clip {}, {} rounds, one thread\n{}\n\n"
      "nanoseconds a joint: sample {:.1f}, F {:.1f}, palette {:.1f}\n\n",
      report.characters, report.joints, report.nodes, report.model, report.clip, report.rounds,
      report.cpu, report.stages.sample, report.stages.modelFromNodes, report.stages.palette);
  out += fmt::format("{:<14} {:>9} {:>9} {:>11}\n", "layout", "ns median", "min", "difference");
  for (const PoseBenchResult& r : report.results)
    out += fmt::format("{:<14} {:>9.1f} {:>9.1f} {:>11.2g}  {}\n", r.layout, r.nsPerJoint.median,
                       r.nsPerJoint.minimum, r.largestDifference, r.help);
  return out;
}

Json toJson(const Distribution& ns) {
  return {{"min", ns.minimum}, {"median", ns.median}};
}

Json toJson(const SkinBenchReport& report) {
  Json results = Json::array();
  for (const SkinBenchResult& r : report.results)
    results.push_back({{"method", r.method},
                       {"kernel", r.kernel},
                       {"reference_ns", toJson(r.reference)},
                       {"cached_ns", toJson(r.cached)},
                       {"crowd_ns", toJson(r.crowd)},
                       {"memory_one_thread_ns", toJson(r.memoryOne)},
                       {"memory_ns", toJson(r.memoryAll)},
                       {"largest_difference", r.difference}});
  return {{"cpu", report.cpu},
          {"instructions", report.instructions},
          {"model", report.model},
          {"vertices", report.vertices},
          {"large_vertices", report.largeVertices},
          {"threads", report.threads},
          {"rounds", report.rounds},
          {"copy_one_thread_ns", toJson(report.copyOne)},
          {"copy_ns", toJson(report.copyAll)},
          {"results", results}};
}

std::string toText(const SkinBenchReport& report) {
  std::string out = fmt::format(
      "nanoseconds a vertex (position and normal), minimum and median of {} alternating rounds\n"
      "{}, {} vertices; crowd and large mesh {} vertices; {} threads\n{}, {}\n\n",
      report.rounds, report.model, report.vertices, report.largeVertices, report.threads,
      report.cpu, report.instructions);
  const auto text = [](const Distribution& ns) {
    return fmt::format("{:.2f} {:>6.2f}", ns.minimum, ns.median);
  };
  const auto line = [&](std::string_view name, std::string_view reference, std::string_view cached,
                        std::string_view crowd, std::string_view one, std::string_view all,
                        std::string_view difference) {
    out += fmt::format("{:<16} {:>15} {:>14} {:>14} {:>14} {:>14} {:>10}\n", name, reference,
                       cached, crowd, one, all, difference);
  };
  line("method", "reference", "in cache", "crowd", "from memory", "from memory", "");
  line("", "one thread", "one thread", "all threads", "one thread", "all threads", "difference");
  for (const SkinBenchResult& r : report.results)
    line(r.method, text(r.reference), text(r.cached), text(r.crowd), text(r.memoryOne),
         text(r.memoryAll),
         r.kernel ? fmt::format("{:.1e}", r.difference) : std::string("no kernel"));
  line("memcpy", "", "", "", text(report.copyOne), text(report.copyAll), "");
  return out;
}

ExitCode benchSkinning(const BenchCommandOptions& options,
                       const std::vector<const Method*>& chosen) {
  const Workbench workbench =
      options.scattered > 0
          ? makeWorkbench(scalingTube({options.scattered, 64, 4, true}), options.settings)
          : openWorkbench(options.model, options.settings, Methods::ownList);
  const SkinBenchReport report = runSkinBench(workbench, chosen, options.settings,
                                              options.bench.vertices, options.bench.frames);
  print(options.model.json ? toString(toJson(report)) : toText(report));
  return ExitCode::done;
}

ExitCode benchPoses(const BenchCommandOptions& options, bool modelGiven) {
  const Workbench workbench = modelGiven ? openWorkbench(options.model, options.settings)
                                         : makeWorkbench(poseBenchModel(), options.settings);
  const PoseBenchReport report = runPoseBench(workbench, options.poses, options.bench.frames);
  print(options.model.json ? toString(toJson(report)) : toText(report));
  return ExitCode::done;
}

ExitCode benchFalling(const BenchCommandOptions& options) {
  const Workbench workbench = openWorkbench(options.model, options.settings);
  const RagdollFile file =
      openRagdoll(workbench.model, workbench.rig, options.model.model, "", "none");
  const auto results = benchRagdolls(workbench.model, file.config, options.ragdolls);
  print(options.model.json ? toString(ragdollBenchJson(results)) : ragdollBenchTable(results));
  return ExitCode::done;
}

struct ReaderTime {
  std::string reader;
  double minimum = 0.0; // milliseconds
  double median = 0.0;
};

ReaderTime readerTime(std::string reader, std::vector<double> seconds) {
  std::ranges::sort(seconds);
  return {std::move(reader), 1e3 * seconds.front(), 1e3 * seconds[seconds.size() / 2]};
}

ExitCode benchImport(const BenchCommandOptions& options) {
  constexpr double kSeconds = 2.0;    // time to measure
  constexpr double kTimeLimit = 60.0; // time for everything, as for other commands
  const ImportTimes times = timeImport(options.import, {}, kSeconds, {.seconds = kTimeLimit});
  std::vector<ReaderTime> readers{readerTime("sinew", times.own)};
  if (!times.assimp.empty()) readers.push_back(readerTime("assimp", times.assimp));
  Json results = Json::array();
  std::string text =
      fmt::format("{}: {} rounds by turns, without the start of a process\n\n{:<10} "
                  "{:>10} {:>10} {:>8}\n",
                  options.import, times.own.size(), "reader", "ms median", "min", "x sinew");
  for (const ReaderTime& r : readers) {
    const double ratio = r.median / readers.front().median;
    results.push_back({{"reader", r.reader},
                       {"ms_median", r.median},
                       {"ms_min", r.minimum},
                       {"ratio_to_sinew", ratio}});
    text +=
        fmt::format("{:<10} {:>10.3f} {:>10.3f} {:>8.2f}\n", r.reader, r.median, r.minimum, ratio);
  }
  const Json json{{"model", options.import}, {"rounds", times.own.size()}, {"results", results}};
  print(options.model.json ? toString(json) : text);
  return ExitCode::done;
}

} // namespace

Command benchCommand() {
  auto options = std::make_shared<BenchCommandOptions>();
  Command command{
      "bench",
      "Milliseconds per frame of the stress scene, for each method and the unskinned mesh"};
  BenchOptions& bench = options->bench;
  options->model.model = "demo:humanoid";
  command.add("MODEL,--model", &options->model.model, "the character")
      .as(ValueKind::model)
      .showDefault();
  command.add("--vertices", &bench.vertices, "vertices of the crowd, at least")
      .range(1, 100000000)
      .showDefault();
  command.add("--characters", &options->characters, "characters of the crowd, in place of vertices")
      .range(1, 1000000)
      .without({"--vertices"});
  command.add("--motion", &options->model.motion, "its animation, from another file")
      .as(ValueKind::model);
  addZoneOptions(command, options->model.zones, options->model.zone);
  addSidecar(command, kWeightsSidecar, options->model.weights);
  addSubdivideOptions(command, options->model.subdivide);
  addSidecar(command, kSplinesSidecar, options->model.splines);
  addSidecar(command, kDriversSidecar, options->model.drivers);
  addLayersOption(command, options->model.layers);
  command.add("--frames", &bench.frames, "measured frames of each method")
      .range(1, 100000)
      .showDefault();
  command
      .add("--poses", &options->poses,
           "pose this many characters without drawing: nanoseconds per joint from clip to "
           "palette, alone, in a crowd and by two threads; 64 joints without --model")
      .range(1, 1000000);
  command.add("--skinning", &options->skinning,
              "instead, time skinning on the CPU alone: nanoseconds a vertex, by the reference "
              "and by vector instructions, in the caches and from memory");
  command
      .add(
          "--scattered", &options->scattered,
          "with --skinning: in place of the model a generated tube of about so many vertices, each "
          "of which follows four of its 64 joints at random")
      .range(1, 1000000)
      .without({"--model"});
  addSize(command, options->size);
  command.add("--vertex-only", &bench.vertexOnly, "nothing is rasterised");
  command.add("--json", &options->model.json, "one JSON document on stdout");
  command
      .add("--ragdolls", &options->ragdolls,
           "instead, time a fixed step of this many ragdolls of the character, with each solver")
      .separatedByCommas()
      .range(1, 10000);
  command
      .add("--import", &options->import,
           "instead, time the reading of this file within one process: by sinew, and by Assimp "
           "where it reads the file, by turns for about two seconds")
      .as(ValueKind::file);
  command
      .add("--scaling", &options->scaling,
           "instead, tables of how a frame grows with vertices, characters, joints and influences, "
           "on a generated tube, in about this many seconds of measuring; up to 10 million "
           "vertices, or "
           "to --vertices")
      .range(1, 3600)
      .value("SECONDS");
  addCrowdDrawing(command, bench.drawing);
  addSettings(command, options->settings, {"Skinning", "Animation", "Motion", "Camera"});
  command.remove("--turntable");
  // Several methods here, where the other commands take one.
  command.remove("--method");
  command.add("--method", &options->methods, "methods separated by commas, or all").showDefault();
  command.notes =
      "A frame is posing, packing and uploading every character and drawing until the "
      "GPU is done;\n"
      "'x static' is the median ratio to the unskinned mesh drawn in the same round;\n"
      "'processor' is the processor time of a frame, of all threads. The GPU's time is left\n"
      "out if the driver does not report it, as with software renderers.";
  command.examples = {
      "sinew bench --vertices 1000000",
      "sinew bench --poses 1000",
      "sinew bench --skin-on auto",
      "sinew bench --skinning --time 0.4",
      "sinew bench --ragdolls 1,10,100",
      "sinew bench --import model.fbx --json",
      "sinew bench --method lbs --palette-format f16 --bake-palette --lod 1 --cull --distance 0.3",
      "sinew bench --scaling 60 --method lbs,dqs",
      "sinew bench model.fbx --characters 200",
      "sinew bench model.fbx --method lbs,dqs --palette block --vertex-only --json"};
  command.run = [options](const Command& given) {
    options->model.quiet = true;
    if (!options->import.empty()) return benchImport(*options);
    if (options->poses > 0) return benchPoses(*options, given.given("--model"));
    if (!options->ragdolls.empty()) return benchFalling(*options);
    options->bench.width = options->size.width;
    options->bench.height = options->size.height;
    const std::vector<const Method*> chosen = chosenMethods(options->methods);
    std::vector<MethodChoice> choices;
    choices.reserve(chosen.size());
    for (const Method* method : chosen)
      choices.push_back({method});
    checkParametersUsed(options->settings, choices, kSetOption);
    if (options->skinning) return benchSkinning(*options, chosen);
    const HeadlessContext context;
    if (options->scaling > 0.0) {
      if (!given.given("--vertices")) options->bench.vertices = 10000000;
      const std::vector<ScalingRow> rows = runScaling(
          options->methods == "all" ? std::vector<const Method*>{&findMethod("lbs")} : chosen,
          options->settings, options->bench, options->scaling);
      print(options->model.json ? toString(toJson(rows)) : toText(rows));
      return ExitCode::done;
    }
    const Workbench workbench = openWorkbench(options->model, options->settings, Methods::ownList);
    if (options->characters > 0)
      options->bench.vertices = options->characters * workbench.rig.positions.size();
    const BenchReport report = runBench(workbench, chosen, options->settings, options->bench);
    print(options->model.json ? toString(toJson(report)) : toText(report));
    return ExitCode::done;
  };
  return command;
}

} // namespace sinew
