#include "weights/templates/solid_shape.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

// Shares of the figure's height, where a mesh shows no better ones; of limbs, those of an adult
// (Winter 2009, Biomechanics, figure 4.1).
constexpr float kUsualCrotch = 0.47f;
constexpr float kUsualNeck = 0.85f;
constexpr float kUsualWaist = 0.08f; // half its width
constexpr float kAnkle = 0.039f;
constexpr float kKneeShare = 0.5f;                         // share of the way from ankle to hip
constexpr float kElbowShare = 0.42f, kWristShare = 0.755f; // shares from shoulder to fingertip

class Humanoid {
 public:
  explicit Humanoid(const SolidShape& shape)
      : shape_(shape), floor_(shape.box().min.y), tall_(shape.box().max.y - floor_) {
    findMiddle();
    findCrotch();
    findNeck();
    for (std::size_t side = 0; side < 2; ++side) {
      findLeg(side);
      findArm(side);
    }
    if (shape.symmetry(0) > kSymmetric) makeSymmetric();
  }

  PlacedJoints joints() const {
    PlacedJoints out;
    const auto add = [&](const std::string& name, int parent, const vec3& at, bool end = false) {
      out.push_back({name, parent, at, end});
      return static_cast<int>(out.size()) - 1;
    };
    const float hips = crotch_ + 0.05f * tall_;
    const auto spine = [&](float share) { return trunkAt(glm::mix(hips, neck_, share)); };
    const int root = add("Hips", -1, trunkAt(hips));
    const int low = add("Spine", root, spine(0.28f));
    const int chest = add("Chest", low, spine(0.6f));
    const int neck = add("Neck", chest, trunkAt(neck_ - 0.01f * tall_));
    const int head = add("Head", neck, trunkAt(neck_ + 0.035f * tall_));
    add("HeadEnd", head, {middle_, shape_.box().max.y, trunkAt(neck_ + 0.08f * tall_).z}, true);
    for (std::size_t side = 0; side < 2; ++side) {
      const std::string s = side == 0 ? "Left" : "Right";
      const Arm& arm = arms_[side];
      const vec3 collar = glm::mix(trunkAt(arm.shoulder.y), arm.shoulder, 0.25f);
      const int shoulder = add(s + "Shoulder", chest, collar);
      const int upper = add(s + "UpperArm", shoulder, arm.shoulder);
      const int lower = add(s + "LowerArm", upper, arm.elbow);
      const int hand = add(s + "Hand", lower, arm.wrist);
      add(s + "HandEnd", hand, arm.tip, true);
      const Leg& leg = legs_[side];
      const int thigh = add(s + "UpperLeg", root, leg.hip);
      const int shin = add(s + "LowerLeg", thigh, leg.knee);
      const int foot = add(s + "Foot", shin, leg.ankle);
      const int toes = add(s + "Toes", foot, leg.toes);
      add(s + "ToesEnd", toes, leg.tip, true);
    }
    return out;
  }

 private:
  static constexpr double kSymmetric = 0.8;
  struct Arm {
    vec3 shoulder, elbow, wrist, tip;
  };
  struct Leg {
    vec3 hip, knee, ankle, toes, tip;
  };

  float at(float share) const { return floor_ + share * tall_; }
  float sign(std::size_t side) const { return side == 0 ? 1.0f : -1.0f; }

  // The part of the slice that the middle line passes, or null.
  const SlicePart* trunk(float y) const {
    const SlicePart* best = nullptr;
    for (const SlicePart& part : shape_.parts(1, y))
      if (part.box.min.x <= middle_ && part.box.max.x >= middle_ &&
          (best == nullptr || part.voxels > best->voxels))
        best = &part;
    return best;
  }

  // The middle of the trunk at that height, without what reaches out of it sideways.
  vec3 trunkAt(float y) const {
    const float half = 0.5f * waist_, thin = 1.5f * shape_.cell();
    const Bounds slab{{middle_ - half, y - thin, shape_.box().min.z},
                      {middle_ + half, y + thin, shape_.box().max.z}};
    const vec3 found = shape_.middleWithin(slab).value_or(shape_.box().center());
    return {middle_, y, found.z};
  }

  // The largest part between hips and chest has the middle line and the waist's width.
  void findMiddle() {
    std::vector<float> centers, halves;
    for (float share = 0.55f; share < 0.7f; share += 0.01f) {
      const auto& parts = shape_.parts(1, at(share));
      if (parts.empty()) continue;
      const SlicePart& part =
          *std::max_element(parts.begin(), parts.end(), [](const SlicePart& a, const SlicePart& b) {
            return a.voxels < b.voxels;
          });
      centers.push_back(0.5f * (part.box.min.x + part.box.max.x));
      halves.push_back(0.5f * (part.box.max.x - part.box.min.x));
    }
    middle_ = shape_.box().center().x;
    waist_ = kUsualWaist * tall_;
    if (centers.empty()) return;
    const auto half = static_cast<std::ptrdiff_t>(centers.size() / 2);
    std::nth_element(centers.begin(), centers.begin() + half, centers.end());
    std::nth_element(halves.begin(), halves.begin() + half, halves.end());
    middle_ = centers[static_cast<std::size_t>(half)];
    waist_ = std::max(halves[static_cast<std::size_t>(half)], 2.0f * shape_.cell());
  }

  // Above the highest slice, of those below the waist, that the middle line does not meet.
  void findCrotch() {
    crotch_ = at(kUsualCrotch);
    for (float share = 0.6f; share > 0.2f; share -= 0.01f)
      if (trunk(at(share)) == nullptr) {
        crotch_ = at(share + 0.01f);
        return;
      }
  }

  // The neck is where the trunk is narrowest below the head.
  void findNeck() {
    neck_ = at(kUsualNeck);
    float narrowest = std::numeric_limits<float>::max();
    // A figure with short legs has a large head.
    const float legs = (crotch_ - floor_) / tall_;
    for (float share = legs < 0.3f ? legs + 0.15f : 0.62f; share < 0.93f; share += 0.01f)
      if (const SlicePart* part = trunk(at(share))) {
        const float width = part->box.max.x - part->box.min.x;
        if (width >= narrowest) continue;
        narrowest = width;
        neck_ = at(share);
      }
  }

  // The leg's part of a slice, or null.
  const SlicePart* legPart(std::size_t side, float y) const {
    const SlicePart* best = nullptr;
    for (const SlicePart& part : shape_.parts(1, y)) {
      const float off = sign(side) * (part.center.x - middle_);
      if (off <= 0.0f || off > 3.0f * waist_) continue;
      if (best == nullptr || part.voxels > best->voxels) best = &part;
    }
    return best;
  }

  void findLeg(std::size_t side) {
    const vec3 usual{middle_ + sign(side) * 0.55f * waist_, 0.0f, trunkAt(crotch_).z};
    const auto center = [&](float y) {
      const SlicePart* part = y < crotch_ ? legPart(side, y) : nullptr;
      const vec3 found = part != nullptr ? part->center : usual;
      return vec3(found.x, y, found.z);
    };
    Leg& leg = legs_[side];
    leg.ankle = center(at(0.085f));
    leg.ankle.y = at(kAnkle);
    leg.hip = center(crotch_ - 0.03f * tall_);
    leg.hip.y = crotch_ + 0.03f * tall_;
    const float knee = glm::mix(leg.ankle.y, leg.hip.y, kKneeShare);
    leg.knee = center(knee);
    leg.tip = leg.ankle;
    shape_.forEach([&](const vec3& p) {
      if (p.y < at(0.045f) && sign(side) * (p.x - middle_) > 0.0f && p.z > leg.tip.z) leg.tip = p;
    });
    leg.toes = glm::mix(leg.ankle, leg.tip, 0.65f);
    leg.toes.y = leg.tip.y = at(0.02f);
  }

  // How far the body itself reaches out to the side: below the chest what slices show of trunk and
  // legs, above it the waist, for arms that reach out are parts of the trunk there.
  float bodyReach(std::size_t side, float y) const {
    float out = 1.35f * waist_;
    if (y > glm::mix(crotch_, neck_, 0.6f)) return out;
    const SlicePart* part = y < crotch_ ? legPart(side, y) : trunk(y);
    if (part == nullptr) return out;
    const float edge = side == 0 ? part->box.max.x - middle_ : middle_ - part->box.min.x;
    return std::max(out, edge + shape_.cell());
  }

  // The fingertip is the place beside the body that is farthest from the neck.
  void findArm(std::size_t side) {
    const vec3 from = trunkAt(neck_);
    Arm& arm = arms_[side];
    float farthest = 0.0f;
    bool found = false;
    shape_.forEach([&](const vec3& p) {
      const float off = sign(side) * (p.x - middle_);
      if (off <= 0.0f || p.y < crotch_ - 0.12f * tall_ || off < bodyReach(side, p.y)) return;
      const float apart = glm::length(p - from);
      if (apart <= farthest) return;
      farthest = apart;
      arm.tip = p;
      found = true;
    });
    const float out = 1.05f * waist_;
    arm.shoulder = {middle_ + sign(side) * out, neck_ - 0.045f * tall_, from.z};
    if (!found || farthest < 0.15f * tall_) { // at the trunk: as they hang
      arm.tip = {arm.shoulder.x + sign(side) * 0.03f * tall_, crotch_ - 0.05f * tall_, from.z};
    } else {
      const vec3 along = arm.tip - arm.shoulder;
      const float reach = 0.07f * tall_;
      // The arm leaves the trunk at `start`; from there the line goes back to the shoulder.
      const vec3 start = shape_.centered(glm::mix(arm.shoulder, arm.tip, 0.2f), along, reach);
      const vec3 middle = shape_.centered(glm::mix(arm.shoulder, arm.tip, 0.5f), along, reach);
      const float step = std::fabs(middle.x - start.x);
      if (step > 2.0f * shape_.cell()) {
        const float back = std::clamp(std::fabs(start.x - arm.shoulder.x) / step, 0.0f, 1.0f);
        const vec3 shoulder = start + back * (start - middle);
        arm.shoulder.y =
            std::clamp(shoulder.y, arm.shoulder.y - 0.06f * tall_, neck_ - 0.01f * tall_);
        arm.shoulder.z = shoulder.z;
      }
    }
    const vec3 along = arm.tip - arm.shoulder;
    arm.elbow = shape_.centered(arm.shoulder + kElbowShare * along, along, 0.06f * tall_);
    arm.wrist = shape_.centered(arm.shoulder + kWristShare * along, along, 0.05f * tall_);
  }

  void makeSymmetric() {
    const auto join = [&](vec3& left, vec3& right) {
      const vec3 mirrored(2.0f * middle_ - right.x, right.y, right.z);
      left = 0.5f * (left + mirrored);
      right = {2.0f * middle_ - left.x, left.y, left.z};
    };
    join(arms_[0].shoulder, arms_[1].shoulder);
    join(arms_[0].elbow, arms_[1].elbow);
    join(arms_[0].wrist, arms_[1].wrist);
    join(arms_[0].tip, arms_[1].tip);
    join(legs_[0].hip, legs_[1].hip);
    join(legs_[0].knee, legs_[1].knee);
    join(legs_[0].ankle, legs_[1].ankle);
    join(legs_[0].toes, legs_[1].toes);
    join(legs_[0].tip, legs_[1].tip);
  }

  const SolidShape& shape_;
  float floor_, tall_;
  float middle_ = 0.0f; // x
  float waist_ = 0.0f;  // half its width
  float crotch_ = 0.0f, neck_ = 0.0f;
  Arm arms_[2]; // left, right
  Leg legs_[2];
};

} // namespace

PlacedJoints humanoidIn(const SolidShape& shape) {
  return Humanoid(shape).joints();
}

} // namespace sinew
