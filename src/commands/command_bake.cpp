#include "app/bind_options.h"
#include "bake/bake_run.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/model_options.h"
#include "commands/open_workbench.h"
#include "commands/output.h"
#include "commands/setting_options.h"
#include "compare/bake_report.h"
#include "core/error.h"
#include "core/file.h"
#include "core/stopwatch.h"

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
  double tolerance = 0.5; // percent
};

BakeJson errorJson(const Model& model, const BakeError& error) {
  return {{"mean", error.mean},
          {"p999", error.p999},
          {"largest", error.largest},
          {"vertex", error.vertex},
          {"joint", model.hierarchy.nodes[error.node].name},
          {"pose", error.pose}};
}

std::string errorText(const Model& model, const char* name, const BakeError& error) {
  return fmt::format(
      "{:<18} mean {:.4f} %, 99.9 % {:.4f} %, largest {:.4f} % (vertex {} at {}, {})\n", name,
      100.0 * error.mean, 100.0 * error.p999, 100.0 * error.largest, error.vertex,
      model.hierarchy.nodes[error.node].name, error.pose);
}

std::vector<std::uint32_t> clipsOf(const Model& model, const std::string& word) {
  if (word == "none") return {};
  if (word != "all") return {findClip(model, word)};
  std::vector<std::uint32_t> out(model.clips.size());
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

void writeCurve(const std::string& path, const BakeRun& run) {
  if (extensionOf(path) == ".csv")
    writeFile(path, tableCsv(bakeCurveTable(run)));
  else
    writeFile(path, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
                        plotSvg(bakeCurvePlot(run), 720, 440));
}

void check(const BakeCommandOptions& options) {
  if (extensionOf(options.output) != ".glb")
    throw usageError(
        fmt::format("{}: unknown kind of file '{}'", options.output, extensionOf(options.output)),
        "end the name in .glb");
  const std::string& drivers = options.driversFile;
  if (!drivers.empty() && drivers != "none" && extensionOf(drivers) != ".json")
    throw usageError(fmt::format("--drivers-file '{}': expected FILE.json or none", drivers));
  const std::string curve = extensionOf(options.curve);
  if (!options.curve.empty() && curve != ".csv" && curve != ".svg")
    throw usageError(fmt::format("{}: unknown kind of file '{}'", options.curve, curve),
                     "end the name in .csv or .svg");
  if (!options.report.empty() && extensionOf(options.report) != ".html")
    throw usageError(
        fmt::format("{}: unknown kind of file '{}'", options.report, extensionOf(options.report)),
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
    for (const DriverInput& input : inputsOf(each.driver))
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
          {"held_out", errorJson(model, drivers.error)},
          {"constraints", constraints},
          {"helpers", helpers},
          {"shapes", shapes}};
}

std::string driversReport(const Model& model, const HelperDrivers& drivers,
                          std::size_t constraints) {
  Table table{"Drivers of helpers and corrective shapes, held-out poses",
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
         fmt::format("{} of {} helpers as VRMC_node_constraint\n", constraints,
                     drivers.helpers.size());
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

ExitCode bakeModel(BakeCommandOptions& options) {
  check(options);
  options.settings.clip = "bind";
  const auto start = Clock::now();
  const Workbench bench = openWorkbench(options.model, options.settings);
  const Model& model = bench.model;
  BakeOptions& wanted = options.run.bake;
  wanted.poses.clips = clipsOf(model, options.clip);
  wanted.tolerance = static_cast<float>(options.tolerance / 100.0);
  options.run.drivers = options.driversFile != "none";
  const BakeRun run = runBake(bench, options.run);
  writeFile(options.output, run.glb);
  const std::string driversFile =
      options.driversFile.empty() ? driversPath(options.output).string() : options.driversFile;
  if (run.helperDrivers) writeFile(driversFile, run.drivers);
  if (!options.curve.empty()) writeCurve(options.curve, run);
  if (!options.report.empty()) writeFile(options.report, bakeReport(run, options.settings));
  const double seconds = secondsSince(start);
  if (options.model.json) {
    print(textOf({{"file", options.output},
                  {"method", bench.bound.front().method->name},
                  {"vertices", bench.rig.positions.size()},
                  {"poses", run.poses},
                  {"held_out_poses", run.heldOutPoses},
                  {"helpers", run.helpers},
                  {"morphs", run.morphs},
                  {"influences", wanted.influences},
                  {"held_out", errorJson(model, run.heldOut)},
                  {"linear", errorJson(model, run.linear)},
                  {"clips", run.clips ? errorJson(model, *run.clips) : BakeJson()},
                  {"curve", curveJson(run)},
                  {"drivers", run.helperDrivers ? driversJson(model, *run.helperDrivers,
                                                              driversFile, run.constraints)
                                                : BakeJson()},
                  {"seconds", seconds}}));
    return ExitCode::done;
  }
  std::string text = tableText(bakeCurveTable(run)) + "\n";
  text += errorText(model, "linear, held out", run.linear);
  text += errorText(model, "baked, held out", run.heldOut);
  if (run.clips) text += errorText(model, "baked, clips", *run.clips);
  text += fmt::format(
      "{} helpers, {} corrective shapes, {} influences, {} poses and {} held out: {:.1f} s\n",
      run.helpers, run.morphs, wanted.influences, run.poses, run.heldOutPoses, seconds);
  if (run.helperDrivers && run.helpers + run.morphs > 0)
    text += driversReport(model, *run.helperDrivers, run.constraints);
  print(text);
  return ExitCode::done;
}

} // namespace

Command bakeCommand() {
  auto options = std::make_shared<BakeCommandOptions>();
  Command command{"bake",
                  "Any skinning method as linear blending with helper joints, for every engine"};
  addModelOptions(command, options->model);
  addSettings(command, options->settings, {"Skinning"});
  command.remove("--skin-on");
  command.remove("--influences"); // of the result here: the target keeps what is there
  // The target is what the method makes of clips and layers.
  for (const char* name : {"--pose", "--morph"})
    command.remove(name);
  command.add("-o,--output", &options->output, "the rigged model to write, .glb")
      .as(ValueKind::file)
      .required();
  command
      .add(
          "--helpers",
          [options](const std::string& text) { readHelpers(text, options->run.bake.helpers); },
          "how many helper joints to add at most; auto: until the tolerance is met [auto]")
      .value("N|auto");
  command.add("--helpers-per-joint", &options->run.bake.perJoint, "at most")
      .range(1, 8)
      .showDefault();
  command.add("--helper-scale", &options->run.bake.scale,
              "helpers may scale too, by one factor in all directions");
  command
      .add("--morphs", &options->run.bake.morphs,
           "corrective shapes of what helpers leave, at most: morph targets, with their weights in "
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
  command.add("--clip", &options->clip, "clips that are looked at and baked: all, none or one")
      .showDefault();
  command.add("--sweep", &options->run.bake.poses.sweep,
              "look at joints bent by up to 135 and twisted by up to 180 degrees, not only as far "
              "as the clips do");
  command.add("--poses", &options->run.bake.poses.limit, "at most so many are looked at")
      .range(8, 5000)
      .showDefault();
  command.add("--fps", &options->run.framesPerSecond, "keys of the helpers, per second")
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
           "where to write what moves helpers and shapes in any pose, or none [F.glb.drivers.json]")
      .value("F.json|none")
      .as(ValueKind::file);
  command.examples = {
      "sinew bake model.fbx --method arc-spline -o model.glb",
      "sinew bake model.glb --method dqs --helpers 6 --report report.html -o baked.glb",
      "sinew bake model.glb --method dqs --helpers 0 --morphs 12 -o baked.glb"};
  command.notes =

      "Errors are distances from the method's own result in poses that were not fitted, as "
      "percent of\n"
      "the model's size (in --json as shares); docs/bake.md tells how it is done.";
  command.run = [options](const Command&) { return bakeModel(*options); };
  return command;
}

} // namespace sinew
