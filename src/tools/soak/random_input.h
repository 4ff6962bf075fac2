// Presses, drags, keys and letters as no person would make them, but may.
#pragma once

#include "core/random.h"
#include "viewer/window/input_queue.h"

namespace sinew {

struct Viewer; // viewer/viewer_state.h

class RandomInput {
 public:
  explicit RandomInput(Random& random) : random_(random) {}

  // What is done next, in some frames: a click, a drag, the wheel, an action of the menus, letters
  // into the text field that has the keyboard, or another tab in front. Anywhere in one of the
  // windows of Dear ImGui, so that a small popup is met as often as the picture; called between two
  // of its frames.
  void add(Viewer& viewer, InputQueue& queue);

 private:
  vec2 place();
  void press(InputQueue& queue);
  void type();

  Random& random_;
  vec2 last_{0.0f};
};

} // namespace sinew
