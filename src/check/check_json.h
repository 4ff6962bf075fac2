// A check as JSON, and as text for a terminal.
#pragma once

#include "check/check.h"
#include "check/joint_repair.h"

#include <nlohmann/json_fwd.hpp>

namespace sinew {

// The fault of one joint, its moment, and every method's figures.
nlohmann::ordered_json faultJson(const Model& model, const JointFault& fault);
nlohmann::ordered_json repairJson(const JointRepair& repair);

// One sentence a fault with the best method, worst first, and how many joints hold.
std::string checkText(const Model& model, const Check& check);

// "best by dual quaternions: collapse 87 %"; empty where methods were not compared.
std::string bestText(const JointFault& fault);

} // namespace sinew
