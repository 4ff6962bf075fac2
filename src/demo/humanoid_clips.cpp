#include "demo/humanoid_parts.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/mat3x3.hpp>

#include <algorithm>
#include <cmath>

namespace sinew::humanoid {
namespace {

float cosine(float cycles) {
  return std::cos(glm::two_pi<float>() * cycles);
}
float sine(float cycles) {
  return std::sin(glm::two_pi<float>() * cycles);
}

// Rotations are given for the left side; the right side's are their mirror images.
void rotateSide(std::span<Transform> local, Joint joint, Side side, const quat& left) {
  if (side == Side::left)
    local[joint].rotation = left;
  else
    local[joint + kLeftCount].rotation = quat(left.w, left.x, -left.y, -left.z);
}

// An arm that hangs, degrees: swing forward, elbow bend.
void hangArm(std::span<Transform> local, Side side, float swing, float elbow) {
  rotateSide(local, kShoulder, side, rotationAbout(kY, -0.08f * swing) * rotationAbout(kZ, -8.0f));
  rotateSide(local, kUpperArm, side,
             rotationAbout(kX, -swing) * rotationAbout(kZ, -71.0f) * rotationAbout(kX, 7.0f));
  rotateSide(local, kLowerArm, side, rotationAbout(kY, -elbow) * rotationAbout(kX, 14.0f));
  rotateSide(local, kHand, side, rotationAbout(kZ, -6.0f));
  rotateSide(local, kFingers, side, rotationAbout(kZ, -24.0f));
  rotateSide(local, kThumb, side, rotationAbout(kY, 10.0f) * rotationAbout(kZ, -12.0f));
}

void moveHips(std::span<Transform> local, const vec3& offset, const quat& rotation) {
  local[kHips].translation += offset;
  local[kHips].rotation = rotation;
}

// One foot through a step: the heel lands at phase 0, the toes leave at kStance.
constexpr float kStance = 0.61f;
constexpr float kReach = 0.280f; // reach of a step, to the front and to the back

Footing computeFooting(float phase) {
  phase -= std::floor(phase);
  Footing foot;
  foot.offset.x = -0.030f;
  foot.toeOut = 5.0f;
  if (phase < kStance) {
    const float t = phase / kStance;
    foot.offset.z = kReach * (1.0f - 2.0f * t);
    const float land = std::max(0.0f, 1.0f - t / 0.22f);
    const float push = std::max(0.0f, (t - 0.52f) / 0.48f);
    foot.pitch = 18.0f * land * land - 42.0f * push * push * (1.5f - 0.5f * push);
    foot.toeBend = std::max(0.0f, -foot.pitch);
    return foot;
  }
  // Forward again, meeting the ground's speed at both ends (a cubic Hermite curve).
  const float t = (phase - kStance) / (1.0f - kStance);
  const float speed = -2.0f * kReach * (1.0f - kStance) / kStance;
  const float t2 = t * t;
  const float t3 = t2 * t;
  foot.offset.z =
      kReach * (2.0f * (3.0f * t2 - 2.0f * t3) - 1.0f) + speed * (t3 - 2.0f * t2 + t + t3 - t2);
  const float lift = std::sin(glm::pi<float>() * t);
  foot.offset.y = 0.045f * lift * lift;
  foot.pitch = glm::mix(-42.0f, 18.0f, smoothStep(t - 0.45f, 0.55f)) - 14.0f * lift * (1.0f - t);
  foot.toeBend = 42.0f * std::max(0.0f, 1.0f - t / 0.35f) * std::max(0.0f, 1.0f - t / 0.35f);
  return foot;
}

void walk(float phase, std::span<Transform> local) {
  const float stride = cosine(phase);                // 1 when the left heel lands
  const float over = cosine(phase - 0.31f);          // 1 when the left leg carries
  const float rise = cosine(2.0f * (phase - 0.31f)); // 1 when either leg carries
  moveHips(local, {0.020f * over, -0.013f + 0.010f * rise, 0.006f * sine(2.0f * phase)},
           rotationAbout(kY, -8.0f * stride) * rotationAbout(kZ, 3.5f * over) *
               rotationAbout(kX, 3.0f));
  placeFoot(local, Side::left, computeFooting(phase));
  placeFoot(local, Side::right, computeFooting(phase + 0.5f));

  local[kSpine].rotation = rotationAbout(kY, 7.0f * stride) * rotationAbout(kZ, -3.5f * over);
  local[kChest].rotation =
      rotationAbout(kY, 8.0f * stride) * rotationAbout(kZ, -1.5f * over) * rotationAbout(kX, 1.0f);
  local[kNeck].rotation = rotationAbout(kY, -3.5f * stride) * rotationAbout(kX, -2.0f);
  local[kHead].rotation = rotationAbout(kY, -3.0f * stride) * rotationAbout(kZ, 1.2f * over) *
                          rotationAbout(kX, -1.5f - rise);
  // Arms swing against the legs, a little behind them.
  const float arms = cosine(phase - 0.03f);
  hangArm(local, Side::left, 4.0f - 27.0f * arms, 26.0f - 15.0f * arms);
  hangArm(local, Side::right, 4.0f + 27.0f * arms, 26.0f + 15.0f * arms);
}

Footing standing(float toeOut) {
  Footing foot;
  foot.toeOut = toeOut;
  return foot;
}

// Breathing twice while the weight goes from one leg to the other and back.
void idle(float phase, std::span<Transform> local) {
  const float lean = sine(phase);
  const float breath = upAndDown(2.0f * phase);
  moveHips(local, {0.026f * lean, -0.005f - 0.003f * lean * lean, 0.0f},
           rotationAbout(kZ, 2.4f * lean) * rotationAbout(kY, -2.0f * lean));
  placeFoot(local, Side::left, standing(11.0f));
  placeFoot(local, Side::right, standing(11.0f));
  local[kSpine].rotation =
      rotationAbout(kZ, -2.8f * lean) * rotationAbout(kX, 1.0f - 0.8f * breath);
  local[kChest].rotation =
      rotationAbout(kZ, -1.2f * lean) * rotationAbout(kX, 1.0f - 2.2f * breath);
  local[kChest].scale = vec3(1.0f) + breath * vec3(0.006f, 0.0f, 0.016f);
  local[kNeck].rotation = rotationAbout(kX, 1.2f * breath);
  local[kHead].rotation =
      rotationAbout(kZ, 1.5f * lean) * rotationAbout(kY, 6.0f * sine(phase - 0.1f));
  for (const Side side : {Side::left, Side::right}) {
    const float own = side == Side::left ? lean : -lean;
    hangArm(local, side, 2.0f + 1.5f * own, 15.0f + 2.0f * breath);
    rotateSide(local, kShoulder, side, rotationAbout(kZ, -8.0f + 1.6f * breath));
  }
}

// Standing as in idle; the right arm goes up, waves three times and comes down.
void wave(float phase, std::span<Transform> local) {
  idle(0.0f, local);
  const float up = smoothStep(phase - 0.14f, 0.12f) * smoothStep(0.86f - phase, 0.12f);
  const float swing = up * sine(5.0f * (phase - 0.24f));
  const auto raise = [&](Joint joint, const quat& left) {
    Transform& t = local[joint + kLeftCount];
    t.rotation = slerpShortest(t.rotation, quat(left.w, left.x, -left.y, -left.z), up);
  };
  // The palm is turned to the front half by the upper arm and half by the forearm.
  raise(kShoulder, rotationAbout(kZ, 8.0f));
  raise(kUpperArm, rotationAbout(kY, -18.0f) * rotationAbout(kZ, 4.0f + 3.0f * swing) *
                       rotationAbout(kX, -45.0f));
  raise(kLowerArm, rotationAbout(kX, 45.0f) * rotationAbout(kZ, 78.0f + 20.0f * swing) *
                       rotationAbout(kX, -80.0f + 14.0f * swing));
  raise(kHand, rotationAbout(kY, -12.0f * swing));
  raise(kFingers, rotationAbout(kZ, -4.0f));
  raise(kThumb, rotationAbout(kY, -4.0f));
  local[kSpine].rotation = rotationAbout(kZ, 2.0f * up) * local[kSpine].rotation;
  local[kChest].rotation = rotationAbout(kZ, 2.0f * up + 0.8f * swing) * local[kChest].rotation;
  local[kHead].rotation = rotationAbout(kZ, -5.0f * up) * rotationAbout(kY, -4.0f * up);
}

// Standing as in idle; both arms go out, the forearms turn until the palms are up and beyond, the
// elbows bend while the trunk turns: what the blending of matrices is worst at.
void stretch(float phase, std::span<Transform> local) {
  idle(0.0f, local);
  const float up = smoothStep(phase - 0.12f, 0.10f) * smoothStep(0.88f - phase, 0.10f);
  const float swing = sine(2.0f * (phase - 0.25f)); // 1 at 0.375, -1 at 0.625
  const float twist = up * (45.0f + 120.0f * swing);
  const float bend =
      10.0f + 120.0f * up * smoothStep(phase - 0.53f, 0.06f) * smoothStep(0.72f - phase, 0.06f);
  for (const Side side : {Side::left, Side::right}) {
    const auto raise = [&](Joint joint, const quat& left) {
      Transform& t = local[joint + (side == Side::left ? 0 : std::size_t{kLeftCount})];
      const quat own = side == Side::left ? left : quat(left.w, left.x, -left.y, -left.z);
      t.rotation = slerpShortest(t.rotation, own, up);
    };
    raise(kShoulder, rotationAbout(kZ, 4.0f));
    raise(kUpperArm, rotationAbout(kY, -8.0f) * rotationAbout(kZ, 6.0f));
    rotateSide(local, kLowerArm, side,
               rotationAbout(kY, -glm::mix(15.0f, bend, up)) *
                   rotationAbout(kX, glm::mix(14.0f, -twist, up)));
    raise(kFingers, rotationAbout(kZ, -4.0f));
    raise(kThumb, rotationAbout(kY, -4.0f));
  }
  const float trunk = up * sine(phase - 0.25f);
  local[kSpine].rotation = rotationAbout(kY, 16.0f * trunk) * local[kSpine].rotation;
  local[kChest].rotation = rotationAbout(kY, 20.0f * trunk) * local[kChest].rotation;
  local[kHead].rotation = rotationAbout(kY, -18.0f * trunk);
}

} // namespace

std::vector<Clip> makeClips(const Model& model) {
  std::vector<Clip> clips;
  clips.push_back(bakeClip(model, "idle", 5.0f, 60, idle));
  clips.push_back(bakeClip(model, "walk", 1.1f, 44, walk));
  clips.push_back(bakeClip(model, "wave", 4.0f, 96, wave));
  clips.push_back(bakeClip(model, "stretch", 6.0f, 144, stretch));
  return clips;
}

namespace {

const vec3 kHeel(0.100f, 0.0f, -0.078f); // where it touches the ground, bind pose

// Axes of a leg: down the leg, and forward as far as it is at right angles to that.
mat3 legFrame(const vec3& down, const vec3& forward) {
  const vec3 side = glm::normalize(glm::cross(down, forward));
  return {side, down, glm::cross(side, down)};
}

vec3 mirroredIf(bool right, const vec3& v) {
  return right ? vec3(-v.x, v.y, v.z) : v;
}

} // namespace

void placeFoot(std::span<Transform> local, Side side, const Footing& footing) {
  const bool right = side == Side::right;
  const std::size_t shift = right ? kLeftCount : 0;
  const auto at = [&](Joint joint) { return joints()[joint + shift].position; };

  // The foot: turned out below the ankle, pitched about heel or toes, moved.
  const float out = right ? -footing.toeOut : footing.toeOut;
  const quat foot = rotationAbout(kY, out) * rotationAbout(kX, -footing.pitch);
  const vec3 toPivot = (footing.pitch >= 0.0f ? mirroredIf(right, kHeel) : at(kToes)) - at(kFoot);
  const vec3 ankle = at(kFoot) + rotationAbout(kY, out) * toPivot - foot * toPivot +
                     mirroredIf(right, footing.offset);

  // The knee turns about the X axis, so by the law of cosines in the plane across it.
  const Transform& hips = local[kHips];
  const vec3 hip = hips.translation + hips.rotation * (at(kUpperLeg) - joints()[kHips].position);
  const vec3 thigh = at(kLowerLeg) - at(kUpperLeg);
  const vec3 shin = at(kFoot) - at(kLowerLeg);
  const float aside = thigh.x + shin.x;
  const float a = glm::length(vec2(thigh.y, thigh.z));
  const float b = glm::length(vec2(shin.y, shin.z));
  const vec3 wantedLeg = ankle - hip;
  const float reach = std::sqrt(std::max(glm::dot(wantedLeg, wantedLeg) - aside * aside, 0.0f));
  const auto kneeAngle = [&](float distance) {
    return std::acos(
        std::clamp((a * a + b * b - distance * distance) / (2.0f * a * b), -1.0f, 1.0f));
  };
  const vec3 straight = thigh + shin;
  const float bend = kneeAngle(glm::length(vec2(straight.y, straight.z))) - kneeAngle(reach);
  const quat knee = glm::angleAxis(bend, kX);

  // The bent leg, turned to point at the ankle with the knee forward.
  const vec3 forward = rotationAbout(kY, 0.5f * out) * vec3(0, 0, 1);
  const mat3 bent = legFrame(glm::normalize(thigh + knee * shin), vec3(0, 0, 1));
  const mat3 wanted = legFrame(glm::normalize(wantedLeg), forward);
  const quat upper = glm::normalize(glm::quat_cast(wanted * glm::transpose(bent)));
  local[kUpperLeg + shift].rotation = glm::inverse(hips.rotation) * upper;
  local[kLowerLeg + shift].rotation = knee;
  local[kFoot + shift].rotation = glm::inverse(upper * knee) * foot;
  local[kToes + shift].rotation = rotationAbout(kX, -footing.toeBend);
}

} // namespace sinew::humanoid
