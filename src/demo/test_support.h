#pragma once

#include "demo/demo.h"

namespace sinew::test {

// The demo's humanoid, made once.
inline const Model& humanoid() {
  static const Model model = findDemo("humanoid").make();
  return model;
}

} // namespace sinew::test
