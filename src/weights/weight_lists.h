// Weights of all vertices in JSON, as the files of weights and of free splines hold them:
//
//   "NAMES": [NAME, ...], "WEIGHTS": [[[number of a name, weight], ...], ...]
//
// with one list for each vertex.
#pragma once

#include "core/error.h"
#include "model/mesh.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Appends both members, without braces, one vertex a line.
void appendWeightLists(std::string& out, const char* namesKey,
                       const std::vector<std::string>& names, const char* weightsKey,
                       const Influences& influences);

// Reads them for a file; errors name `path`, the key and the vertex.
struct WeightListReader {
  std::string_view path;

  Error wrong(const std::string& what) const;

  // The indices of names by a table of those that the model has; kind: what they name.
  std::vector<std::uint32_t> numbered(const nlohmann::ordered_json& names, const char* key,
                                      const char* kind,
                                      const std::map<std::string, std::uint32_t>& known) const;

  // partial: weights of a vertex may sum to less than 1; else those of a list that is not empty are
  // scaled to sum to 1. Sorted by falling weight.
  Influences lists(const nlohmann::ordered_json& lists, const char* key,
                   const std::vector<std::uint32_t>& numbers, std::size_t vertices,
                   bool partial) const;
};

} // namespace sinew
