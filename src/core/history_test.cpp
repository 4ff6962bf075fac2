#include "core/history.h"

#include <doctest/doctest.h>

using namespace sinew;

TEST_CASE("history: a drag is one step, there and back") {
  History<int> history(1);
  for (int i = 2; i < 10; ++i)
    history.live() = i;
  CHECK(history.open());
  history.commit("drag");
  CHECK_FALSE(history.open());
  history.live() = 20;
  history.commit("more");
  CHECK(history.undoWord() == "more");
  CHECK(history.undoWords() == std::vector<std::string>{"more", "drag"});
  history.undo();
  CHECK(history.now() == 9);
  CHECK(history.redoWord() == "more");
  history.undo();
  CHECK(history.now() == 1);
  CHECK_FALSE(history.canUndo());
  CHECK(history.redoWords() == std::vector<std::string>{"drag", "more"});
  history.undo();
  CHECK(history.now() == 1);
  history.redo();
  history.redo();
  CHECK(history.now() == 20);
  CHECK_FALSE(history.canRedo());
}

TEST_CASE("history: nothing changed is no step, and a new step ends what could be redone") {
  History<int> history(1);
  history.commit("nothing");
  CHECK_FALSE(history.canUndo());
  history.live() = 2;
  history.commit("two");
  history.undo();
  history.commit("nothing");
  CHECK(history.canRedo());
  history.live() = 3;
  history.commit("three");
  CHECK_FALSE(history.canRedo());
  history.undo();
  CHECK(history.now() == 1);
}

TEST_CASE("history: undo and redo first drop what has not become a step") {
  History<int> history(1);
  history.live() = 2;
  history.commit("two");
  history.live() = 7;
  history.undo();
  CHECK(history.now() == 2);
  history.undo();
  CHECK(history.now() == 1);
  history.live() = 7;
  history.redo();
  CHECK(history.now() == 1);
  history.redo();
  CHECK(history.now() == 2);
}

TEST_CASE("history: bounded") {
  History<int> history(0, 3);
  for (int i = 1; i <= 10; ++i) {
    history.live() = i;
    history.commit("step");
  }
  int undone = 0;
  for (; history.canUndo(); ++undone)
    history.undo();
  CHECK(undone == 3);
  CHECK(history.now() == 7);
}
