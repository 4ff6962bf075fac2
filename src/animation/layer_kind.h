// What a kind of layer of a Movement is made of. A kind is
//
//   struct SineLayer {                                       // its parameters, plain data
//     static constexpr std::string_view kKind = "sine";      // the file's and the panel's word
//     struct State {};                                       // what it remembers between frames
//     float angle = 0.1f;
//     bool operator==(const SineLayer&) const = default;
//   };
//   template <LayerOf<SineLayer> L, class Visitor>           // each parameter in one line
//   void visitFields(L& layer, Visitor&& visit) {
//     visit(FieldInfo{"angle", "largest turn, radians", -3.2f, 3.2f}, layer.angle);
//   }
//   void apply(const SineLayer&, SineLayer::State&, const LayerInput&, Pose& out);
//
//   std::string problemOf(const Model&, const SineLayer&);   // where fields exclude each other
//
// and its name in LayerKind and LayerState (movement.h). File and panel are visitors of the fields;
// weight, mask and times of a layer are the stack's business.
#pragma once

#include "animation/pose.h"

#include <concepts>
#include <span>
#include <string_view>
#include <type_traits>

namespace sinew {

// What a layer sees. `out` of apply() is a copy of `below` that it may change as it likes.
struct LayerInput {
  const Model& model;
  const Pose& below; // what the layers before have made
  double time = 0.0; // seconds since the layer's start
  double dt = 0.0;   // since the last evaluation; 0: another look at the same moment
  bool fresh = true; // nothing of the state holds: the first time, or time has jumped
};

// A parameter, for those who read, write or show it. Types are bool, int, float, vec3, std::string,
// std::vector<vec2>, std::vector<std::string> and enumerations whose values are indices of
// `choices`.
struct FieldInfo {
  enum class Of { anything, clip, joint }; // what a string names

  std::string_view name;
  std::string_view help;
  float minimum = 0.0f; // minimum == maximum: no range
  float maximum = 0.0f;
  std::span<const std::string_view> choices = {};
  Of of = Of::anything;
};

template <class L, class Kind>
concept LayerOf = std::same_as<std::remove_const_t<L>, Kind>;

} // namespace sinew
