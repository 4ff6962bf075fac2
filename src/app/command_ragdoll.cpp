#include "animation/clip_of_poses.h"
#include "app/commands.h"
#include "app/ragdoll_output.h"
#include "app/ragdoll_pictures.h"
#include "core/file.h"
#include "export/glb.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace sinew {
namespace {

namespace fs = std::filesystem;

struct CommandOptions {
  ModelOptions model;
  Settings settings;
  RagdollRunOptions run;
  std::string clip;
  std::string solver = "bullet";
  std::string config;
  std::string write;
  std::string output;
  int starts = 0;
  RagdollPictures pictures;
};

JointSolver solverOf(const std::string& name) {
  if (name == "bullet") return JointSolver::bullet;
  if (name == "severity") return JointSolver::severity;
  throw unknownName("solver", name, std::vector<std::string>{"bullet", "severity"});
}

RagdollFile open(const CommandOptions& options, const Workbench& bench) {
  RagdollFile file =
      openRagdoll(bench.model, bench.rig, options.model.model, options.config, options.write);
  if (options.model.quiet) return file;
  if (!file.warning.empty()) fmt::print(stderr, "warning: {}\n", file.warning);
  if (!file.path.empty())
    fmt::print(stderr, "ragdoll: {} {}\n", file.fitted ? "written to" : "from", file.path);
  return file;
}

// Many starts; exit code 1 where one does not hold what a ragdoll has to.
ExitCode study(const CommandOptions& options, const Workbench& bench, const RagdollFile& file) {
  std::vector<RagdollTrial> trials;
  RagdollRunOptions run = options.run;
  for (int i = 0; i < options.starts; ++i) {
    run.seed = std::max<std::uint64_t>(options.run.seed, 1) + static_cast<std::uint64_t>(i);
    RagdollTrial trial{run.seed, runRagdoll(bench.model, file.config, run), {}};
    trial.broken = brokenLimits(trial.run, run, {});
    trials.push_back(std::move(trial));
  }
  print(options.model.json ? textOf(studyJson(trials)) : studyTable(trials));
  const auto broken = [](const RagdollTrial& trial) { return !trial.broken.empty(); };
  return std::any_of(trials.begin(), trials.end(), broken) ? ExitCode::checkFailed : ExitCode::done;
}

void writeRecording(const CommandOptions& options, Workbench bench, const RagdollRun& run) {
  const fs::path output(options.output);
  if (output.extension() != ".glb")
    return paintRagdoll(std::move(bench), options.settings, run, options.run, options.pictures,
                        output);
  Model& model = bench.model;
  model.clips = {clipOfPoses(model.hierarchy, "ragdoll", run.recording, kRecordedPerSecond)};
  writeFile(output, glbOf(model));
}

// Before the work begins.
void checkOutput(const std::string& output) {
  const std::string extension = fs::path(output).extension().string();
  const std::vector<std::string> known{"", ".glb", ".png", ".mp4", ".gif"};
  if (std::find(known.begin(), known.end(), extension) == known.end())
    throw usageError(
        fmt::format("{}: a ragdoll is written as .glb, .png, .mp4, .gif or a folder", output));
}

ExitCode runCommand(CommandOptions& options) {
  options.run.physics.solver = solverOf(options.solver);
  checkOutput(options.output);
  Workbench bench = openWorkbench(options.model, options.settings);
  if (!options.clip.empty()) options.run.clip = findClip(bench.model, options.clip);
  const RagdollFile file = open(options, bench);
  if (options.starts > 0) return study(options, bench, file);
  options.run.record = !options.output.empty();
  const RagdollRun run = runRagdoll(bench.model, file.config, options.run);
  if (!options.output.empty()) writeRecording(options, std::move(bench), run);
  print(options.model.json ? textOf(ragdollJson(file.config, run, options.run))
                           : ragdollTable(file.config, run, options.run));
  return ExitCode::done;
}

void addOptions(CLI::App& command, CommandOptions& options) {
  RagdollRunOptions& run = options.run;
  command.add_option("--seconds", run.seconds, "how long it is simulated")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
  command.add_option("--from-clip", options.clip,
                     "the clip it falls out of, by name or index [the rest pose]");
  command.add_option("--time", run.time, "seconds into that clip")->capture_default_str();
  command.add_option("--config", options.config,
                     "the ragdoll's bodies and joints [MODEL.ragdoll.json where it is there]");
  command.add_option("--write", options.write,
                     "where a fitted ragdoll is written; none: nowhere [MODEL.ragdoll.json]");
  command.add_option("--solver", options.solver, "of the joints: bullet or severity")
      ->capture_default_str();
  command.add_option("--seed", run.seed,
                     "not 0: a toss by chance, and without --from-clip a clip and moment");
  command
      .add_option("--starts", options.starts,
                  "as many seeded starts and what they hold; exit code 1 where one does not")
      ->check(CLI::Range(0, 100000));
  command.add_flag("--ball", run.ball, "throw a ball at it half a second after the switch");
  command.add_flag("--walls", run.walls, "four walls around it");
  command.add_option("--partial", run.start.partial,
                     "a bone: it and what hangs on it falls, the rest goes on with the clip");
  command
      .add_option("--powered", run.start.powered,
                  "strength of the drives towards the clip's pose; 1 holds limbs up")
      ->check(CLI::Range(0.0, 10.0));
  command.add_option("--back", run.back, "cross-fade back to the clip over the last seconds")
      ->check(CLI::Range(0.0, 3600.0));
  command.add_option("--lead", run.lead, "seconds of the clip before the switch, in the output")
      ->check(CLI::Range(0.0, 3600.0));
  command.add_option("--steps-per-second", run.physics.stepsPerSecond, "of the simulation")
      ->check(CLI::Range(30.0, 10000.0))
      ->capture_default_str();
  command.add_option("--iterations", run.physics.iterations, "of Bullet's solver, a step")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_option("-o,--output", options.output,
                     "the model with the movement as its clip (.glb), a strip of moments (.png), "
                     "a film (.mp4, .gif) or a folder of pictures");
  command.add_option("--moments", options.pictures.moments, "pictures of a strip")
      ->check(CLI::Range(2, 100))
      ->capture_default_str();
  command.add_option("--fps", options.pictures.fps, "pictures a second of a film or folder")
      ->check(CLI::Range(0.1, 60.0))
      ->capture_default_str();
  addSize(command, options.pictures.size);
  addShow(command, options.settings);
  addCamera(command, options.settings);
  addSettings(command, options.settings, {"Skinning", "Show", "Light", "Camera"});
}

} // namespace

void addRagdollCommand(CommandLine& line) {
  auto options = std::make_shared<CommandOptions>();
  CLI::App* command =
      line.app.add_subcommand("ragdoll", "Let a character fall, without a window, and measure it");
  addModelOptions(*command, options->model);
  addOptions(*command, *options);
  command->footer("Examples:\n"
                  "  sinew ragdoll model.glb --from-clip run --time 0.4 -o fallen.glb\n"
                  "  sinew ragdoll demo:humanoid --partial RightUpperArm --from-clip walk --json\n"
                  "  sinew ragdoll model.fbx --from-clip walk --lead 0.5 --seconds 3 -o fall.png\n"
                  "  sinew ragdoll model.glb --starts 100 --seconds 20 --solver severity");
  command->callback([options, &line] {
    line.run = [options] {
      options->settings.clip = "none";
      return runCommand(*options);
    };
  });
}

} // namespace sinew
