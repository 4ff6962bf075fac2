#include "weights/templates/solid_shape.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

class Animal {
 public:
  explicit Animal(const SolidShape& shape)
      : shape_(shape), floor_(shape.box().min.y), tall_(shape.box().extent().y),
        back_(shape.box().min.z), length_(shape.box().extent().z) {
    middle_ = shape.symmetry(0) > 0.5 ? shape.box().center().x : largestAt(0.5f).x;
    findBelly();
  }

 protected:
  struct Leg {
    vec3 hip{0.0f}, knee{0.0f}, ankle{0.0f}, toes{0.0f}, tip{0.0f};
  };

  int add(const std::string& name, int parent, const vec3& at, bool end = false) {
    joints_.push_back({name, parent, at, end});
    return static_cast<int>(joints_.size()) - 1;
  }

  float at(float share) const { return floor_ + share * tall_; }
  float along(float share) const { return back_ + share * length_; }

  // The middle of the largest part of the slice there, from the tail (0) to the head (1).
  vec3 largestAt(float share) const { return trunkAt(along(share)); }
  vec3 trunkAt(float z) const {
    const auto& parts = shape_.parts(2, z);
    if (parts.empty()) return {shape_.box().center().x, shape_.box().center().y, z};
    const SlicePart& part =
        *std::max_element(parts.begin(), parts.end(), [](const SlicePart& a, const SlicePart& b) {
          return a.voxels < b.voxels;
        });
    return {part.center.x, part.center.y, z};
  }
  // The trunk above its legs.
  vec3 backboneAt(float z) const {
    Bounds slab = shape_.box();
    slab.min.z = z - 1.5f * shape_.cell();
    slab.max.z = z + 1.5f * shape_.cell();
    slab.min.y = belly_;
    const float half = 0.08f * length_;
    slab.min.x = middle_ - half;
    slab.max.x = middle_ + half;
    vec3 found = shape_.middleWithin(slab).value_or(trunkAt(z));
    found.z = z;
    found.x = middle_;
    return found;
  }

  // The lowest slice that crosses the middle: legs stand beside it.
  void findBelly() {
    belly_ = at(0.4f);
    for (float share = 0.05f; share < 0.8f; share += 0.01f)
      for (const SlicePart& part : shape_.parts(1, at(share)))
        if (part.box.min.x < middle_ - shape_.cell() && part.box.max.x > middle_ + shape_.cell() &&
            part.box.extent().z > 0.2f * length_) {
          belly_ = at(share);
          return;
        }
  }

  // The center of the largest part of a slice on one side, between two places along the body.
  std::optional<vec3> legAt(float y, bool left, float from, float to) const {
    const SlicePart* best = nullptr;
    for (const SlicePart& part : shape_.parts(1, y)) {
      const float inner = left ? part.box.min.x - middle_ : middle_ - part.box.max.x;
      if (inner < 0.0f || part.center.z < from || part.center.z > to) continue;
      if (best == nullptr || part.voxels > best->voxels) best = &part;
    }
    if (best == nullptr) return std::nullopt;
    return best->center;
  }

  // Heights of a leg's joints, in those of the belly above the floor; the hip's above the belly, in
  // those of the backbone above it.
  struct Heights {
    float hip, knee, ankle;
  };

  // usual: where the leg stands if the mesh does not show it.
  Leg leg(bool left, float from, float to, const Heights& heights, float usual) const {
    const float side = left ? 1.0f : -1.0f;
    const float high = belly_ - floor_;
    const auto center = [&](float y) {
      vec3 found =
          legAt(y, left, from, to).value_or(vec3(middle_ + side * 0.06f * length_, y, usual));
      found.y = y;
      return found;
    };
    Leg out;
    out.ankle = center(floor_ + heights.ankle * high);
    out.hip = center(belly_ - 0.08f * high);
    out.knee = out.hip;
    out.knee.y = floor_ + heights.knee * high;
    out.hip.y = glm::mix(belly_, backboneAt(out.hip.z).y, heights.hip);
    out.hip.x = glm::mix(out.hip.x, middle_, 0.2f);
    out.tip = out.ankle;
    shape_.forEach([&](const vec3& p) {
      if (p.y < floor_ + 0.12f * high && ((p.x > middle_) == left) && p.z > out.tip.z &&
          p.z < out.ankle.z + 0.6f * high)
        out.tip = p;
    });
    out.toes = glm::mix(out.ankle, out.tip, 0.4f);
    out.toes.y = out.tip.y = floor_ + 0.06f * high;
    return out;
  }

  void addLeg(const std::string& prefix, int parent, const Leg& leg) {
    const int upper = add(prefix + "UpperLeg", parent, leg.hip);
    const int lower = add(prefix + "LowerLeg", upper, leg.knee);
    const int foot = add(prefix + "Foot", lower, leg.ankle);
    const int toes = add(prefix + "Toes", foot, leg.toes);
    add(prefix + "ToesEnd", toes, leg.tip, true);
  }

  // Adds the head, from `from` to the front of the body: the neck rises to the head.
  void addHead(int parent, const vec3& from) {
    const vec3 nose = foremost();
    const vec3 head = largestAt(0.9f);
    const vec3 skull = {middle_, glm::mix(head.y, nose.y, 0.2f), glm::mix(from.z, nose.z, 0.6f)};
    const vec3 crown = backOfHead(skull);
    const int neck = add("Neck", parent, glm::mix(from, crown, 0.35f));
    const int top = add("Head", neck, crown);
    add("HeadEnd", top, {middle_, nose.y, nose.z}, true);
  }

  // Behind it to the end of the body.
  void addTail(int parent, float from) {
    const float reach = from - back_;
    if (reach < 0.12f * length_) return; // none to speak of
    int above = parent;
    vec3 last = backboneAt(from);
    const auto follow = [&](float share) { return last = tailAt(from - share * reach, last); };
    for (int i = 0; i < 3; ++i)
      above =
          add("Tail" + std::to_string(i + 1), above, follow(0.12f + 0.3f * static_cast<float>(i)));
    add("TailEnd", above, follow(1.0f), true);
  }

  // The part of the slice that is nearest to the place before: hind legs are parts too.
  vec3 tailAt(float z, const vec3& before) const {
    vec3 out(before.x, before.y, z);
    float nearest = length_ + tall_;
    for (const SlicePart& part : shape_.parts(2, z)) {
      const float apart = glm::length(glm::vec2(part.center) - glm::vec2(before));
      if (apart >= nearest) continue;
      nearest = apart;
      out = {part.center.x, part.center.y, z};
    }
    return out;
  }

  vec3 foremost() const {
    vec3 best(0.0f, 0.0f, back_);
    shape_.forEach([&](const vec3& p) {
      if (p.z > best.z) best = p;
    });
    return best;
  }

  vec3 backOfHead(const vec3& skull) const {
    vec3 out = trunkAt(skull.z);
    out.x = middle_;
    return out;
  }

  const SolidShape& shape_;
  float floor_, tall_, back_, length_;
  float middle_ = 0.0f; // x
  float belly_ = 0.0f;  // y
  PlacedJoints joints_;
};

class Quadruped : public Animal {
 public:
  explicit Quadruped(const SolidShape& shape) : Animal(shape) {}

  PlacedJoints joints() {
    // Legs stand at the foremost and hindmost parts of a slice between floor and belly.
    const float y = glm::mix(floor_, belly_, 0.4f);
    float front = along(0.7f), rear = along(0.25f);
    const auto& parts = shape_.parts(1, y);
    if (parts.size() >= 2) {
      front = back_;
      rear = back_ + length_;
      for (const SlicePart& part : parts) {
        front = std::max(front, part.center.z);
        rear = std::min(rear, part.center.z);
      }
    }
    if (front - rear < 0.15f * length_) front = along(0.7f), rear = along(0.25f);
    const float half = 0.5f * (front + rear), far = length_;
    const int hips = add("Hips", -1, backboneAt(rear));
    const int spine = add("Spine", hips, backboneAt(glm::mix(rear, front, 0.35f)));
    const int chest = add("Chest", spine, backboneAt(glm::mix(rear, front, 0.75f)));
    addHead(chest, backboneAt(front));
    for (const bool left : {true, false}) {
      const std::string side = left ? "Left" : "Right";
      addLeg(side + "Front", chest, leg(left, half, back_ + far, {0.7f, 1.1f, 0.4f}, front));
      addLeg(side + "Rear", hips, leg(left, back_ - far, half, {0.8f, 1.15f, 0.6f}, rear));
    }
    addTail(hips, rear);
    return joints_;
  }
};

class Bird : public Animal {
 public:
  explicit Bird(const SolidShape& shape) : Animal(shape) {}

  PlacedJoints joints() {
    const float legs = legsAt();
    const int hips = add("Hips", -1, backboneAt(legs));
    const float breast = glm::mix(legs, back_ + length_, 0.3f);
    const int chest = add("Chest", hips, backboneAt(breast));
    addHead(chest, backboneAt(glm::mix(legs, back_ + length_, 0.45f)));
    for (const bool left : {true, false}) {
      const std::string side = left ? "Left" : "Right";
      addWing(side, left, chest, backboneAt(breast));
      addLeg(side, hips, leg(left, back_, back_ + length_, {0.4f, 0.9f, 0.5f}, legs));
    }
    addTail(hips, legs);
    return joints_;
  }

 private:
  float legsAt() const {
    const auto& parts = shape_.parts(1, glm::mix(floor_, belly_, 0.5f));
    if (parts.empty()) return along(0.45f);
    float sum = 0.0f;
    for (const SlicePart& part : parts)
      sum += part.center.z;
    return sum / static_cast<float>(parts.size());
  }

  // Adds a wing to the place farthest from the middle.
  void addWing(const std::string& side, bool left, int parent, const vec3& breast) {
    vec3 tip = breast;
    shape_.forEach([&](const vec3& p) {
      if ((p.x > middle_) == left && std::fabs(p.x - middle_) > std::fabs(tip.x - middle_)) tip = p;
    });
    vec3 shoulder = glm::mix(breast, tip, 0.15f);
    shoulder.z = breast.z;
    const vec3 reach = tip - shoulder;
    const float radius = 0.15f * length_;
    const vec3 elbow = shape_.centered(shoulder + 0.35f * reach, reach, radius);
    const vec3 wrist = shape_.centered(shoulder + 0.68f * reach, reach, radius);
    const int upper = add(side + "UpperWing", parent, shoulder);
    const int lower = add(side + "LowerWing", upper, elbow);
    const int hand = add(side + "WingHand", lower, wrist);
    add(side + "WingEnd", hand, tip, true);
  }
};

} // namespace

PlacedJoints quadrupedIn(const SolidShape& shape) {
  return Quadruped(shape).joints();
}

PlacedJoints birdIn(const SolidShape& shape) {
  return Bird(shape).joints();
}

} // namespace sinew
