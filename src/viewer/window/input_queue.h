// Keys and the mouse in the order in which they happened, handed out a frame at a time: Dear ImGui
// 1.86 looks once a frame at where the mouse is and what is held. With slow frames it would take a
// drag for a click, its end for wherever the mouse has gone since, and two presses of an arrow for
// one.
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
  std::string name; // window_input.h
  bool repeat = false;
};

// A key as Dear ImGui's backend is told of it.
struct KeyEvent {
  enum class Kind {
    typed,    // keys that write a character; a frame sees any number
    modifier, // keys that stay for the key that they modify
    other,    // other keys; a frame sees one press
  };
  int key = 0, scancode = 0, mods = 0; // GLFW's
  bool down = false;
  Kind kind = Kind::other;
};

struct Modifiers { // the held ones
  bool control = false, shift = false, alt = false, super = false;
};

// What a frame sees: the keys first, then the mouse as they leave it.
struct FrameInput {
  static constexpr std::size_t kButtons = 5; // Dear ImGui's buttons: left, right, middle, two more
  std::vector<Chord> chords;
  std::vector<KeyEvent> keys;
  std::vector<unsigned> characters; // Unicode
  std::optional<vec2> mouse;        // window units from the top left; none: not seen yet
  std::array<bool, kButtons> down{};
  bool doubleClick = false;           // a double click of the left button
  std::optional<Modifiers> modifiers; // held during what the mouse did; none: it did nothing
};

class InputQueue {
 public:
  // Frames between the press of a key that writes nothing and the next press, while menus or
  // dialogs open: they hear keys only after some.
  static constexpr int kRest = 3;

  void push(Chord chord);
  void push(KeyEvent key);
  void push(unsigned character);
  void push(Modifiers modifiers);
  void moveMouse(vec2 place);
  // A press is the second of a double click when the caller says so; other buttons are ignored.
  void pressButton(int button, bool twice);
  void releaseButton(int button);

  bool empty() const { return events_.empty(); }

  // Takes the next frame's input: keys up to the mouse's next event, and then either moves or one
  // change of each button. So a press or a release is at its place, which the previous frame has
  // seen. A pressed key stays pressed for a frame, with its modifiers. popups: some are open or
  // about to open.
  FrameInput take(bool popups = false);

 private:
  struct Button {
    std::size_t index;
    bool down;
    bool twice;
  };
  void push(int button, bool down, bool twice);
  void takeKeys(FrameInput& input, bool popups);
  void takeButtons(FrameInput& input);

  std::deque<std::variant<Chord, KeyEvent, unsigned, Modifiers, vec2, Button>> events_;
  FrameInput last_;
  Modifiers held_; // modifiers of the next event
  int rest_ = 0;   // frames left without a press
};

} // namespace sinew
