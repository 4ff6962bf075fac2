// Morph targets by name. Several may share one: the weight "Blink" of a face and of its lashes.
#pragma once

#include "model/model.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// One per morph target of a model; any number is allowed.
using MorphWeights = std::vector<float>;

MorphWeights restWeights(const Model& model);

// What distinguishes the targets, per target: its name where no other has it, else with the mesh
// that it moves before it, and a number where that is not enough.
std::vector<std::string> morphLabels(const Model& model);

// The index of a label; nothing where it is none of them.
std::optional<std::uint32_t> indexOfLabel(std::span<const std::string> labels,
                                          std::string_view label);

// The strength at which a morph pose is shown: that, or 0 or 1 of a binary one.
float shownStrength(const MorphPose& pose, float strength);

// What a name holds at a strength: all targets with this name, else the one with this label,
// exactly or, where there is none, without case; or else a morph pose of that name. "pose:NAME" is
// the morph pose also where a target has its name. Throws usageError that lists the labels.
std::vector<MorphPoseWeight> findMorphWeights(const Model& model, std::string_view name,
                                              float strength = 1.0f);

} // namespace sinew
