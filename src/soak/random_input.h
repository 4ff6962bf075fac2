// Presses, drags, keys and letters as no person would make them, but may.
#pragma once

#include "core/random.h"
#include "viewer/window/input_queue.h"

#include <string>
#include <vector>

namespace sinew {

class RandomInput {
 public:
  // Keys are pressed among those of the window's actions.
  explicit RandomInput(Random& random);

  // What is done next, in some frames: a click, a drag, the wheel, a key, or letters into the text
  // field that has the keyboard. Anywhere in one of the windows of Dear ImGui, so that a small
  // popup is met as often as the picture; called between two of its frames.
  void add(InputQueue& queue);

 private:
  vec2 place();
  void press(InputQueue& queue);
  void type();

  Random& random_;
  std::vector<std::string> chords_;
  vec2 last_{0.0f};
};

} // namespace sinew
