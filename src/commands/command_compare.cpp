#include "app/method_list.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/model_options.h"
#include "commands/output.h"
#include "commands/setting_options.h"
#include "compare/compare_output.h"
#include "compare/compare_report.h"
#include "core/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <memory>
#include <optional>

namespace sinew {
namespace {

namespace fs = std::filesystem;

// --max-... and --min-... of the command line.
struct LimitOption {
  const char* option;
  const char* metric; // Metric::worstKey
  bool loss;          // the limit is on 1 - value
  bool gain;          // on value - 1
  const char* help;
};
constexpr std::array kLimits = {
    LimitOption{"--max-volume-loss", "smallest_volume", true, false,
                "share of its bind volume that a region may lose"},
    LimitOption{"--max-volume-gain", "largest_volume", false, true, "share that it may gain"},
    LimitOption{"--min-cross-section", "smallest_cross_section", false, false,
                "of a slice's radius over that at bind"},
    LimitOption{"--max-stretch", "largest_stretch", false, false,
                "of an edge's length over that at bind"},
    LimitOption{"--max-curvature", "largest_curvature", false, false,
                "degrees between neighbouring triangles"},
    LimitOption{"--max-folded", "largest_folded", false, false,
                "share of a region's edges at which that grows by 60 degrees"},
    LimitOption{"--max-flipped", "largest_flipped", false, false,
                "share of a region's triangles turned over against linear blending"},
    LimitOption{"--max-self-intersections", "most_self_intersections", false, false,
                "pairs of triangles that cross and do not at bind"},
    LimitOption{"--max-distance", "largest_distance", false, false,
                "to linear blending, share of the model's size"},
    LimitOption{"--max-beyond", "largest_beyond", false, false,
                "share of vertices farther than --beyond"},
};

constexpr std::size_t kMaxMethods = 64; // more than anyone reads

struct CompareOptions {
  ModelOptions model;
  Settings settings;
  ComparisonOptions comparison;
  std::string methods = "all";
  std::string sweep;
  JointSweep range;
  std::vector<float> toward;
  std::array<std::optional<double>, kLimits.size()> limits;
  std::vector<std::string> outputs;
  bool csv = false;
  bool everyJoint = false;
  bool noTime = false;
  bool noPictures = false;
  bool noLive = false;
  std::size_t vertices = 0;
};

JointSweep makeSweep(const CompareOptions& options) {
  JointSweep sweep = options.range;
  if (options.sweep == "twist") sweep.rotation = JointRotation::twist;
  if (options.sweep == "both") sweep.rotation = JointRotation::both;
  if (!std::isfinite(sweep.from) || !std::isfinite(sweep.to))
    throw usageError("--from and --to take degrees");
  if (options.toward.empty()) return sweep;
  sweep.bendToward = {options.toward[0], options.toward[1], options.toward[2]};
  if (!(glm::length(sweep.bendToward) > 0.0f)) throw usageError("--toward 0,0,0 is no direction");
  return sweep;
}

std::vector<Limit> makeLimits(const CompareOptions& options) {
  std::vector<Limit> limits;
  for (std::size_t i = 0; i < kLimits.size(); ++i) {
    if (!options.limits[i]) continue;
    const double given = *options.limits[i];
    const double value = kLimits[i].loss ? 1.0 - given : kLimits[i].gain ? 1.0 + given : given;
    limits.push_back(
        {fmt::format("{} {:g}", kLimits[i].option, given), &metricNamed(kLimits[i].metric), value});
  }
  return limits;
}

// The whole file's text by the end of its name.
std::string contentFor(const std::string& output, const CompareOptions& options,
                       const Workbench& workbench, const Comparison& comparison) {
  const std::string extension = getExtension(output);
  if (extension == ".csv") return tableCsv(samplesTable(comparison));
  if (extension == ".json") return toString(toJson(comparison, makeLimits(options)));
  return htmlReport(comparison, workbench, options.settings,
                    {.pictures = !options.noPictures, .live = !options.noLive});
}

void checkOutputs(const CompareOptions& options) {
  if (options.model.json && options.csv) throw usageError("--json and --csv: one of them");
  for (const std::string& output : options.outputs) {
    const std::string extension = getExtension(output);
    if (extension != ".csv" && extension != ".json" && extension != ".html")
      throw usageError(fmt::format("{}: unknown kind of file '{}'", output, extension),
                       "end the name in .csv, .json or .html");
  }
}

ExitCode compare(CompareOptions& options) {
  checkOutputs(options);
  options.comparison.methods = parseMethods(options.methods);
  if (options.comparison.methods.size() > kMaxMethods)
    throw usageError(fmt::format("--method names {} methods; at most {} are compared",
                                 options.comparison.methods.size(), kMaxMethods));
  if (!options.sweep.empty()) options.comparison.sweep = makeSweep(options);
  options.comparison.allClips = options.settings.clip == "all";
  if (options.comparison.allClips) options.settings.clip.clear();
  checkParametersUsed(options.settings, options.comparison.methods, kSetOption);
  const Workbench workbench = openWorkbench(options.model, options.settings, Methods::ownList);
  Comparison comparison = compareMethods(workbench, options.settings, options.comparison);
  comparison.model = options.model.model;
  if (options.noTime)
    comparison.times.clear(); // what a clock says differs from run to run
  else
    timeMethods(comparison, workbench, options.settings, options.vertices);

  for (const std::string& output : options.outputs)
    writeFile(output, contentFor(output, options, workbench, comparison));
  if (options.model.json)
    print(toString(toJson(comparison, makeLimits(options))));
  else if (options.csv)
    print(tableCsv(samplesTable(comparison)));
  else if (options.outputs.empty())
    print(toString(comparison, options.everyJoint));
  const std::vector<std::string> failed = failedLimits(comparison, makeLimits(options));
  for (const std::string& line : failed)
    fmt::print(stderr, "sinew: check failed: {}\n", line);
  return failed.empty() ? ExitCode::done : ExitCode::checkFailed;
}

void addSweepOptions(Command& command, CompareOptions& options) {
  command
      .add("--sweep", &options.sweep,
           "rotate the given --joint over a range instead of playing a clip")
      .allow({"bend", "twist", "both"})
      .in("Sweep");
  command.add("--from", &options.range.from, "degrees").showDefault().in("Sweep");
  command.add("--to", &options.range.to, "degrees").showDefault().in("Sweep");
  command.add("--steps", &options.range.steps, "between them")
      .range(0, 10000)
      .showDefault()
      .in("Sweep");
  command
      .add("--toward", &options.toward,
           "axis of the bend; its component perpendicular to the bone is used [0,0,1]")
      .separatedByCommas()
      .count(3)
      .value("X,Y,Z")
      .in("Sweep");
}

void addLimitOptions(Command& command, CompareOptions& options) {
  for (std::size_t i = 0; i < kLimits.size(); ++i)
    command.add(kLimits[i].option, &options.limits[i], kLimits[i].help).in("Checks");
}

void addOutputOptions(Command& command, CompareOptions& options) {
  command
      .add("-o,--output", &options.outputs,
           "write .csv, .json or .html (a report with pictures and plots) instead of "
           "printing a table; may be repeated")
      .as(ValueKind::file);
  command.add("--csv", &options.csv, "every metric of every sample and joint on stdout");
  command.add("--every-joint", &options.everyJoint, "in the table, not only the worst joints");
  command.add("--no-time", &options.noTime, "do not measure time; needs no graphics");
  command.add("--no-pictures", &options.noPictures, "no pictures in the report; needs no graphics");
  command.add("--no-live", &options.noLive,
              "no view of the worst moments in the report that can be turned: no script in it");
  command
      .add("--vertices", &options.vertices,
           "time a crowd of at least this many vertices [the model alone]")
      .range(1, 100000000);
}

} // namespace

Command compareCommand() {
  auto options = std::make_shared<CompareOptions>();
  Command command{"compare", "Measure every method over a clip, or over a joint's range of motion"};
  addModelOptions(command, options->model);
  command
      .add("--joint", &options->comparison.joints,
           "measure this joint's skin; may be repeated [all joints that bend skin]")
      .count(1);
  command.add("--samples", &options->comparison.samples, "evenly spaced samples of the clip")
      .range(1, 100000)
      .showDefault();
  command
      .add("--beyond", &options->comparison.beyond,
           "count vertices farther from linear blending than this share of the model's "
           "size")
      .range(0.0, 1000.0)
      .showDefault();
  addOutputOptions(command, *options);
  addSweepOptions(command, *options);
  addLimitOptions(command, *options);
  addSettings(command, options->settings, {"Skinning", "Animation"});
  command.remove("--skin-on");
  // Several methods here, where most commands take one; and every clip, or one moment of one.
  for (const char* name :
       {"--method", "--speed", "--playing", "--loop", "--clip", "--ping-pong", "--fade"})
    command.remove(name);
  command
      .add("--method", &options->methods,
           "methods separated by commas, or all; parameters of one behind colons")
      .showDefault()
      .in("Skinning");
  command
      .add("--clip", &options->settings.clip,
           "by name or index; 'all', 'none' for the rest pose, 'bind' for the bind pose "
           "[the first]")
      .in("Animation");
  command.notes =
      "Metrics are relative to the bind pose, over all moments; docs/cli.md defines each. A "
      "method\n"
      "that passes a limit of --max-... or --min-... is one line on stderr and exit code 1.";
  command.examples = {
      "sinew compare model.glb --clip run",
      "sinew compare model.fbx --clip all --method lbs,dqs --csv > metrics.csv",
      "sinew compare model.glb --method lbs,arc-spline,arc-spline:attachments=1",
      "sinew compare model.x --sweep twist --joint Bip01_L_Forearm -o twist.html",
      "sinew compare model.glb --method arc-spline --min-cross-section 0.6 --max-flipped 0.01"};
  command.run = [options](const Command& given) {
    options->comparison.oneTime = given.given("--time");
    return compare(*options);
  };
  return command;
}

} // namespace sinew
