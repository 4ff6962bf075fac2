// What can be wrong with the skin of a joint in a pose. A kind of fault is one row of a table.
#pragma once

#include "metrics/deformation_metrics.h"

#include <span>
#include <string>
#include <string_view>

namespace sinew {

// The skin of one joint in one pose by one method.
struct JointShape {
  // Ratios to the bind pose, and the share of the edges that are folded (DeformationMetrics). Not a
  // number where undefined.
  double section = DeformationMetrics::kUndefined;
  double volume = DeformationMetrics::kUndefined;
  double folded = DeformationMetrics::kUndefined;
  double crossing = DeformationMetrics::kUndefined; // crossing pairs a triangle; unmeasured: NaN
  double twist = 0.0;                               // degrees about its bone from the bind pose
  bool broken = false;                              // a position is not finite
};

struct FaultKind {
  std::string_view name;
  std::string_view measure;                   // what the percentage is
  double threshold;                           // damage from which on it is a fault
  std::string_view sentence;                  // {joint}, {percent}, {where}
  double (*damage)(const JointShape& shape);  // 0: none; 1: total, or as much again
  double (*percent)(const JointShape& shape); // number in the sentence
};

std::span<const FaultKind> faultKinds();

// Damage of the kind over its threshold, or over `threshold` where that is above 0.
double computeSeverity(const FaultKind& kind, const JointShape& shape, double threshold);

// "53 %"; "none" where the shape has no such figure.
std::string figureText(const FaultKind& kind, const JointShape& shape);

// The kind of largest severity; the first where all are 0.
const FaultKind& worstKind(const JointShape& shape, double threshold);

// The severity of the worst kind; infinite for a broken shape.
double computeSeverity(const JointShape& shape, double threshold);

} // namespace sinew
