// Weights of all vertices in JSON, as the files of weights and of free splines hold them:
//
//   "NAMES": [NAME, ...], "WEIGHTS": [[[number of a name, weight], ...], ...]
//
// with one list for each vertex.
#pragma once

#include "core/json_reader.h"
#include "model/mesh.h"

#include <map>
#include <string>
#include <vector>

namespace sinew {

// Appends both members, without braces, one vertex a line.
void appendWeightLists(std::string& out, const char* namesKey,
                       const std::vector<std::string>& names, const char* weightsKey,
                       const Influences& influences);

// The indices of a list of names by a table of those that the model has; kind: what they name.
std::vector<std::uint32_t> readNames(const JsonValue& names, std::string_view kind,
                                     const std::map<std::string, std::uint32_t>& known);

// The lists of all vertices; numbers: of readNames(). partial: weights of a vertex may sum to less
// than 1; else those of a list that is not empty are scaled to sum to 1. Sorted by falling weight.
Influences readWeightLists(const JsonValue& lists, const std::vector<std::uint32_t>& numbers,
                           std::size_t vertices, bool partial);

} // namespace sinew
