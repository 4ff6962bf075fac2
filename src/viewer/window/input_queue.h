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
    typed,    // writes a character; a frame sees any number of them
    modifier, // stays for the key that it modifies
    other,    // a frame sees the press of one
  };
  int key = 0, scancode = 0, mods = 0; // GLFW's
  bool down = false;
  Kind kind = Kind::other;
};

struct Modifiers { // that are held
  bool control = false, shift = false, alt = false, super = false;
};

// What a frame sees: the keys first, then the mouse as they leave it.
struct FrameInput {
  static constexpr std::size_t kButtons = 5; // Dear ImGui's buttons: left, right, middle, two more
  std::vector<Chord> chords;
  std::vector<KeyEvent> keys;
  std::vector<unsigned> characters; // Unicode
  std::optional<vec2> mouse;        // window units from the top left; none before it was ever seen
  std::array<bool, kButtons> down{};
  bool doubleClick = false;           // a double click of the left button
  std::optional<Modifiers> modifiers; // with what the mouse did; none where it did nothing
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

  // The next frame's: keys up to the mouse's next event, and then either moves, or changes of
  // buttons, of each button one. A press or a release is so at its place, which the frame before
  // has seen. A key that is pressed stays so for a frame, with its modifiers. popups: some are
  // open, or about to be.
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
  Modifiers held_; // with the next event
  int rest_ = 0;   // frames left without a press
};

} // namespace sinew
