#include "weights/templates/solid_shape.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr std::size_t kFingers = 5;

// A part of the hand that slices from above find by itself, down to where it joins another.
struct Branch {
  std::vector<vec3> centers; // centers from the tip down
  SlicePart last;
  bool open = true;
};

bool meet(const SlicePart& above, const SlicePart& below, float cell) {
  const auto overlap = [&](int a) {
    return above.box.min[a] <= below.box.max[a] + 0.5f * cell &&
           below.box.min[a] <= above.box.max[a] + 0.5f * cell;
  };
  return overlap(0) && overlap(2);
}

// Slices from the fingertips down. Of branches that join, the longest goes on no more than the
// others: each finger ends where it joins the next.
std::vector<Branch> findBranches(const SolidShape& shape) {
  std::vector<Branch> out;
  const std::size_t layers = shape.layers(1);
  for (std::size_t index = layers; index-- > 0;) {
    for (const SlicePart& part : shape.layer(1, index)) {
      std::vector<std::size_t> above;
      for (std::size_t b = 0; b < out.size(); ++b)
        if (out[b].open && meet(out[b].last, part, shape.cell()) &&
            out[b].last.center.y > part.center.y)
          above.push_back(b);
      if (above.size() == 1) {
        out[above[0]].centers.push_back(part.center);
        out[above[0]].last = part;
        continue;
      }
      // A bump at the side of a finger joins it without ending it.
      const auto longest = std::max_element(above.begin(), above.end(), [&](auto a, auto b) {
        return out[a].centers.size() < out[b].centers.size();
      });
      bool bump = !above.empty();
      for (const std::size_t b : above)
        bump = bump && (b == *longest || out[b].centers.size() < layers / 25);
      for (const std::size_t b : above)
        out[b].open = bump && b == *longest;
      if (bump) {
        out[*longest].centers.push_back(part.center);
        out[*longest].last = part;
      } else {
        out.push_back({{part.center}, part, true});
      }
    }
  }
  return out;
}

vec3 alongBranch(const Branch& branch, float share) { // 0: the root, 1: the tip
  const auto last = static_cast<float>(branch.centers.size() - 1);
  return branch.centers[static_cast<std::size_t>(std::lround((1.0f - share) * last))];
}

} // namespace

PlacedJoints handIn(const SolidShape& shape) {
  std::vector<Branch> branches = findBranches(shape);
  // The wrist's side ends at the bottom: it is no finger.
  const float floor = shape.box().min.y, tall = shape.box().extent().y;
  std::erase_if(branches, [&](const Branch& branch) {
    return branch.centers.back().y < floor + 0.1f * tall || branch.centers.size() < 3;
  });
  std::sort(branches.begin(), branches.end(),
            [](const Branch& a, const Branch& b) { return a.centers.size() > b.centers.size(); });
  if (branches.size() > kFingers) branches.resize(kFingers);
  while (branches.size() < kFingers) { // not to be told apart: side by side
    const float share = static_cast<float>(branches.size()) / static_cast<float>(kFingers - 1);
    const float x = glm::mix(shape.box().min.x, shape.box().max.x, 0.1f + 0.8f * share);
    const float z = shape.box().center().z;
    branches.push_back({{{x, floor + 0.95f * tall, z}, {x, floor + 0.55f * tall, z}}, {}, false});
  }
  std::sort(branches.begin(), branches.end(), [](const Branch& a, const Branch& b) {
    return alongBranch(a, 0.0f).x < alongBranch(b, 0.0f).x;
  });
  // The thumb is the outer one whose root is the nearer to the wrist.
  if (alongBranch(branches.back(), 0.0f).y < alongBranch(branches.front(), 0.0f).y)
    std::reverse(branches.begin(), branches.end());
  PlacedJoints out;
  Bounds low = shape.box();
  low.max.y = floor + 0.12f * tall;
  const vec3 wrist = shape.middleWithin(low).value_or(shape.box().center());
  out.push_back({"Hand", -1, wrist, false});
  static constexpr std::array<const char*, kFingers> kNames = {"Thumb", "Index", "Middle", "Ring",
                                                               "Little"};
  for (std::size_t f = 0; f < kFingers; ++f) {
    const Branch& branch = branches[f];
    int parent = 0;
    const vec3 root = alongBranch(branch, 0.0f);
    // The knuckle lies in the palm, below the cleft.
    const vec3 knuckle = glm::mix(root, wrist, f == 0 ? 0.45f : 0.18f);
    const std::array<vec3, 3> at = {knuckle, alongBranch(branch, 0.3f), alongBranch(branch, 0.65f)};
    for (std::size_t i = 0; i < at.size(); ++i) {
      out.push_back({kNames[f] + std::to_string(i + 1), parent, at[i], false});
      parent = static_cast<int>(out.size()) - 1;
    }
    out.push_back({std::string(kNames[f]) + "End", parent, alongBranch(branch, 1.0f), true});
  }
  return out;
}

} // namespace sinew
