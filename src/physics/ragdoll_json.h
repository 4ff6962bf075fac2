// The ragdoll's file: written whole, read with every key checked.
#pragma once

#include "physics/ragdoll_config.h"

#include <string>
#include <string_view>

namespace sinew {

// {"sinew": "ragdoll", ...}: docs/ragdoll.md has an example.
std::string ragdollToJson(const RagdollConfig& config);

// Throws inputError, one line that names the file and the line (bad JSON) or body, joint and key:
// an unknown key or bone, a wrong type, a number that is not finite or out of range, a back angle
// above the front angle, a body without or with two joints, joints in a cycle.
RagdollConfig ragdollFromJson(const Model& model, std::string_view json, std::string_view path);

} // namespace sinew
