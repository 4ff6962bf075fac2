// A whole model as bytes and back, for handing it from one process to another of the same program.
// Not a file format: nothing in it survives a change of the structures. The bytes are not trusted:
// their reading takes memory in proportion to their number, and ends in a model in which everything
// holds that modelProblem() checks, or in an exception.
#pragma once

#include "model/model.h"

#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

namespace sinew {

std::vector<std::byte> toBytes(const Model& model);

// The same without a copy of the model: gives the bytes to `put` in pieces, large lists as they lie
// in memory. Takes no memory.
using PutBytes = std::function<void(std::span<const std::byte> piece)>;
void putBytes(const Model& model, const PutBytes& put);
std::size_t countBytes(const Model& model); // size of all pieces together

// What is wrong with the bytes.
class BadModelBytes : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws BadModelBytes where the bytes end too early or too late, or are those of no model.
Model modelOfBytes(std::span<const std::byte> bytes);

} // namespace sinew
