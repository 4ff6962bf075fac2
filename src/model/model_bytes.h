// A whole model as bytes and back, for handing it from one process to another of the same program.
// Not a file format: nothing in it survives a change of the structures, and nothing checks more
// than that the bytes are complete.
#pragma once

#include "model/model.h"

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

std::vector<std::byte> bytesOf(const Model& model);

// Throws std::length_error where the bytes end too early or too late.
Model modelOfBytes(std::span<const std::byte> bytes);

} // namespace sinew
