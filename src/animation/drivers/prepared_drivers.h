// Pose drivers made ready for one model: names resolved, equations solved.
#pragma once

#include "animation/drivers/pose_driver.h"

#include <memory>

namespace sinew {

// Why a driver does not fit the model: problemOfParts(), or keys too near each other; empty: it
// does.
std::string findProblem(const Model& model, const PoseDriver& driver);

// Drivers with names resolved and equations solved, for one model. Copies share what they hold.
class PreparedDrivers {
 public:
  PreparedDrivers() = default;
  // Throws usageError with findProblem().
  PreparedDrivers(const Model& model, const PoseDrivers& drivers);

  bool empty() const { return parts_ == nullptr; }
  // Applies the drivers that are on, in their order.
  void apply(const Model& model, Pose& pose) const;

  // The weights of a driver's keys at this pose, then that of the rest pose where it is a key of
  // its own. `driver` counts the drivers as they were given, on or off. Empty where the driver has
  // no keys or does not exist.
  std::vector<float> keyWeights(std::size_t driver, const Pose& pose) const;

  // All nodes and morph targets that drivers which are on write; ascending.
  std::span<const std::uint32_t> nodes() const;
  std::span<const std::uint32_t> targets() const;

 private:
  struct Parts;
  std::shared_ptr<const Parts> parts_;
};

// Fits the coefficients of a polynomial driver to what its driven joints and morph targets have in
// poses; `driver` has its inputs and degree. ridge: as fitPolynomials() takes it.
void fitPolynomial(const Model& model, PoseDriver& driver, std::span<const Pose> poses,
                   double ridge = 1e-6);

} // namespace sinew
