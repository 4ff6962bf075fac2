// Characters in which nothing breaks.
#pragma once

#include "demo/demo.h"

#include <utility>

namespace sinew::test {

// The demo arm with one clip that moves nothing.
inline Model armAtRest() {
  Model model = findDemo("arm").make();
  model.clips.clear();
  Clip still;
  still.name = "still";
  still.seconds = 1.0f;
  model.clips.push_back(std::move(still));
  return model;
}

} // namespace sinew::test
