// Presses, drags, keys and letters, and settings, as no person would choose them, but may.
#pragma once

#include "app/settings.h"
#include "core/random.h"
#include "model/model.h"
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

// Every option anywhere in its range. Clip, playback range and heat map are some of the model's, or
// none. What the model would have to be bound again for (methods, their parameters, influences,
// differences) is that of `bound`, where that is given: binding takes much longer than a frame.
Settings randomSettings(const Model& model, Random& random, const Settings* bound = nullptr);

} // namespace sinew
