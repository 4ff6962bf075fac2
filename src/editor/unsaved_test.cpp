#include "demo/demo.h"
#include "editor/session.h"

#include <doctest/doctest.h>

namespace sinew {
namespace {

// A character without the window, just opened.
struct Opened {
  Session session;

  Opened() {
    session.document.loaded.model = "demo:humanoid";
    session.document.workbench =
        makeWorkbench(findDemo("humanoid").make(), session.document.settings, {}, {});
  }
  void addLayer() {
    session.document.history.live().layerStack.layers.emplace_back();
    commitEdit(session.document, "Add a layer");
  }
  std::vector<std::string> unsaved() const {
    std::vector<std::string> all;
    for (const UnsavedWork& work : unsavedWork(session))
      all.push_back(work.what);
    return all;
  }
};

} // namespace

TEST_CASE("unsaved: what was changed and is in no file, no more and no less") {
  Opened opened;
  Session& session = opened.session;
  CHECK(opened.unsaved().empty());
  opened.addLayer();
  CHECK(opened.unsaved() == std::vector<std::string>{"the layers"});
  session.document.saved.layerStack = session.document.history.now().layerStack;
  CHECK(opened.unsaved().empty());
  opened.addLayer();
  session.play.changed = true;
  CHECK(opened.unsaved() == std::vector<std::string>{"the layers", "the ragdoll's set-up"});
  session.play.changed = false;
  undoEdit(session.document); // to what the file has
  CHECK(opened.unsaved().empty());
  undoEdit(session.document); // to what was opened
  CHECK(opened.unsaved().empty());
  session.document.history.live().pose = session.document.workbench.pose;
  commitEdit(session.document, "Rotate");
  CHECK(opened.unsaved() == std::vector<std::string>{"the edited pose"});
  undoEdit(session.document);
  CHECK(opened.unsaved().empty());
}

TEST_CASE("unsaved: it is asked about once, and what was to be done waits for the answer") {
  Opened opened;
  Session& session = opened.session;
  int left = 0;
  const auto leave = [&] { confirmDiscard(session, "Open a.glb", [&left](Session&) { ++left; }); };
  leave();
  CHECK(left == 1);
  opened.addLayer();
  leave();
  CHECK(left == 1);
  CHECK(session.discard.asked);
  cancelDiscard(session);
  CHECK_FALSE(session.discard.asked);
  leave();
  discardWork(session);
  CHECK(left == 2);
  CHECK_FALSE(session.discard.asked);
}

TEST_CASE("unsaved: quitting a second time means it, after another question it does not") {
  Opened opened;
  Session& session = opened.session;
  opened.addLayer();
  confirmDiscard(session, "Open a.glb", [](Session&) {});
  askToQuit(session);
  CHECK_FALSE(session.quit);
  CHECK(session.discard.doing == "Quit");
  askToQuit(session);
  CHECK(session.quit);
  Opened other;
  askToQuit(other.session);
  CHECK(other.session.quit);
}

} // namespace sinew
