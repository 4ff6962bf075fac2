// A check in words: joints as people call them, JSON, and text for a terminal.
#pragma once

#include "check/check.h"
#include "check/joint_repair.h"
#include "model/hierarchy.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// The fault of one joint, its moment, and every method's figures.
nlohmann::ordered_json faultJson(const Model& model, const JointFault& fault);
nlohmann::ordered_json repairJson(const JointRepair& repair);

// One sentence a fault with the best method, worst first, and how many joints hold.
std::string checkText(const Model& model, const Check& check);

// "best by dual quaternions: collapse 87 %"; empty where methods were not compared.
std::string bestText(const JointFault& fault);

// Joints as people call them: "LowerArm.R" is the right elbow, because that is where it turns.
// "Right elbow", "Left knee", "Hips"; words of other names in order, the side first: "Right thumb
// 2". A name without letters stays as it is.
std::string jointPhrase(std::string_view name);

// The same for every node; where two nodes of `joints` would be called the same, their own names
// follow in brackets.
std::vector<std::string> jointPhrases(const Hierarchy& hierarchy,
                                      const std::vector<std::uint32_t>& joints);

// A clip without what exporters put before every name: "HumanArmature|Man_Death" is "Man_Death".
std::string clipPhrase(std::string_view name);

} // namespace sinew
