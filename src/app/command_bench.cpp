#include "app/bench.h"
#include "app/commands.h"
#include "app/pose_bench.h"
#include "app/ragdoll_bench.h"
#include "app/ragdoll_file.h"
#include "core/error.h"
#include "gl/context.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <sstream>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

struct CommandOptions {
  BenchOptions bench;
  std::string methods = "all";
  Size size{640, 480};
  ModelOptions model;
  Settings settings;
  std::size_t poses = 0;     // characters that are posed only; 0: the stress scene
  std::vector<int> ragdolls; // none: the stress scene
};

std::vector<const Method*> chosenMethods(const std::string& words) {
  std::vector<const Method*> chosen;
  if (words == "all") {
    for (const Method& method : methods())
      chosen.push_back(&method);
    return chosen;
  }
  std::istringstream in(words);
  for (std::string word; std::getline(in, word, ',');)
    chosen.push_back(&findMethod(word));
  if (chosen.empty()) throw usageError("--method names no method");
  return chosen;
}

Json toJson(const BenchReport& report) {
  Json results = Json::array();
  for (const BenchResult& r : report.results)
    results.push_back({{"method", r.method},
                       {"ms_median", r.frame.median},
                       {"ms_p95", r.frame.p95},
                       {"ms_min", r.frame.minimum},
                       {"cpu_pose_ms", r.poseMs},
                       {"upload_ms", r.uploadMs},
                       {"gpu_ms", r.gpuMs},
                       {"vertices_per_second", r.verticesPerSecond},
                       {"ratio_to_static", r.ratioToStatic},
                       {"draws", r.draws}});
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

std::string toText(const BenchReport& report) {
  std::string out = fmt::format(
      "{} x {} = {} vertices, {}x{}{}, palette {}, {} frames a method, in alternating rounds\n"
      "{}, OpenGL {}\n{}\n\n",
      report.instances, report.model, report.vertices, report.width, report.height,
      report.vertexOnly ? ", vertex stage alone" : "", report.palette, report.frames,
      report.renderer, report.version, report.cpu);
  out += fmt::format("{:<16} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8} {:>9} {:>6}\n", "method",
                     "ms median", "p95", "min", "cpu pose", "upload", "gpu", "Mvert/s", "x static",
                     "draws");
  for (const BenchResult& r : report.results)
    out += fmt::format(
        "{:<16} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.3f} {:>9.3f} {:>9.2f} {:>8.2f} {:>9.2f} {:>6}\n",
        r.method, r.frame.median, r.frame.p95, r.frame.minimum, r.poseMs, r.uploadMs, r.gpuMs,
        r.verticesPerSecond / 1e6, r.ratioToStatic, r.draws);
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

ExitCode benchPoses(const CommandOptions& options, bool modelGiven) {
  const Workbench bench = modelGiven ? openWorkbench(options.model, options.settings)
                                     : makeWorkbench(poseBenchModel(), options.settings);
  const PoseBenchReport report = runPoseBench(bench, options.poses, options.bench.frames);
  print(options.model.json ? textOf(toJson(report)) : toText(report));
  return ExitCode::done;
}

ExitCode benchFalling(const CommandOptions& options) {
  const Workbench bench = openWorkbench(options.model, options.settings);
  const RagdollFile file = openRagdoll(bench.model, bench.rig, options.model.model, "", "none");
  const auto results = benchRagdolls(bench.model, file.config, options.ragdolls);
  print(options.model.json ? textOf(ragdollBenchJson(results)) : ragdollBenchTable(results));
  return ExitCode::done;
}

} // namespace

void addBenchCommand(CommandLine& line) {
  auto options = std::make_shared<CommandOptions>();
  CLI::App* command = line.app.add_subcommand(
      "bench", "Milliseconds a frame of the stress scene, each method against the unskinned mesh");
  BenchOptions& bench = options->bench;
  options->model.model = "demo:humanoid";
  command->add_option("--vertices", bench.vertices, "vertices of the crowd, at least")
      ->check(CLI::Range(1, 100000000))
      ->capture_default_str();
  command->add_option("--model", options->model.model, "the character")->capture_default_str();
  command->add_option("--motion", options->model.motion, "its animation, from another file");
  addWeightsFile(*command, options->model.weights);
  addMovementOption(*command, options->model);
  command->add_option("--frames", bench.frames, "measured frames of each method")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command
      ->add_option("--poses", options->poses,
                   "pose so many characters and draw nothing: nanoseconds a joint from clip to "
                   "palette, for several layouts of memory; 64 joints without --model")
      ->check(CLI::Range(1, 1000000));
  addSize(*command, options->size);
  command->add_flag("--vertex-only", bench.vertexOnly, "nothing is rasterised");
  command->add_flag("--json", options->model.json, "one JSON document on stdout");
  command
      ->add_option("--ragdolls", options->ragdolls,
                   "instead, a fixed step of as many ragdolls of the character, by both solvers")
      ->delimiter(',')
      ->check(CLI::Range(1, 10000));
  addSettings(*command, options->settings, {"Skinning", "Movement"});
  // Several methods here, where the other commands take one.
  command->remove_option(command->get_option("--method"));
  command->add_option("--method", options->methods, "methods separated by commas, or all")
      ->capture_default_str();
  command->footer(
      "A frame is posing, packing and uploading every character and drawing until the GPU is "
      "done;\n"
      "'x static' is the median ratio to the unskinned mesh drawn in the same round. The driver "
      "may\n"
      "report no GPU time for --vertex-only, where nothing is rasterised.\n"
      "Examples:\n"
      "  sinew bench --vertices 1000000\n"
      "  sinew bench --poses 1000\n"
      "  sinew bench --ragdolls 1,10,100\n"
      "  sinew bench --model model.fbx --method lbs,dqs --palette block --vertex-only --json");
  command->callback([options, command, &line] {
    line.run = [options, command] {
      options->model.quiet = true;
      if (options->poses > 0) return benchPoses(*options, command->count("--model") > 0);
      if (!options->ragdolls.empty()) return benchFalling(*options);
      options->bench.width = options->size.width;
      options->bench.height = options->size.height;
      const std::vector<const Method*> chosen = chosenMethods(options->methods);
      const HeadlessContext context;
      const BenchReport report = runBench(openWorkbench(options->model, options->settings), chosen,
                                          options->settings, options->bench);
      print(options->model.json ? textOf(toJson(report)) : toText(report));
      return ExitCode::done;
    };
  });
}

} // namespace sinew
