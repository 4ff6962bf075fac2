#include "editor/edit_files.h"
#include "editor/session_test_support.h"
#include "editor/show_folder.h"

#include <doctest/doctest.h>

#include <cstdlib>

namespace sinew {

TEST_CASE("show folder: of the file saved last; without xdg-open a message says where it is") {
  const test::InFolder in;
  test::Editor editor;
  editor.open(in.file);
  std::filesystem::create_directory("other");
  saveEdits(editor.session, SaveKind::model, in.folder.path / "other" / "a.glb");
  CHECK(editor.document.savedFile == in.folder.path / "other" / "a.glb");
  const std::string before = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
  ::setenv("PATH", "/nonexistent", 1);
  showFolder(editor.session);
  while (!pollShowFolder(editor.session))
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ::setenv("PATH", before.c_str(), 1);
  CHECK(editor.hasMessage((in.folder.path / "other").string() + ": xdg-open did not open it"));
}

} // namespace sinew
