// What the window does in every frame while a clip plays, but for its panels, asks for no memory.
#include "core/test_effort.h"
#include "editor/document/views.h"
#include "editor/session_test_support.h"
#include "gl/context.h"
#include "gl/framebuffer.h"
#include "viewer/upload.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

using namespace sinew;

TEST_CASE("a frame of the window that plays a clip allocates nothing outside its panels" *
          doctest::skip(test::kSanitized)) {
  const HeadlessContext context;
  const Framebuffer target(64, 48);
  target.bind();
  for (const char* method : {"lbs", "arc-spline", "lbs,dqs"}) {
    CAPTURE(method);
    test::Editor editor;
    Document& document = editor.document;
    Graphics graphics;
    Statistics statistics;
    readSetting(method, document.settings.methods);
    document.settings.contactShadow = true;
    editor.open("demo:humanoid");
    openSideModels(editor.session, {"demo:arm"});
    for (int i = 0; isReadingSideModels(editor.session) && i < 20000; ++i) {
      pollSideModels(editor.session, 1e-3 * i);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    REQUIRE(document.sideModels.size() == 1);
    document.changes.model = true;
    View view;
    view.viewport = {0, 0, 64, 48};
    view.scene = posedOutline(document.workbench);
    const auto frame = [&] {
      advanceSession(editor.session, 1.0f / 60.0f);
      uploadChanges(editor.session, graphics, statistics);
      uploadSideModels(document, graphics);
      for (std::size_t i = 0; i < viewCount(document); ++i)
        drawModel(document, graphics, document.settings, view, i);
      finishGl();
    };
    for (int i = 0; i < 150; ++i) // the whole clip, for what remembers where in it keys are
      frame();
    const double time = document.settings.time;
    const std::size_t before = test::newCalls();
    for (int i = 0; i < 20; ++i)
      frame();
    CHECK(test::newCalls() == before);
    CHECK(document.settings.time != time); // it plays
  }
}
