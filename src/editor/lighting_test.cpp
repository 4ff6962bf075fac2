#include "core/test_files.h"
#include "editor/lighting.h"
#include "editor/model_files.h"
#include "editor/preferences.h"
#include "editor/session_test_support.h"
#include "model/png.h"

#include <doctest/doctest.h>

namespace sinew {

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
    for (int i = 0; i < 4000 && editor.session.light->running(); ++i) {
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
