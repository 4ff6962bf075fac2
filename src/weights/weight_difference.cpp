#include "weights/weight_difference.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

namespace sinew {

WeightDifference weightDifference(const Influences& a, const Influences& b) {
  assert(a.vertexCount() == b.vertexCount());
  WeightDifference out;
  double sum = 0.0;
  std::map<std::uint32_t, double> joints;
  for (std::size_t v = 0; v < a.vertexCount(); ++v) {
    joints.clear();
    for (const Influence& influence : a.of(v))
      joints[influence.joint] += static_cast<double>(influence.weight);
    for (const Influence& influence : b.of(v))
      joints[influence.joint] -= static_cast<double>(influence.weight);
    double apart = 0.0;
    for (const auto& [joint, weight] : joints) {
      apart += std::abs(weight);
      if (out.joints.size() <= joint) out.joints.resize(joint + std::size_t{1}, 0.0);
      out.joints[joint] += std::abs(weight);
    }
    sum += apart;
    out.largest = std::max(out.largest, apart);
  }
  if (a.vertexCount() == 0) return out;
  out.mean = sum / static_cast<double>(a.vertexCount());
  for (double& joint : out.joints)
    joint /= static_cast<double>(a.vertexCount());
  return out;
}

} // namespace sinew
