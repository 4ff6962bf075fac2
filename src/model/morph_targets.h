// Morph targets by name, of which several may share one (the weight "Blink" of a face and of its
// lashes), and their offsets.
#pragma once

#include "model/mesh.h"
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

// Sparse offsets of morph targets through what changes a mesh: vertices joined, split or
// transformed.

// From offsets of all vertices, those that move. normals: as many, or empty.
MorphOffsets sparseOffsets(std::uint32_t target, std::span<const vec3> positions,
                           std::span<const vec3> normals);

// After vertices have been dropped or repeated: sources names, per new vertex, the old one.
void keepVertices(std::vector<MorphOffsets>& morphs, std::span<const std::uint32_t> sources,
                  std::size_t oldCount);

// A new vertex, with an index above all others, in the middle of old ones. normalLength: the
// length of the mean of their normals, before it was made unit.
void appendMean(std::vector<MorphOffsets>& morphs, std::span<const std::uint32_t> corners,
                std::uint32_t vertex, float normalLength);

// Call it before the mesh's positions and normals are transformed by these and normals made unit.
void transformOffsets(const mat3& linear, const mat3& normalMatrix, Mesh& mesh);

} // namespace sinew
