// The parts of a layer kind. A kind is
//
//   struct SineLayer {                                       // its parameters, plain data
//     static constexpr std::string_view kKind = "sine";      // its name in files and in the panel
//     static constexpr std::string_view kHelp = "...";       // what it does, in the panel
//     struct State {};                                       // kept between frames
//     float angle = 0.1f;
//     bool operator==(const SineLayer&) const = default;
//   };
//   template <LayerOf<SineLayer> L, class Visitor>           // each parameter in one line
//   void visitFields(L& layer, Visitor&& visit) {
//     visit(FieldInfo{"angle", "largest angle, radians", -3.2f, 3.2f}, layer.angle);
//   }
//   void apply(const SineLayer&, SineLayer::State&, const LayerInput&, Pose& out);
//
//   std::string findProblem(const Model&, const SineLayer&);   // where fields exclude each other
//
// and its name in LayerKind and LayerState (layer_stack.h). File and panel are visitors of the
// fields; the stack handles a layer's weight, mask and times.
#pragma once

#include "animation/pose.h"

#include <concepts>
#include <span>
#include <string_view>
#include <type_traits>

namespace sinew {

// The input of a layer. `out` of apply() starts as a copy of `below`.
struct LayerInput {
  const Model& model;
  const Pose& below; // result of the layers below
  double time = 0.0; // seconds since the layer's start
  double dt = 0.0;   // since the last evaluation; 0: the same moment again
  bool fresh = true; // the state is invalid: the first evaluation, or time has jumped
};

// Describes a parameter to visitors that read, write or show it. Types are bool, int, float, vec3,
// std::string, std::vector<vec2>, std::vector<std::string> and enumerations whose values are
// indices of `choices`.
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
