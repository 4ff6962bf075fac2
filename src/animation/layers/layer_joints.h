// Helpers of the layer kinds: joints by name, and the state made once per layer.
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

// The message of the Error that a call throws; empty if it throws none. For findProblem().
template <class Call>
std::string problemIn(const Call& call) {
  try {
    call();
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

// A kind's  makeState(layer, model, state)  converts names to nodes, degrees to radians and texts
// to formulas, and throws usageError where the layer does not fit the model. It runs when the layer
// has changed since the last call.
template <class Layer>
void updateState(const Layer& layer, const Model& model, typename Layer::State& state) {
  if (state.made == layer) return;
  makeState(layer, model, state);
  state.made = layer;
}

template <class Layer>
std::string problemOfState(const Model& model, const Layer& layer) {
  return problemIn([&] {
    typename Layer::State state;
    makeState(layer, model, state);
  });
}

} // namespace sinew
