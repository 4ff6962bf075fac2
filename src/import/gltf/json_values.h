// What stands in a glTF document's JSON, with its type checked: a wrong one is an error that names
// the key, a missing one is the default.
#pragma once

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

namespace sinew {

using GltfJson = nlohmann::ordered_json;

// What is wrong in a file, without its path.
class GltfError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// nullptr where there is no such member.
const GltfJson* memberIn(const GltfJson& object, const char* key);

// Empty ones where they are missing.
const GltfJson& objectIn(const GltfJson& object, const char* key);
const GltfJson& arrayIn(const GltfJson& object, const char* key);

std::optional<std::size_t> indexIn(const GltfJson& object, const char* key); // from 0
std::size_t countIn(const GltfJson& object, const char* key, std::size_t otherwise);
float numberIn(const GltfJson& object, const char* key, float otherwise);
bool flagIn(const GltfJson& object, const char* key);
std::string textIn(const GltfJson& object, const char* key);

// An array of numbers; `count` of them unless it is 0. Empty where it is missing.
std::vector<float> numbersIn(const GltfJson& object, const char* key, std::size_t count);

// An element of an array as an index or a number.
std::size_t asIndex(const GltfJson& value, const char* what);

// What an extension adds to an object; nullptr without it.
const GltfJson* extensionIn(const GltfJson& object, const char* name);

// Readers that refuse no file: a wrong type counts as a missing member.
const GltfJson& usableObject(const GltfJson& holder, const char* key);      // or an empty one
const GltfJson& usableArray(const GltfJson& holder, const char* key);       // or an empty one
std::optional<float> usableNumber(const GltfJson& holder, const char* key); // finite
std::string usableText(const GltfJson& holder, const char* key);
std::optional<std::size_t> usableIndex(const GltfJson& value);
// The object that a number names in a list; nullptr where either is missing.
const GltfJson* usableItem(const GltfJson& holder, const char* key, const GltfJson& list);

// What a channel of a glTF animation moves: a property of a node or a mesh, named by the format or
// by a pointer of KHR_animation_pointer.
struct GltfAnimatedProperty {
  std::optional<std::size_t> node;
  std::optional<std::size_t> mesh;   // its weights, which its nodes without own ones have
  std::optional<std::size_t> weight; // index of a single weight among several
  std::string path; // "translation", "rotation", "scale", "weights", or something else
};

// target: a channel's. A property that no clip can hold has neither a node nor a mesh.
GltfAnimatedProperty animatedProperty(const GltfJson& target);

} // namespace sinew
