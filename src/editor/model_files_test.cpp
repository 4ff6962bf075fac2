#include "core/file.h"
#include "core/test_files.h"
#include "demo/demo.h"
#include "editor/model_files.h"
#include "editor/preferences.h"
#include "editor/session.h"
#include "editor/session_test_support.h"
#include "export/glb.h"
#include "model/png.h"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <thread>

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Two good models, a damaged one between them, and files of other kinds.
struct Folder {
  test::TempFolder temp;
  Session session = makeSession({}, {});

  Folder() {
    temp.write("a arm.glb", toGlb(findDemo("arm").make()));
    temp.write("b bad.GLB", "no model");
    temp.write("c tentacle.glb", toGlb(findDemo("tentacle").make()));
    temp.write("notes.txt", "about them");
    fs::create_directory(temp.path / "empty.glb"); // a folder in spite of its name
  }
  std::string path(const char* name) const { return (temp.path / name).string(); }
  void wait() {
    for (int i = 0; i < 20000 && session.imports.importing; ++i) {
      pollImport(session, 1e-3 * i);
      if (session.imports.pending) acceptImport(session);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    REQUIRE_FALSE(session.imports.importing.has_value());
  }
  const std::string& shown() const { return session.document.loaded.model; }
  bool hasMessage(const std::string& words) const {
    for (const std::string& message : session.document.notices.messages)
      if (message.find(words) != std::string::npos) return true;
    return false;
  }
};

} // namespace

TEST_CASE("model files: folders stand for the models in them, by name") {
  const Folder folder;
  const ModelFiles found = modelFiles({"demo:arm", folder.temp.path.string()});
  CHECK(found.files == std::vector<std::string>{"demo:arm", folder.path("a arm.glb"),
                                                folder.path("b bad.GLB"),
                                                folder.path("c tentacle.glb")});
  CHECK(found.problem.empty());
  const ModelFiles none = modelFiles({folder.path("empty.glb"), folder.path("a arm.glb")});
  CHECK(none.files.size() == 1);
  CHECK(none.problem.find("empty.glb") != std::string::npos);
}

TEST_CASE("model files: stepping through a folder passes a damaged file and comes round") {
  Folder folder;
  Session& session = folder.session;
  openFiles(session, {folder.path("a arm.glb")});
  folder.wait();
  CHECK(folder.shown() == folder.path("a arm.glb"));
  stepFile(session, 1);
  folder.wait();
  REQUIRE(session.imports.failure.has_value());
  CHECK(folder.shown() == folder.path("a arm.glb")); // stays
  stepFile(session, 1);
  folder.wait();
  CHECK(folder.shown() == folder.path("c tentacle.glb"));
  stepFile(session, 1);
  folder.wait();
  CHECK(folder.shown() == folder.path("a arm.glb"));
  stepFile(session, -1);
  folder.wait();
  CHECK(folder.shown() == folder.path("c tentacle.glb"));
}

TEST_CASE(
    "model files: of several dropped the first is shown, and only those are stepped through") {
  Folder folder;
  Session& session = folder.session;
  openFiles(session, {folder.path("c tentacle.glb"), "demo:curved-tube"});
  folder.wait();
  CHECK(folder.shown() == folder.path("c tentacle.glb"));
  CHECK(folder.hasMessage("2 models"));
  CHECK(placeAmongFiles(session) == "1 of 2");
  stepFile(session, -1);
  folder.wait();
  CHECK(folder.shown() == "demo:curved-tube");
  CHECK(placeAmongFiles(session) == "2 of 2");
  openFiles(session, {folder.path("a arm.glb")}); // another folder's: its neighbours are next
  folder.wait();
  stepFile(session, -1);
  folder.wait();
  CHECK(folder.shown() == folder.path("c tentacle.glb"));
}

TEST_CASE("model files: a model without neighbours says so") {
  Folder folder;
  openFiles(folder.session, {"demo:arm"});
  folder.wait();
  stepFile(folder.session, 1);
  CHECK(folder.hasMessage("built-in"));
  openFiles(folder.session, {folder.path("empty.glb")});
  CHECK(folder.hasMessage("no model file"));
  CHECK(folder.shown() == "demo:arm");
}

using test::Editor;

TEST_CASE("lighting: a dropped picture lights the model that is dropped with it, another one is no "
          "light") {
  const test::TempFolder folder;
  Image image{8, 4, std::vector<std::uint8_t>(std::size_t{4} * 8 * 4, 200)};
  folder.write("sky.png", encodePng(image));
  image.width = image.height = 4;
  image.rgba.resize(std::size_t{4} * 4 * 4);
  folder.write("texture.png", encodePng(image));
  Editor editor;
  const auto drop = [&](const std::vector<std::string>& files) {
    openFiles(editor.session, files);
    for (int i = 0; i < 4000 && editor.session.tasks.light->running(); ++i) {
      pollLight(editor.session);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    editor.wait();
  };
  const std::string sky = (folder.path / "sky.png").string();
  drop({sky, "demo:arm"});
  CHECK(editor.document.loaded.model == "demo:arm");
  CHECK(editor.document.settings.lightFrom.file == sky);
  CHECK(editor.hasMessage("lit by sky.png"));
  const Settings remembered = settingsToRemember({}, {}, editor.document.settings);
  CHECK(remembered.lightFrom.file.empty());
  drop({(folder.path / "texture.png").string()});
  CHECK(editor.hasMessage("twice as wide"));
  CHECK(editor.document.settings.lightFrom.file == sky);
  drop({"demo:tentacle"}); // light is taste: it stays
  CHECK(editor.document.settings.lightFrom.irradiance.has_value());
}

} // namespace sinew
