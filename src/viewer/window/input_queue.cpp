#include "viewer/window/input_queue.h"

#include <algorithm>
#include <utility>

namespace sinew {

void InputQueue::push(Chord chord) {
  events_.emplace_back(std::move(chord));
}

void InputQueue::push(KeyEvent key) {
  events_.emplace_back(key);
}

void InputQueue::push(unsigned character) {
  events_.emplace_back(character);
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

void InputQueue::takeKeys(FrameInput& input, bool popups) {
  const bool rests = popups && rest_ > 0;
  rest_ = std::max(rest_ - 1, 0);
  const auto follows = [&](const KeyEvent& key) {
    if (rests && key.down && key.kind != KeyEvent::Kind::modifier) return false;
    const auto pressed = [&](const KeyEvent& before) {
      if (!before.down || before.kind == KeyEvent::Kind::modifier) return false;
      if (key.kind == KeyEvent::Kind::modifier || before.key == key.key) return true;
      return key.down && (key.kind != KeyEvent::Kind::typed || before.kind != key.kind);
    };
    return std::ranges::none_of(input.keys, pressed);
  };
  for (; !events_.empty(); events_.pop_front()) {
    if (auto* chord = std::get_if<Chord>(&events_.front()))
      input.chords.push_back(std::move(*chord));
    else if (const auto* held = std::get_if<Modifiers>(&events_.front()))
      held_ = *held;
    else if (const auto* character = std::get_if<unsigned>(&events_.front()))
      input.characters.push_back(*character);
    else if (const auto* key = std::get_if<KeyEvent>(&events_.front()); key && follows(*key)) {
      input.keys.push_back(*key);
      if (key->down && key->kind == KeyEvent::Kind::other) rest_ = kRest;
    } else {
      return;
    }
  }
}

FrameInput InputQueue::take(bool popups) {
  FrameInput input = last_;
  takeKeys(input, popups);
  if (!events_.empty() && std::holds_alternative<KeyEvent>(events_.front())) return input;
  if (!events_.empty()) input.modifiers = held_;
  if (!events_.empty() && std::holds_alternative<vec2>(events_.front())) {
    input.mouse = std::get<vec2>(events_.front());
    events_.pop_front();
  } else {
    takeButtons(input);
  }
  last_ = input;
  last_.chords.clear();
  last_.keys.clear();
  last_.characters.clear();
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
