#include "animation/random_model.h"
#include "demo/demo.h"
#include "rig/joint_rates.h"
#include "rig/joint_weights.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

constexpr double kPartOfEdge = 1e-4; // part of the way

std::vector<Influence> partOfTheWay(std::span<const Influence> from, std::span<const Influence> to,
                                    double t) {
  std::vector<Influence> out;
  const auto add = [&](const Influence& each, double part) {
    const auto at = std::ranges::find(out, each.joint, &Influence::joint);
    const auto weight = static_cast<float>(part * static_cast<double>(each.weight));
    if (at != out.end())
      at->weight += weight;
    else
      out.push_back({each.joint, weight});
  };
  for (const Influence& each : from)
    add(each, 1.0 - t);
  for (const Influence& each : to)
    add(each, t);
  return out;
}

JointRate rateOfJoint(const std::vector<JointRate>& rates, std::uint32_t joint) {
  const auto at = std::ranges::find(rates, joint, &JointRate::joint);
  return at != rates.end() ? *at : JointRate{joint};
}

} // namespace

TEST_CASE("joint rates: a small step along an edge by joint weights of its own") {
  RandomModelOptions options;
  options.influences = 4;
  int checked = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Rig rig = buildRig(randomModel(seed, options));
    for (std::size_t v = 0; v + 1 < rig.positions.size(); ++v) {
      const auto from = rig.influences.of(v);
      const auto to = rig.influences.of(v + 1);
      Rig stepped = rig;
      stepped.influences = {};
      stepped.influences.append(partOfTheWay(from, to, kPartOfEdge));
      stepped.positions.resize(1);
      const JointAttachments there = attachToJoints(stepped, 100);
      const std::vector<JointRate> rates = jointRates(rig, from, to);
      // Shares are not linear in weights, and the less so the smaller those are.
      double least = 1.0;
      for (const Influence& each : from)
        least = std::min(least, static_cast<double>(each.weight));
      const double bent = 2.0 * kPartOfEdge * kPartOfEdge / (least * least);
      double growth = 0.0, weight = 0.0;
      for (const JointRate& rate : rates) {
        growth += rate.weightGrowth();
        weight += rate.weight();
      }
      CAPTURE(seed);
      CAPTURE(v);
      CHECK(weight == doctest::Approx(1.0).epsilon(1e-5)); // what bones have is all shared out
      CHECK(growth == doctest::Approx(0.0).scale(1.0).epsilon(1e-5));
      for (const JointAttachment& each : there.of(0)) {
        const JointRate rate = rateOfJoint(rates, each.joint);
        CHECK(std::abs(rate.weight() + kPartOfEdge * rate.weightGrowth() -
                       static_cast<double>(each.weight)) < 2e-6 + bent);
        const double child =
            static_cast<double>(each.weight) * static_cast<double>(each.blendFactor);
        CHECK(std::abs(rate.fromChild + kPartOfEdge * rate.childGrowth - child) < 2e-6 + bent);
        ++checked;
      }
    }
  }
  CHECK(checked > 1000);
}

TEST_CASE("joint rates: a bone's weight goes to the joint towards the first other bone") {
  // Upper arm, forearm, hand: joints 1 (elbow) and 2 (wrist).
  Rig rig;
  rig.joints = {{0, kNoNode, mat4(1)}, {1, 0, mat4(1)}, {2, 1, mat4(1)}};
  const std::vector<Influence> forearm{{1, 1.0f}};
  const std::vector<Influence> towardsHand{{1, 0.75f}, {2, 0.25f}};
  const std::vector<JointRate> rates = jointRates(rig, forearm, towardsHand);
  const JointRate wrist = rateOfJoint(rates, 2);
  CHECK(wrist.weight() == doctest::Approx(1.0));
  CHECK(wrist.blendFactor() == doctest::Approx(0.0));
  CHECK(wrist.blendGrowth() == doctest::Approx(0.25));
  CHECK(rateOfJoint(rates, 1).weight() == 0.0);
  const std::vector<JointRate> still = jointRates(rig, forearm, forearm);
  CHECK(rateOfJoint(still, 1).weight() == doctest::Approx(1.0));
  CHECK(rateOfJoint(still, 1).blendFactor() == doctest::Approx(1.0));
}
