#include "bench/ragdoll_bench.h"

#include "core/stopwatch.h"
#include "physics/ragdoll.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace sinew {
namespace {

double stepsPerSecond(const RagdollBenchResult& result) {
  return physicsWith(result.solver).stepsPerSecond;
}

RagdollBenchResult benchOne(const Model& model, const RagdollConfig& config, JointSolver solver,
                            std::size_t threads, int count, double seconds) {
  PhysicsOptions options = physicsWith(solver);
  options.threads = threads;
  PhysicsWorld world(options);
  std::vector<std::unique_ptr<Ragdoll>> ragdolls;
  const Pose rest = restPose(model.hierarchy);
  const int side = static_cast<int>(std::ceil(std::sqrt(count)));
  for (int i = 0; i < count; ++i) {
    // Far enough apart to fall without touching; each a little higher, so that no two are alike.
    const double apart = 2.0 * static_cast<double>(config.metres);
    const int row = i / side;
    const glm::dvec3 at(apart * (i % side), 0.3 + 0.01 * (i % 7), apart * row);
    ragdolls.push_back(
        std::make_unique<Ragdoll>(world, model, config, RagdollPlacement{glm::dvec3(0.0), at}));
    ragdolls.back()->start(rest, rest, world.stepSeconds());
  }
  std::vector<double> times;
  const auto steps = static_cast<int>(std::lround(seconds / world.stepSeconds()));
  for (int i = 0; i < steps; ++i) {
    const auto start = Clock::now();
    world.step();
    times.push_back(millisecondsSince(start));
  }
  std::sort(times.begin(), times.end());
  const int rounds = std::max(200 / count, 1); // one pose alone would be a measure of cold caches
  const auto start = Clock::now();
  for (int i = 0; i < rounds; ++i)
    for (const auto& ragdoll : ragdolls)
      ragdoll->pose();
  return {solver,
          threads,
          count,
          static_cast<std::size_t>(count) * config.bodies.size(),
          times.front(),
          times[times.size() / 2],
          times[times.size() * 95 / 100],
          millisecondsSince(start) / (rounds * count)};
}

} // namespace

std::vector<RagdollBenchResult> benchRagdolls(const Model& model, const RagdollConfig& config,
                                              std::span<const int> counts, double seconds) {
  std::vector<RagdollBenchResult> results;
  for (const int count : counts)
    for (const JointSolver solver : kJointSolvers)
      for (const std::size_t threads : {1u, 2u})
        if (threads == 1 || (count > 1 && solver == JointSolver::reduced))
          results.push_back(benchOne(model, config, solver, threads, count, seconds));
  return results;
}

std::string ragdollBenchTable(std::span<const RagdollBenchResult> results) {
  std::string out =
      fmt::format("{:>9} {:>8} {:<10} {:>7} {:>8} {:>9} {:>9} {:>10} {:>12} {:>14} {:>12}\n",
                  "ragdolls", "bodies", "solver", "threads", "steps/s", "ms a step", "min", "p95",
                  "ms a second", "us a ragdoll", "us a pose");
  for (const RagdollBenchResult& r : results)
    out += fmt::format("{:>9} {:>8} {:<10} {:>7} {:>8} {:>9.3f} {:>9.3f} {:>10.3f} {:>12.0f} "
                       "{:>14.1f} {:>12.1f}\n",
                       r.ragdolls, r.bodies, toString(r.solver), r.threads, stepsPerSecond(r),
                       r.msMedian, r.msMin, r.msP95, stepsPerSecond(r) * r.msMedian,
                       1000.0 * r.msMedian / r.ragdolls, 1000.0 * r.msPose);
  return out;
}

nlohmann::ordered_json ragdollBenchJson(std::span<const RagdollBenchResult> results) {
  auto list = nlohmann::ordered_json::array();
  for (const RagdollBenchResult& r : results)
    list.push_back({{"solver", toString(r.solver)},
                    {"threads", r.threads},
                    {"ragdolls", r.ragdolls},
                    {"bodies", r.bodies},
                    {"steps_per_second", stepsPerSecond(r)},
                    {"ms_median", r.msMedian},
                    {"ms_min", r.msMin},
                    {"ms_p95", r.msP95},
                    {"pose_ms", r.msPose}});
  return {{"results", list}};
}

} // namespace sinew
