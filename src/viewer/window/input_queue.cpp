#include "viewer/window/input_queue.h"

#include <utility>

namespace sinew {

void InputQueue::push(Chord chord) {
  events_.emplace_back(std::move(chord));
}

void InputQueue::push(Modifiers modifiers) {
  events_.emplace_back(modifiers);
}

void InputQueue::moveMouse(vec2 place) {
  // Only where a frame sees the mouse counts.
  if (!events_.empty() && std::holds_alternative<vec2>(events_.back()))
    events_.back() = place;
  else
    events_.emplace_back(place);
}

void InputQueue::pressButton(int button, bool twice) {
  push(button, true, twice);
}

void InputQueue::releaseButton(int button) {
  push(button, false, false);
}

void InputQueue::push(int button, bool down, bool twice) {
  const auto index = static_cast<std::size_t>(button);
  if (index < FrameInput::kButtons) events_.emplace_back(Button{index, down, twice});
}

FrameInput InputQueue::take() {
  FrameInput input = last_;
  for (; !events_.empty(); events_.pop_front()) {
    if (auto* chord = std::get_if<Chord>(&events_.front()))
      input.chords.push_back(std::move(*chord));
    else if (const auto* held = std::get_if<Modifiers>(&events_.front()))
      held_ = *held;
    else
      break;
  }
  if (!events_.empty()) input.modifiers = held_;
  if (!events_.empty() && std::holds_alternative<vec2>(events_.front())) {
    input.mouse = std::get<vec2>(events_.front());
    events_.pop_front();
  } else {
    takeButtons(input);
  }
  last_ = input;
  last_.chords.clear();
  last_.doubleClick = false;
  last_.modifiers.reset();
  return input;
}

void InputQueue::takeButtons(FrameInput& input) {
  std::array<bool, FrameInput::kButtons> changed{};
  for (; !events_.empty(); events_.pop_front()) {
    const auto* button = std::get_if<Button>(&events_.front());
    if (button == nullptr || std::exchange(changed[button->index], true)) return;
    input.down[button->index] = button->down;
    input.doubleClick |= button->twice;
  }
}

} // namespace sinew
