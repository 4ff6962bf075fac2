// What kinds of layers share: the joints they name, and making once what a layer works with.
#pragma once

#include "core/error.h"
#include "model/model.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Throws usageError for a joint the hierarchy does not have.
std::uint32_t namedJoint(const Hierarchy& hierarchy, const std::string& name);

// From `first` down to `last`, both included. Throws usageError where the first is not above the
// last.
std::vector<std::uint32_t> namedChain(const Hierarchy& hierarchy, const std::string& first,
                                      const std::string& last);

// A unit axis; throws usageError, naming `what`, where it has no direction.
vec3 unitAxis(const vec3& axis, std::string_view what);

// What a call throws, as text; empty if it does not. For problemOf().
template <class Call>
std::string problemIn(const Call& call) {
  try {
    call();
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

// A kind's  makeState(layer, model, state)  turns names into nodes, degrees into radians and texts
// into formulas, and throws usageError for what does not suit the model. It runs when the layer is
// not the one it last ran for.
template <class Layer>
void makeOnce(const Layer& layer, const Model& model, typename Layer::State& state) {
  if (state.made == layer) return;
  makeState(layer, model, state);
  state.made = layer;
}

template <class Layer>
std::string problemOfMaking(const Model& model, const Layer& layer) {
  return problemIn([&] {
    typename Layer::State state;
    makeState(layer, model, state);
  });
}

} // namespace sinew
