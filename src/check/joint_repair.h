// What can be done about a fault of a joint, what each repair would bring, and the model with the
// best ones.
#pragma once

#include "animation/drivers/driver_set.h"
#include "check/check.h"
#include "rig/zone_table.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct JointRepair {
  std::string_view kind; // "method", "bend-range", "weights", "bind" or "corrective"
  std::string text;      // "dual quaternions at this joint"
  JointZone zone = {};   // the joint's entry, for a method or a bend range
  int rounds = 0;        // rounds of smoothing, for weights
  std::shared_ptr<const Influences> weights = {}; // the rig's, for weights and bind
  std::shared_ptr<const DriverSet> drivers = {};  // the model's, for a corrective shape
  JointShape shape = {};                          // at the worst of the fault's moments
  // The largest over these moments, of the joint's skin or of skin beside it that the repair makes
  // worse.
  double severity = 0.0;
  std::string worsened = {}; // JointFault::phrase of the joint beside it whose severity that is
};

// The least severe first. workbench: bound by linear blending; `fault`: of a check of it.
// automatic: makeAutomaticWeights(workbench); null: the joint is not bound again. Throws Cancelled.
std::vector<JointRepair> tryRepairs(const Workbench& workbench, const Check& check,
                                    const JointFault& fault, double threshold,
                                    const Influences* automatic, const Progress& progress = {});

// The workbench with these repairs of these joints: its zones, drivers and weights are theirs, and
// its first method is one for each joint. faults and repairs: as many. automatic: as in
// tryRepairs().
Workbench repaired(const Workbench& workbench, std::span<const JointFault> faults,
                   std::span<const JointRepair> repairs, const Influences* automatic);

} // namespace sinew
