#include "ragdoll_run/ragdoll_output.h"

#include <fmt/format.h>
#include <glm/trigonometric.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

std::string toHex(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

Json writeRest(const RagdollRun& run) {
  return run.restAfter ? Json(*run.restAfter) : Json();
}

Json switchJson(const RagdollSwitch& s) {
  return {{"animation_energy", s.animationEnergy}, {"jointed_energy", s.jointedEnergy},
          {"speed_scale", s.speedScale},           {"bodies_energy", s.bodiesEnergy},
          {"energy_error", energyError(s)},        {"moved", s.moved},
          {"turned", glm::degrees(s.turned)},      {"lifted", s.lifted}};
}

Json jointsJson(const RagdollConfig& config, const RagdollRun& run) {
  Json joints = Json::array();
  for (std::size_t j = 0; j < config.joints.size(); ++j) {
    const RagdollJoint& joint = config.joints[j];
    const JointErrors& errors = run.end.joints[j].errors;
    const bool hinge = joint.type == RagdollJointType::hinge;
    joints.push_back({{"child", joint.child},
                      {"parent", joint.parent},
                      {"type", hinge ? "hinge" : "universal"},
                      {"severity", run.severity[j]},
                      {"worst_severity", run.worstSeverity[j]},
                      {"position_error", errors.position},
                      {"sideways_error", glm::degrees(errors.sideways)},
                      {"orientation_error", glm::degrees(errors.orientation)},
                      {"bend_error", glm::degrees(errors.bend)}});
  }
  return joints;
}

} // namespace

Json ragdollJson(const RagdollConfig& config, const RagdollRun& run,
                 const RagdollRunOptions& options) {
  return {{"solver", toString(options.physics.solver)},
          {"clip", run.clip.empty() ? Json() : Json(run.clip)},
          {"time", run.time},
          {"seed", options.seed},
          {"seconds", options.seconds},
          {"steps", run.steps},
          {"steps_per_second", options.physics.stepsPerSecond},
          {"bodies", config.bodies.size()},
          {"height", run.height},
          {"switch", switchJson(run.switched)},
          {"anchor_percent", {{"max", run.anchorPercent}, {"mean", run.meanAnchorPercent}}},
          {"limit_degrees", {{"max", run.limitDegrees}, {"mean", run.meanLimitDegrees}}},
          {"through_percent", run.throughPercent},
          {"center_percent", run.centerPercent},
          {"raised_percent", run.raisedPercent},
          {"energy",
           {{"first", run.firstEnergy},
            {"largest", run.largestEnergy},
            {"kinetic", run.end.kinetic},
            {"potential", run.end.potential}}},
          {"finite", run.finite},
          {"at_rest", run.restAfter.has_value()},
          {"rest_after", writeRest(run)},
          {"joints", jointsJson(config, run)},
          {"ms_per_step", run.msPerStep},
          {"hash", toHex(run.hash)}};
}

std::string ragdollTable(const RagdollConfig& config, const RagdollRun& run,
                         const RagdollRunOptions& options) {
  std::string out = fmt::format(
      "{} bodies, {} steps of 1/{} s, solver {}, {:.3f} ms a step\n"
      "from {} at {:.3f} s: {:.3f} J animated, {:.3f} J in the bodies; moved {:.4f} m, turned "
      "{:.1f} degrees, lifted {:.3f} m\n",
      config.bodies.size(), run.steps, options.physics.stepsPerSecond,
      toString(options.physics.solver), run.msPerStep,
      run.clip.empty() ? "the rest pose" : run.clip, run.time, run.switched.animationEnergy,
      run.switched.bodiesEnergy, run.switched.moved, glm::degrees(run.switched.turned),
      run.switched.lifted);
  out += fmt::format("anchors apart  {:>8.3f} % of the height at most, {:.4f} in the mean ({})\n",
                     run.anchorPercent, run.meanAnchorPercent, run.anchorJoint);
  out += fmt::format("limits passed  {:>8.3f} degrees at most, {:.4f} in the mean ({})\n",
                     run.limitDegrees, run.meanLimitDegrees, run.limitJoint);
  out += fmt::format("through ground {:>8.3f} % of the height at most\n", run.throughPercent);
  out += fmt::format("centre of mass {:>8.1f} % of the height above the ground at the end\n",
                     run.centerPercent);
  out += fmt::format("bodies raised  {:>8.1f} % in the mean, their lowest points\n",
                     run.raisedPercent);
  out +=
      run.restAfter ? fmt::format("at rest after  {:>8.2f} s\n", *run.restAfter) : "not at rest\n";
  out += fmt::format("hash {}\n\n{:<24} {:<24} {:<10} {:>12} {:>12}\n", toHex(run.hash), "joint",
                     "on", "type", "severity m", "worst m");
  for (std::size_t j = 0; j < config.joints.size(); ++j) {
    const RagdollJoint& joint = config.joints[j];
    out += fmt::format("{:<24} {:<24} {:<10} {:>12.6f} {:>12.6f}\n", joint.child, joint.parent,
                       joint.type == RagdollJointType::hinge ? "hinge" : "universal",
                       run.severity[j], run.worstSeverity[j]);
  }
  return out;
}

Json studyJson(std::span<const RagdollTrial> trials) {
  Json list = Json::array();
  RagdollRun worst;
  double energy = 0.0;
  double rest = 0.0;
  double ms = 0.0;
  std::size_t resting = 0;
  std::size_t passed = 0;
  bool finite = true;
  for (const RagdollTrial& trial : trials) {
    const RagdollRun& run = trial.run;
    worst.anchorPercent = std::max(worst.anchorPercent, run.anchorPercent);
    worst.limitDegrees = std::max(worst.limitDegrees, run.limitDegrees);
    worst.throughPercent = std::max(worst.throughPercent, run.throughPercent);
    energy = std::max(energy, energyError(run.switched));
    rest = std::max(rest, run.restAfter.value_or(0.0));
    resting += run.restAfter ? 1 : 0;
    passed += trial.broken.empty() ? 1 : 0;
    finite = finite && run.finite;
    ms += run.msPerStep / static_cast<double>(trials.size());
    list.push_back({{"seed", trial.seed},
                    {"clip", run.clip},
                    {"time", run.time},
                    {"anchor_percent", run.anchorPercent},
                    {"anchor_joint", run.anchorJoint},
                    {"limit_degrees", run.limitDegrees},
                    {"limit_joint", run.limitJoint},
                    {"through_percent", run.throughPercent},
                    {"energy_error", energyError(run.switched)},
                    {"animation_energy", run.switched.animationEnergy},
                    {"speed_scale", run.switched.speedScale},
                    {"turned", glm::degrees(run.switched.turned)},
                    {"moved", run.switched.moved},
                    {"rest_after", writeRest(run)},
                    {"center_percent", run.centerPercent},
                    {"raised_percent", run.raisedPercent},
                    {"hash", toHex(run.hash)},
                    {"broken", trial.broken}});
  }
  return {{"starts", trials.size()},
          {"passed", passed},
          {"worst",
           {{"anchor_percent", worst.anchorPercent},
            {"limit_degrees", worst.limitDegrees},
            {"through_percent", worst.throughPercent},
            {"energy_error", energy},
            {"rest_after", rest}}},
          {"at_rest", resting},
          {"finite", finite},
          {"ms_per_step", ms},
          {"trials", list}};
}

std::string studyTable(std::span<const RagdollTrial> trials) {
  const Json json = studyJson(trials);
  const Json& worst = json["worst"];
  std::string out = fmt::format(
      "{} of {} starts hold; worst: anchors {:.3f} %, limits {:.2f} degrees, through the ground "
      "{:.3f} %, energy {:.2f} % off; at rest {} (the last after {:.1f} s); {:.3f} ms a step\n",
      json["passed"].get<std::size_t>(), trials.size(), worst["anchor_percent"].get<double>(),
      worst["limit_degrees"].get<double>(), worst["through_percent"].get<double>(),
      100.0 * worst["energy_error"].get<double>(), json["at_rest"].get<std::size_t>(),
      worst["rest_after"].get<double>(), json["ms_per_step"].get<double>());
  for (const RagdollTrial& trial : trials)
    for (const std::string& broken : trial.broken)
      out += fmt::format("seed {} ({} at {:.3f} s): {}\n", trial.seed,
                         trial.run.clip.empty() ? "rest pose" : trial.run.clip, trial.run.time,
                         broken);
  return out;
}

} // namespace sinew
