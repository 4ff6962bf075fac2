#include "core/test_effort.h"
#include "physics/ragdoll_test_tools.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

// Heights of a ball's lowest point: where it is dropped, and at the top of its first bounce.
struct Heights {
  double dropped = 0.0;
  double bounced = 0.0;
};

Heights drop(double restitution, double height, double stepsPerSecond) {
  PhysicsOptions options;
  options.stepsPerSecond = stepsPerSecond;
  PhysicsWorld world(options);
  const double radius = 0.1;
  world.addBall(radius, 1.0, {0.0, height + radius, 0.0}, glm::dvec3(0.0), restitution);
  const auto fall = static_cast<int>(std::sqrt(2.0 * height / options.gravity) * stepsPerSecond);
  Heights out{height, 0.0};
  bool landed = false;
  for (int i = 0; i < 3 * fall; ++i) {
    world.step();
    landed = landed || (i > fall / 2 && world.ballVelocity(0).y > 0.0);
    if (landed && world.ballVelocity(0).y < 0.0) break;
    if (landed) out.bounced = std::max(out.bounced, world.ball(0).position.y - radius);
  }
  return out;
}

} // namespace

TEST_CASE("restitution: a ball dropped from h bounces to e^2 h") {
  for (const double height : {0.5, 1.0, 3.0})
    for (const double steps : {240.0, 480.0})
      for (const double e : {0.25, 0.5, 0.75, 1.0}) {
        CAPTURE(height);
        CAPTURE(steps);
        CAPTURE(e);
        const Heights heights = drop(e, height, steps);
        // The height lacks 2 % a second, by damping in the air, and less than a step's path.
        CHECK(heights.bounced / height == doctest::Approx(e * e).epsilon(0.04));
        CHECK(heights.bounced <= e * e * height + 0.002);
      }
  CHECK(drop(0.0, 1.0, 480.0).bounced < 1e-3);
}

TEST_CASE("restitution: bouncing ragdolls come to rest, and their energy never grows") {
  for (const JointSolver solver : kJointSolvers)
    for (const float restitution : {0.4f, 1.0f}) {
      // Unless thorough, each solver with one restitution.
      if (!kThorough && (solver == JointSolver::bullet) == (restitution < 1.0f)) continue;
      CAPTURE(static_cast<int>(solver));
      CAPTURE(restitution);
      RagdollConfig config = fitted();
      for (RagdollBody& body : config.bodies)
        body.restitution = restitution;
      PhysicsWorld world(physicsWith(solver));
      Ragdoll ragdoll(world, humanoid(), config);
      const double step = world.stepSeconds();
      ragdoll.start(walkAt(0.4 - step), walkAt(0.4), step, {});
      const auto energy = [&] { return ragdoll.state().kinetic + ragdoll.state().potential; };
      const double before = energy();
      double largest = 0.0;
      for (int second = 0; second < 8 && !ragdoll.state().resting; ++second)
        for (int i = 0; i < 480; ++i) {
          world.step();
          if (i % 16 == 0) largest = std::max(largest, energy());
        }
      CHECK(ragdoll.state().finite);
      CHECK(largest <= 1.01 * before);
      if (restitution < 1.0f) CHECK(ragdoll.state().resting);
    }
}

TEST_CASE("restitution: what loses nothing bounces to where it fell from, again and again") {
  RagdollConfig config = fitted();
  config.bodies.resize(1);
  config.joints.clear();
  config.linearDamping = config.angularDamping = 0.0f;
  RagdollBody& ball = config.bodies[0];
  ball.merged.clear();
  ball.shape = BodyShape::capsule;
  ball.radius = 0.1f;
  ball.length = 0.0f;
  ball.restitution = 1.0f;
  config.metres = static_cast<float>(measureSize(config.bodies).longest);
  PhysicsWorld world(physicsWith(JointSolver::reduced));
  Ragdoll ragdoll(world, humanoid(), config, {glm::dvec3(ball.center), {0.0, 2.0, 0.0}});
  const Pose bind = bindPose(humanoid());
  ragdoll.start(bind, bind, world.stepSeconds());
  double top = 0.0;
  for (double seconds = 0.0; seconds < 8.0; seconds += world.stepSeconds()) {
    world.step();
    if (seconds > 7.0) top = std::max(top, ragdoll.body(0).position.y);
  }
  CHECK(top == doctest::Approx(2.0).epsilon(0.01)); // after five bounces
}

TEST_CASE("restitution: a body of its own bounces higher") {
  for (const JointSolver solver : {JointSolver::bullet, JointSolver::reduced}) {
    CAPTURE(static_cast<int>(solver));
    double highest[2] = {0.0, 0.0};
    for (const bool bounces : {false, true}) {
      RagdollConfig config = fitted();
      config.bodies[findBody(config, "Head")].restitution = bounces ? 0.9f : 0.0f;
      PhysicsWorld world(physicsWith(solver));
      Ragdoll ragdoll(world, humanoid(), config);
      const Pose rest = restPose(humanoid().hierarchy);
      ragdoll.start(rest, rest, world.stepSeconds());
      bool fell = false;
      double last = 1e9;
      for (double seconds = 0.0; seconds < 3.0; seconds += world.stepSeconds()) {
        world.step();
        const double height = ragdoll.body(findBody(config, "Head")).position.y;
        fell = fell || (height < 0.25 && height > last);
        last = height;
        if (fell) highest[bounces ? 1 : 0] = std::max(highest[bounces ? 1 : 0], height);
      }
    }
    SINEW_FIGURE(std::string(toString(solver)), ": a head rises to ", highest[0], ", bouncing to ",
                 highest[1]);
    CHECK(highest[1] > highest[0] + 0.02);
  }
}
