#include "animation/drivers/scale_drivers.h"

#include <variant>

namespace sinew {
namespace {

void scaleLengths(RbfDriver& driver, const PoseDriver& /*whole*/, float factor) {
  for (DriverKey& key : driver.keys)
    for (Transform& joint : key.joints)
      joint.translation *= factor;
}

// The first three polynomials of a joint are its translation's; those of morphs come last.
void scaleLengths(PolynomialDriver& driver, const PoseDriver& whole, float factor) {
  if (whole.joints.empty()) return;
  const std::size_t each = (driver.coefficients.size() - whole.morphs.size()) / whole.joints.size();
  for (std::size_t joint = 0; joint < whole.joints.size(); ++joint)
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (float& coefficient : driver.coefficients[each * joint + axis])
        coefficient *= factor;
}

void scaleLengths(ShareDriver& /*driver*/, const PoseDriver& /*whole*/, float /*factor*/) {}

} // namespace

void scaleDrivers(DriverSet& set, float factor) {
  for (PoseDriver& driver : set.drivers)
    std::visit([&](auto& kind) { scaleLengths(kind, driver, factor); }, driver.kind);
  for (CorrectiveShape& shape : set.shapes)
    for (ShapeOffsets& offsets : shape.meshes)
      for (vec3& position : offsets.positions)
        position *= factor;
}

} // namespace sinew
