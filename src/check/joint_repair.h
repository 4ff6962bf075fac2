// What can be done about a fault of a joint, what each repair would bring, and the model with the
// best ones.
#pragma once

#include "check/check.h"
#include "rig/zone_table.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct JointRepair {
  std::string_view kind; // "method", "bend-range", "corrective" or "weights"
  std::string text;      // "dual quaternions at this joint"
  JointZone zone = {};   // the joint's entry, for a method or a bend range
  int rounds = 0;        // rounds of smoothing, for weights
  JointShape shape = {}; // at the worst of the fault's moments
  double severity = 0.0; // the largest over these moments
};

// The least severe first. bench: bound by linear blending; `fault`: of a check of it. Throws
// Cancelled.
std::vector<JointRepair> repairsOf(const Workbench& bench, const Check& check,
                                   const JointFault& fault, double threshold,
                                   const Progress& progress = {});

// The weights of the joint's skin, averaged with those of neighbours so many times; the mean fades
// out over the skin around it. joint: a node.
Influences smoothedAround(const Rig& rig, const SkinRegion& region, int rounds);

// The bench's drivers with a shape that brings the joint's skin in the fault's worst moment to
// where the fault's best method has it. The bench is bound by linear blending and posed there.
// Throws usageError where no joint is turned.
DriverSet correctiveOf(Workbench& bench, const SkinAnalysis& analysis, const JointFault& fault);

// The bench with these repairs of these joints: its zones, drivers and weights are theirs, and its
// first method is one for each joint. faults and repairs: as many.
Workbench repaired(const Workbench& bench, std::span<const JointFault> faults,
                   std::span<const JointRepair> repairs);

} // namespace sinew
