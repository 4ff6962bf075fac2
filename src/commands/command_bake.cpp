#include "app/method_list.h"
#include "bake/bake_run.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/export_options.h"
#include "commands/model_options.h"
#include "commands/output.h"
#include "commands/setting_options.h"
#include "compare/bake_report.h"
#include "core/error.h"
#include "core/file.h"
#include "core/stopwatch.h"
#include "core/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numeric>

namespace sinew {
namespace {

using BakeJson = nlohmann::ordered_json;

struct BakeCommandOptions {
  ModelOptions model;
  Settings settings;
  BakeRunOptions run;
  std::string output;
  std::string curve;
  std::string report;
  std::string driversFile;
  std::string clip = "all";
  ExportChoices choices;
  double tolerance = 0.5; // percent
};

std::string errorText(const Model& model, const char* name, const BakeError& error) {
  return fmt::format(
      "{:<18} mean {:.4f} %, 99.9 % {:.4f} %, largest {:.4f} % (vertex {} at {}, {})\n", name,
      100.0 * error.mean, 100.0 * error.p999, 100.0 * error.largest, error.vertex,
      model.hierarchy.nodes[error.node].name, error.pose);
}

std::vector<std::uint32_t> parseClips(const Model& model, const std::string& word) {
  if (word == "none") return {};
  if (word != "all") return {findClip(model, word)};
  std::vector<std::uint32_t> out(model.clips.size());
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

void writeCurve(const std::string& path, const BakeRun& run) {
  if (getExtension(path) == ".csv")
    writeFile(path, tableCsv(bakeCurveTable(run)));
  else
    writeFile(path, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
                        plotSvg(bakeCurvePlot(run), 720, 440));
}

void check(const BakeCommandOptions& options) {
  checkExportName(options.output);
  const std::string& drivers = options.driversFile;
  if (!drivers.empty() && drivers != "none" && getExtension(drivers) != ".json")
    throw usageError(fmt::format("--drivers-file '{}': expected FILE.json or none", drivers));
  const std::string curve = getExtension(options.curve);
  if (!options.curve.empty() && curve != ".csv" && curve != ".svg")
    throw usageError(fmt::format("{}: unknown kind of file '{}'", options.curve, curve),
                     "end the name in .csv or .svg");
  if (!options.report.empty() && getExtension(options.report) != ".html")
    throw usageError(
        fmt::format("{}: unknown kind of file '{}'", options.report, getExtension(options.report)),
        "end the name in .html");
}

void readHelpers(const std::string& text, std::optional<std::uint32_t>& helpers) {
  if (text == "auto") {
    helpers.reset();
    return;
  }
  std::uint32_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || value > 1000)
    throw usageError(
        fmt::format("--helpers {}: a whole number up to 1000 or 'auto' is expected", text));
  helpers = value;
}

BakeJson driversJson(const Model& model, const HelperDrivers& drivers, const std::string& file,
                     std::size_t constraints) {
  const auto json = [](const char* what, const HelperDriver& each) {
    BakeJson out{{what, each.driver.name}, {"kind", kindWord(each.driver)}};
    for (const DriverInput& input : getInputs(each.driver))
      out["inputs"].push_back(input.joint);
    const auto* share = std::get_if<ShareDriver>(&each.driver.kind);
    out["share"] = share != nullptr ? BakeJson(share->share) : BakeJson();
    out["on"] = each.driver.on;
    out["free"] = each.free;
    out["driven"] = each.driven;
    return out;
  };
  BakeJson helpers = BakeJson::array(), shapes = BakeJson::array();
  for (const HelperDriver& each : drivers.helpers)
    helpers.push_back(json("helper", each));
  for (const HelperDriver& each : drivers.shapes)
    shapes.push_back(json("shape", each));
  return {{"file", file},
          {"held_out", toJson(model, drivers.error)},
          {"clips", drivers.clips ? toJson(model, *drivers.clips) : BakeJson()},
          {"constraints", constraints},
          {"without_constraint", drivers.helpers.size() - constraints},
          {"helpers", helpers},
          {"shapes", shapes}};
}

std::string driversReport(const Model& model, const HelperDrivers& drivers,
                          std::size_t constraints) {
  Table table{"Drivers of helpers and corrective shapes, held-out poses and clips",
              {{"helper, shape", ""},
               {"kind", ""},
               {"share", "", 3},
               {"largest, free", "%", 4},
               {"driven", "%", 4},
               {"on", ""}},
              {}};
  std::vector<HelperDriver> all = drivers.helpers;
  all.insert(all.end(), drivers.shapes.begin(), drivers.shapes.end());
  for (const HelperDriver& each : all) {
    const auto* share = std::get_if<ShareDriver>(&each.driver.kind);
    table.rows.push_back({each.driver.name, std::string(kindWord(each.driver)),
                          share != nullptr ? Cell(static_cast<double>(share->share)) : Cell(""),
                          100.0 * each.free, 100.0 * each.driven,
                          std::string(each.driver.on ? "yes" : "no: beyond the tolerance")});
  }
  return "\n" + tableText(table) + "\n" + errorText(model, "driven, held out", drivers.error) +
         (drivers.clips ? errorText(model, "driven, clips", *drivers.clips) : "") +
         fmt::format("{} of {} helpers have a VRMC_node_constraint: an engine that knows it moves "
                     "those alone in poses that no clip has\n",
                     constraints, drivers.helpers.size());
}

BakeJson clipsJson(const Model& model, const BakeRun& run) {
  BakeJson out = BakeJson::array();
  for (const BakedClipErrors& clip : run.clipErrors)
    out.push_back({{"clip", clip.name},
                   {"keys", clip.keys},
                   {"at_keys", toJson(model, clip.atKeys)},
                   {"between", toJson(model, clip.between)},
                   {"linear", toJson(model, clip.linear)},
                   {"excess", clip.excess},
                   {"excess_at", clip.excessAt}});
  return out;
}

BakeJson curveJson(const BakeRun& run) {
  BakeJson curve = BakeJson::array();
  for (const BakeStep& step : run.curve)
    curve.push_back({{"helpers", step.helpers},
                     {"morphs", step.morphs},
                     {"joint", step.joint},
                     {"mean", step.error.mean},
                     {"p999", step.error.p999},
                     {"largest", step.error.largest}});
  return curve;
}

// The tolerance is a promise of --helpers auto alone.
ExitCode checkTolerance(const BakeCommandOptions& options, const BakeRun& run) {
  const double tolerance = options.tolerance / 100.0;
  if (options.run.bake.helpers) return ExitCode::done;
  const bool inClips = !run.clips || isWithin(*run.clips, tolerance);
  if (inClips && isWithin(run.heldOut, tolerance)) return ExitCode::done;
  const BakeError& worst = largestError(run);
  BakeError linear = run.linear;
  if (&worst != &run.heldOut) {
    ErrorSum clips;
    for (const BakedClipErrors& clip : run.clipErrors)
      clips.add(clip.linear, clip.keys);
    linear = clips.result();
  }
  fmt::print(
      stderr,
      "sinew: {}: the tolerance of {} % is missed: largest error {:.2f} % in {}, mean {:.3f} "
      "% ({:.2f} and {:.3f} % by linear blending); {}\n",
      options.output, options.tolerance, 100.0 * worst.largest, worst.pose, 100.0 * worst.mean,
      100.0 * linear.largest, 100.0 * linear.mean, counted(run.helpers, "helper"));
  return ExitCode::checkFailed;
}

std::string clipsReport(const BakeRun& run) {
  Table table{"Clips: largest error, of the model's size",
              {{"clip", ""},
               {"keys", "", 0},
               {"at keys", "%", 3},
               {"half way between", "%", 3},
               {"linear", "%", 3}},
              {}};
  for (const BakedClipErrors& clip : run.clipErrors)
    table.rows.push_back({clip.name, static_cast<double>(clip.keys), 100.0 * clip.atKeys.largest,
                          100.0 * clip.between.largest, 100.0 * clip.linear.largest});
  return table.rows.empty() ? "" : "\n" + tableText(table);
}

// What velocities do is in the clips alone.
void checkVelocity(const BakeCommandOptions& options) {
  if (!(options.settings.drag > 0.0f) && !(options.settings.squash > 0.0f)) return;
  const char* reason = nullptr;
  if (options.clip == "none") reason = "clips show it, and --clip none leaves them out";
  if (!options.report.empty()) reason = "--report measures poses, which have no velocity";
  if (!options.driversFile.empty() && options.driversFile != "none")
    reason = "--drivers-file writes drivers, which follow poses";
  if (reason != nullptr)
    throw usageError(fmt::format("--drag and --squash move skin by velocities: {}", reason));
}

ExitCode bakeModel(BakeCommandOptions& options) {
  check(options);
  checkVelocity(options);
  options.settings.clip = "bind";
  const auto start = Clock::now();
  const Workbench workbench = openWorkbench(options.model, options.settings);
  const Model& model = workbench.model;
  BakeOptions& wanted = options.run.bake;
  wanted.poses.clips = parseClips(model, options.clip);
  wanted.tolerance = static_cast<float>(options.tolerance / 100.0);
  options.run.drivers = options.driversFile != "none";
  const BakeRun run = runBake(workbench, options.run);
  if (const std::string worse = worseThanLinear(run, options.tolerance / 100.0); !worse.empty()) {
    fmt::print(stderr,
               "sinew: {}: not written, the bake is worse than linear blending; {}; choose another "
               "method, or more --influences or --helpers\n",
               options.output, worse);
    return ExitCode::checkFailed;
  }
  if (!options.model.quiet)
    for (const std::string& line : run.leftOut)
      fmt::print(stderr, "left out: {}\n", line);
  writeBaked(run, options.output, options.choices);
  const std::string driversFile = options.driversFile.empty()
                                      ? sidecarPath(options.output, kDriversSidecar).string()
                                      : options.driversFile;
  if (run.helperDrivers) writeBakedDrivers(run, options.output, driversFile);
  if (!options.curve.empty()) writeCurve(options.curve, run);
  if (!options.report.empty()) writeFile(options.report, bakeReport(run, options.settings));
  const double seconds = secondsSince(start);
  if (options.model.json) {
    print(toString({{"file", options.output},
                    {"method", workbench.bound.front().method->name},
                    {"vertices", workbench.rig.positions.size()},
                    {"poses", run.poses},
                    {"held_out_poses", run.heldOutPoses},
                    {"helpers", run.helpers},
                    {"morphs", run.morphs},
                    {"influences", wanted.influences},
                    {"held_out", toJson(model, run.heldOut)},
                    {"linear", toJson(model, run.linear)},
                    {"largest", largestError(run).largest},
                    {"clips", run.clips ? toJson(model, *run.clips) : BakeJson()},
                    {"each_clip", clipsJson(model, run)},
                    {"curve", curveJson(run)},
                    {"drivers", run.helperDrivers ? driversJson(model, *run.helperDrivers,
                                                                driversFile, run.constraints)
                                                  : BakeJson()},
                    {"seconds", seconds}}));
    return checkTolerance(options, run);
  }
  std::string text = tableText(bakeCurveTable(run)) + "\n";
  text += errorText(model, "linear, held out", run.linear);
  text += errorText(model, "baked, held out", run.heldOut);
  if (run.clips) text += errorText(model, "baked, clips", *run.clips);
  text += errorText(model, "the larger", largestError(run));
  text += clipsReport(run) + "\n";
  text +=
      fmt::format("{}, {}, {}, {} and {} held out: {:.1f} s\n", counted(run.helpers, "helper"),
                  counted(run.morphs, "corrective shape"), counted(wanted.influences, "influence"),
                  counted(run.poses, "pose"), run.heldOutPoses, seconds);
  if (run.helperDrivers && run.helpers + run.morphs > 0)
    text += driversReport(model, *run.helperDrivers, run.constraints);
  print(text);
  return checkTolerance(options, run);
}

} // namespace

Command bakeCommand() {
  auto options = std::make_shared<BakeCommandOptions>();
  Command command{"bake",
                  "Any skinning method as linear blending with helper joints, for every engine"};
  addModelOptions(command, options->model);
  addSettings(command, options->settings, {"Skinning", "Motion"});
  command.remove("--skin-on");
  command.remove("--influences"); // here it limits the result; the target keeps all
  // The target is what the method makes of clips and layers.
  for (const char* name : {"--pose", "--morph"})
    command.remove(name);
  command.add("-o,--output", &options->output, "the rigged model to write, .glb or .fbx")
      .as(ValueKind::file)
      .required();
  addExportChoices(command, options->choices);
  command
      .add(
          "--helpers",
          [options](const std::string& text) { readHelpers(text, options->run.bake.helpers); },
          "how many helper joints to add at most; auto: until the tolerance is met, with exit code "
          "1 "
          "where it is not [auto]")
      .value("N|auto");
  command.add("--helpers-per-joint", &options->run.bake.perJoint, "at most")
      .range(1, 8)
      .showDefault();
  command.add("--helper-scale", &options->run.bake.scale,
              "helpers may scale too, by one factor in all directions");
  command
      .add("--morphs", &options->run.bake.morphs,
           "the most corrective shapes for the error that helpers leave: morph targets, with their "
           "weights in "
           "every clip and by drivers")
      .range(0, 64)
      .showDefault();
  command.add("--influences", &options->run.bake.influences, "weights per vertex, at most")
      .range(1, kBakeInfluences)
      .showDefault();
  command
      .add(
          "--tolerance", &options->tolerance,
          "largest error of --helpers auto, percent of the model's size; a tenth of it in the mean")
      .range(0.0001, 100.0)
      .showDefault();
  command.add("--clip", &options->clip, "clips to fit and bake: all, none or one").showDefault();
  command.add("--sweep", &options->run.bake.poses.sweep,
              "look at joints bent by up to 135 and twisted by up to 180 degrees, not only as far "
              "as the clips do");
  command.add("--poses", &options->run.bake.poses.limit, "the most poses to fit")
      .range(8, 5000)
      .showDefault();
  command
      .add("--fps", &options->run.framesPerSecond,
           "keys of the helpers, per second at least; those of the joints are kept")
      .range(1.0, 240.0)
      .showDefault();
  command
      .add("--curve", &options->curve, "write the error over the number of helpers, .csv or .svg")
      .as(ValueKind::file);
  command
      .add("--report", &options->report,
           "write the errors, and linear blending, target and result side by side, .html")
      .as(ValueKind::file);
  command
      .add("--drivers-file", &options->driversFile,
           "where to write the drivers of helpers and shapes, or none [F.glb.drivers.json]")
      .value("F.json|none")
      .as(ValueKind::file);
  command.examples = {
      "sinew bake model.fbx --method arc-spline -o model.glb",
      "sinew bake model.glb --method dqs --helpers 6 --report report.html -o baked.glb",
      "sinew bake model.glb --method dqs --helpers 0 --morphs 12 -o baked.glb",
      "sinew bake model.glb --method cor -o baked.fbx"};
  command.notes =

      "Errors are distances from the method's own result in poses that were not fitted, as "
      "percent of\n"
      "the model's size (in --json as shares); docs/bake.md explains the steps.";
  command.run = [options](const Command&) { return bakeModel(*options); };
  return command;
}

} // namespace sinew
