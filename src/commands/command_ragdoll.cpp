#include "animation/clip_keys.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/model_options.h"
#include "commands/output.h"
#include "commands/setting_options.h"
#include "core/error.h"
#include "core/file.h"
#include "export/glb.h"
#include "picture/ragdoll_pictures.h"
#include "ragdoll_run/ragdoll_output.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>

namespace sinew {
namespace {

namespace fs = std::filesystem;

struct RagdollCommandOptions {
  ModelOptions model;
  Settings settings;
  RagdollRunOptions run;
  std::string clip;
  std::string solver = toString(kDefaultSolver);
  std::string config;
  std::string write;
  std::string output;
  std::optional<double> restitution;
  std::optional<double> jointDamping;
  std::optional<double> stepsPerSecond;
  int iterations = 0; // the solver's own
  int starts = 0;
  RagdollPictures pictures;
};

JointSolver parseSolver(const std::string& name) {
  std::vector<std::string> names;
  for (const JointSolver solver : kJointSolvers) {
    if (name == toString(solver)) return solver;
    names.emplace_back(toString(solver));
  }
  throw unknownName("solver", name, names);
}

RagdollFile open(const RagdollCommandOptions& options, const Workbench& workbench) {
  RagdollFile file = openRagdoll(workbench.model, workbench.rig, options.model.model,
                                 options.config, options.write);
  if (options.model.quiet) return file;
  if (!file.warning.empty()) fmt::print(stderr, "warning: {}\n", file.warning);
  if (!file.path.empty())
    fmt::print(stderr, "ragdoll: {} {}\n", file.fitted ? "written to" : "from", file.path);
  return file;
}

// Changes the settings by the options, for this run; the file stays.
void overrideConfig(const RagdollCommandOptions& options, RagdollConfig& config) {
  if (options.jointDamping) config.jointDamping = static_cast<float>(*options.jointDamping);
  if (options.restitution)
    for (RagdollBody& body : config.bodies)
      body.restitution = static_cast<float>(*options.restitution);
}

// Many starts; exit code 1 where one does not hold what a ragdoll has to.
ExitCode study(const RagdollCommandOptions& options, const Workbench& workbench,
               const RagdollFile& file) {
  std::vector<RagdollTrial> trials;
  RagdollRunOptions run = options.run;
  for (int i = 0; i < options.starts; ++i) {
    run.seed = std::max<std::uint64_t>(options.run.seed, 1) + static_cast<std::uint64_t>(i);
    RagdollTrial trial{run.seed, runRagdoll(workbench.model, file.config, run), {}};
    trial.broken = brokenLimits(trial.run, run, {});
    trials.push_back(std::move(trial));
  }
  print(options.model.json ? toString(studyJson(trials)) : studyTable(trials));
  const auto broken = [](const RagdollTrial& trial) { return !trial.broken.empty(); };
  return std::any_of(trials.begin(), trials.end(), broken) ? ExitCode::checkFailed : ExitCode::done;
}

void writeRecording(const RagdollCommandOptions& options, Workbench workbench,
                    const RagdollRun& run) {
  const fs::path output(options.output);
  if (getExtension(output) != ".glb")
    return renderRagdoll(std::move(workbench), options.settings, run, options.run, options.pictures,
                         output);
  Model& model = workbench.model;
  model.clips = {recordClip(model, "ragdoll", run.recording, kRecordedPerSecond)};
  writeFile(output, toGlb(inMetres(model)));
}

// Before the work begins.
void checkOutput(const std::string& output) {
  const std::string extension = getExtension(output);
  const std::vector<std::string> known{"", ".glb", ".png", ".mp4", ".gif"};
  if (std::find(known.begin(), known.end(), extension) == known.end())
    throw usageError(
        fmt::format("{}: a ragdoll is written as .glb, .png, .mp4, .gif or a folder", output));
}

ExitCode runCommand(RagdollCommandOptions& options) {
  options.run.physics = physicsWith(parseSolver(options.solver));
  if (options.stepsPerSecond) options.run.physics.stepsPerSecond = *options.stepsPerSecond;
  if (options.iterations > 0) options.run.physics.iterations = options.iterations;
  checkOutput(options.output);
  if (options.starts > 0 && !options.output.empty())
    throw usageError("--starts writes no file", "give one start by --seed to write it by -o");
  Workbench workbench = openWorkbench(options.model, options.settings);
  if (!options.clip.empty()) options.run.clip = findClip(workbench.model, options.clip);
  RagdollFile file = open(options, workbench);
  overrideConfig(options, file.config);
  if (options.starts > 0) return study(options, workbench, file);
  options.run.record = !options.output.empty();
  const RagdollRun run = runRagdoll(workbench.model, file.config, options.run);
  if (!options.output.empty()) writeRecording(options, std::move(workbench), run);
  print(options.model.json ? toString(ragdollJson(file.config, run, options.run))
                           : ragdollTable(file.config, run, options.run));
  return ExitCode::done;
}

void addOptions(Command& command, RagdollCommandOptions& options) {
  RagdollRunOptions& run = options.run;
  command.add("--seconds", &run.seconds, "simulated seconds").range(0.0, 3600.0).showDefault();
  command.add("--from-clip", &options.clip,
              "the clip before the switch, by name or index [the rest pose]");
  command.add("--time", &run.time, "seconds into that clip").showDefault();
  command
      .add("--config", &options.config,
           "the ragdoll's bodies and joints [MODEL.ragdoll.json where it is there]")
      .as(ValueKind::file);
  command
      .add("--write", &options.write,
           "where to write a fitted ragdoll; none: do not write it [MODEL.ragdoll.json]")
      .as(ValueKind::file);
  command.add("--solver", &options.solver, "of the joints: bullet, severity or reduced")
      .showDefault();
  command.add("--seed", &run.seed,
              "if not 0: a random toss and, without --from-clip, a random clip and time");
  command
      .add("--starts", &options.starts,
           "run this many seeded starts and check each; exit code 1 if a check fails")
      .range(0, 100000);
  command.add("--ball", &run.ball, "throw a ball at it half a second after the switch");
  command.add("--walls", &run.walls, "four walls around it");
  command.add("--partial", &run.start.partial,
              "a bone: it and its descendants fall, the rest continues with the clip");
  command
      .add("--motor-strength", &run.start.motorStrength,
           "strength of the drives towards the clip's pose; 1 holds limbs up")
      .range(0.0, 10.0);
  command
      .add("--restitution", &options.restitution,
           "of all bodies: fraction of its speed with which one leaves the ground [the file's]")
      .range(0.0, 1.0);
  command
      .add("--joint-damping", &options.jointDamping,
           "fraction of the relative spin of joined bodies lost in a second [the file's]")
      .range(0.0, 1.0);
  command.add("--back", &run.back, "cross-fade back to the clip over the last seconds")
      .range(0.0, 3600.0);
  command.add("--lead", &run.lead, "seconds of the clip before the switch, in the output")
      .range(0.0, 3600.0);
  command
      .add("--steps-per-second", &options.stepsPerSecond,
           "of the simulation [240; 480 for bullet and severity]")
      .range(30.0, 10000.0);
  command
      .add("--iterations", &options.iterations,
           "of the solver, a step [30; 100 for bullet and severity]")
      .range(1, 1000);
  command
      .add("-o,--output", &options.output,
           "the model with the motion as its clip (.glb), a strip of moments (.png), "
           "a film (.mp4, .gif) or a folder of pictures")
      .as(ValueKind::file);
  command.add("--moments", &options.pictures.moments, "pictures of a strip")
      .range(2, 100)
      .showDefault();
  command.add("--fps", &options.pictures.fps, "pictures a second of a film or folder")
      .range(0.1, 60.0)
      .showDefault();
  addSize(command, options.pictures.size);
  addShow(command, options.settings);
  addCamera(command, options.settings);
  addSettings(command, options.settings, {"Skinning", "Show", "Light", "Picture", "Camera"});
}

} // namespace

Command ragdollCommand() {
  auto options = std::make_shared<RagdollCommandOptions>();
  Command command{"ragdoll", "Let a character fall, without a window, and measure it"};
  addModelOptions(command, options->model);
  // A fall begins in a clip or the rest pose, and layers end where it begins.
  for (const char* name : {"--pose", "--layers", "--morph"})
    command.remove(name);
  addOptions(command, *options);
  command.examples = {"sinew ragdoll model.glb --from-clip run --time 0.4 -o fallen.glb",
                      "sinew ragdoll demo:humanoid --partial RightUpperArm --from-clip walk --json",
                      "sinew ragdoll model.fbx --from-clip walk --lead 0.5 --seconds 3 -o fall.png",
                      "sinew ragdoll model.glb --starts 100 --seconds 20 --solver severity"};
  command.run = [options](const Command&) {
    options->settings.clip = "none";
    return runCommand(*options);
  };
  return command;
}

} // namespace sinew
