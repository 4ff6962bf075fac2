// Keys and the mouse in the order in which they happened, handed out a frame at a time: Dear ImGui
// 1.86 looks once a frame at where the mouse is and what is held, and with slow frames would take a
// drag for a click, and its end for wherever the mouse has gone since.
#pragma once

#include "core/transform.h"

#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sinew {

struct Chord {
  std::string name; // keys.h
  bool repeat = false;
};

struct Modifiers { // that are held
  bool control = false, shift = false, alt = false, super = false;
};

// What a frame sees: the keys first, then the mouse as they leave it.
struct FrameInput {
  static constexpr std::size_t kButtons = 5; // of Dear ImGui: left, right, middle, two more
  std::vector<Chord> chords;
  std::optional<vec2> mouse; // window units from the top left; none before it was ever seen
  std::array<bool, kButtons> down{};
  bool doubleClick = false;           // of the left button
  std::optional<Modifiers> modifiers; // with what the mouse did; none where it did nothing
};

class InputQueue {
 public:
  void push(Chord chord);
  void push(Modifiers modifiers);
  void moveMouse(vec2 place);
  // A press is the second of a double click when the caller says so; other buttons are ignored.
  void pressButton(int button, bool twice);
  void releaseButton(int button);

  bool empty() const { return events_.empty(); }

  // The next frame's: keys up to the mouse's next event, and then either moves, or changes of
  // buttons, of each button one. A press or a release is so at its place, which the frame before
  // has seen.
  FrameInput take();

 private:
  struct Button {
    std::size_t index;
    bool down;
    bool twice;
  };
  void push(int button, bool down, bool twice);
  void takeButtons(FrameInput& input);

  std::deque<std::variant<Chord, Modifiers, vec2, Button>> events_;
  FrameInput last_;
  Modifiers held_; // with the next event
};

} // namespace sinew
