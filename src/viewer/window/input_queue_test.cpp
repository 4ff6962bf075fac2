#include "viewer/window/input_queue.h"

#include <doctest/doctest.h>

#include <random>

namespace sinew {
namespace {

KeyEvent press(int key, KeyEvent::Kind kind = KeyEvent::Kind::other) {
  return {key, 0, 0, true, kind};
}
KeyEvent release(int key, KeyEvent::Kind kind = KeyEvent::Kind::other) {
  return {key, 0, 0, false, kind};
}

TEST_CASE(
    "input queue: of keys pressed within one slow frame each is seen, and typing is not slowed") {
  InputQueue queue;
  constexpr int kArrow = 1, kEnter = 2;
  for (int i = 0; i < 3; ++i) {
    queue.push(press(kArrow));
    queue.push(Chord{"Right", false});
    queue.push(release(kArrow));
  }
  queue.push(press(kEnter));
  for (int i = 0; i < 4; ++i) {
    const FrameInput input = queue.take(true);
    REQUIRE(input.keys.size() == 1);
    CHECK(input.keys.front().down);
    CHECK(input.chords.size() == (i < 3 ? 1u : 0u));
    for (int frame = 0; frame < InputQueue::kRest; ++frame)
      for (const KeyEvent& key : queue.take(true).keys)
        CHECK_FALSE(key.down);
  }
  CHECK(queue.empty());
  queue.push(press(kArrow));
  queue.push(press(kEnter));
  CHECK(queue.take().keys.size() == 1);
  CHECK(queue.take().keys.size() == 1); // no popup has to hear it
  for (const int key : {10, 11}) {
    queue.push(press(key, KeyEvent::Kind::typed));
    queue.push(static_cast<unsigned>(key));
  }
  queue.push(release(10, KeyEvent::Kind::typed));
  queue.push(press(kEnter));
  FrameInput input = queue.take();
  CHECK(input.characters == std::vector<unsigned>{10, 11});
  CHECK(input.keys.size() == 2);
  input = queue.take(); // after what was typed
  CHECK(input.characters.empty());
  CHECK(input.keys.back().key == kEnter);
}

TEST_CASE("input queue: a modifier stays for the key that it modifies") {
  InputQueue queue;
  constexpr int kControl = 1, kKey = 2;
  queue.push(press(kControl, KeyEvent::Kind::modifier));
  queue.push(press(kKey));
  queue.push(release(kControl, KeyEvent::Kind::modifier));
  queue.push(release(kKey));
  CHECK(queue.take().keys.size() == 2);
  CHECK(queue.take().keys.size() == 2);
  CHECK(queue.empty());
}

TEST_CASE("input queue: keeps what is held from frame to frame") {
  InputQueue queue;
  CHECK_FALSE(queue.take().mouse.has_value());
  queue.moveMouse({3, 4});
  queue.take();
  queue.pressButton(0, false);
  for (int i = 0; i < 3; ++i) {
    const FrameInput input = queue.take();
    CHECK(*input.mouse == vec2(3, 4));
    CHECK(input.down[0]);
  }
  queue.releaseButton(0);
  CHECK_FALSE(queue.take().down[0]);
  CHECK(queue.empty());
}

TEST_CASE("input queue: a drag within one slow frame is handed out in steps") {
  InputQueue queue;
  for (int x = 0; x < 5; ++x)
    queue.moveMouse({x, 0});
  queue.pressButton(0, false);
  for (int x = 5; x < 20; ++x)
    queue.moveMouse({x, 0});
  queue.releaseButton(0);
  queue.moveMouse({90, 90});
  queue.push(Chord{"Ctrl+S", false});
  FrameInput input = queue.take();
  CHECK(*input.mouse == vec2(4, 0));
  CHECK_FALSE(input.down[0]);
  input = queue.take();
  CHECK(*input.mouse == vec2(4, 0));
  CHECK(input.down[0]);
  input = queue.take();
  CHECK(*input.mouse == vec2(19, 0));
  CHECK(input.down[0]);
  input = queue.take();
  CHECK(*input.mouse == vec2(19, 0));
  CHECK_FALSE(input.down[0]);
  input = queue.take();
  CHECK(*input.mouse == vec2(90, 90));
  CHECK(input.chords.empty());
  REQUIRE(queue.take().chords.size() == 1u);
  CHECK(queue.empty());
}

TEST_CASE("input queue: every press is shown to a frame") {
  InputQueue queue;
  for (int i = 0; i < 2; ++i) {
    queue.pressButton(0, i == 1);
    queue.releaseButton(0);
  }
  queue.pressButton(7, false); // a button that only large mice have
  for (const bool down : {true, false, true, false}) {
    REQUIRE_FALSE(queue.empty());
    CHECK(queue.take().down[0] == down);
  }
  CHECK(queue.empty());
}

TEST_CASE("input queue: keys come before the mouse that follows them") {
  InputQueue queue;
  queue.push(Chord{"A", false});
  queue.push(Chord{"A", true});
  queue.pressButton(0, true);
  queue.pressButton(1, false);
  queue.push(Chord{"B", false});
  FrameInput input = queue.take();
  REQUIRE(input.chords.size() == 2u);
  CHECK(input.chords[1].repeat);
  CHECK((input.down[0] && input.down[1] && input.doubleClick));
  input = queue.take();
  REQUIRE(input.chords.size() == 1u);
  CHECK(input.chords[0].name == "B");
  CHECK_FALSE(input.doubleClick);
}

TEST_CASE("input queue: a press has the modifiers that were held then") {
  InputQueue queue;
  queue.pressButton(0, false);
  queue.releaseButton(0);
  queue.push(Modifiers{.control = true});
  queue.push(Chord{"Ctrl+S", false});
  queue.push(Modifiers());
  queue.push(Modifiers{.shift = true});
  queue.pressButton(0, false);
  queue.push(Modifiers());
  for (int i = 0; i < 2; ++i)
    CHECK_FALSE(queue.take().modifiers.value().control);
  const FrameInput input = queue.take();
  CHECK(input.chords.size() == 1);
  CHECK((input.down[0] && input.modifiers->shift && !input.modifiers->control));
  CHECK_FALSE(queue.take().modifiers.has_value());
}

// However events fall into frames, what a frame sees of the mouse when a button changes is where
// the mouse was then.
TEST_CASE("input queue: a button changes where the mouse was then") {
  std::mt19937 random(7);
  for (int run = 0; run < 200; ++run) {
    InputQueue queue;
    std::vector<vec2> presses, releases, seenPresses, seenReleases;
    vec2 place(0);
    bool down = false, held = false;
    queue.moveMouse(place);
    const auto frame = [&] {
      const FrameInput input = queue.take();
      if (input.down[0] && !held) seenPresses.push_back(*input.mouse);
      if (!input.down[0] && held) seenReleases.push_back(*input.mouse);
      held = input.down[0];
    };
    for (int i = 0; i < 60; ++i) {
      switch (random() % 4) {
      case 0:
        queue.moveMouse(place = vec2(random() % 100, i));
        break;
      case 1:
        (down ? releases : presses).push_back(place);
        if (down)
          queue.releaseButton(0);
        else
          queue.pressButton(0, false);
        down = !down;
        break;
      case 2:
        queue.push(Chord{"A", false});
        break;
      default:
        frame();
      }
    }
    while (!queue.empty())
      frame();
    CHECK(seenPresses == presses);
    CHECK(seenReleases == releases);
  }
}

} // namespace
} // namespace sinew
