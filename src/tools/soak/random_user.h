// Random presses, drags, keys, letters and settings: what a user could do but hardly would.
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

  // Adds what happens next, over some frames: a click, a drag, the wheel, an action of the menus,
  // letters into the text field with the keyboard focus, or another tab in front. The place is
  // anywhere in one of the windows of Dear ImGui, so that a small popup is hit as often as the
  // picture. Call it between two frames of Dear ImGui.
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
