#include "editor/add_motion.h"
#include "editor/edit_files.h"
#include "editor/session_test_support.h"
#include "import/import_model.h"

#include <doctest/doctest.h>

namespace sinew {

TEST_CASE("added motions: clips of two files are one step, undone, and saved in one .glb") {
  const test::InFolder in("humanoid");
  test::Editor editor;
  editor.open(in.file);
  Document& document = editor.document;
  const std::size_t own = document.workbench.model.clips.size();
  const auto wait = [&] {
    while (!pollAddedMotions(editor.session))
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    editor.frame();
  };
  addMotionFiles(editor.session, {in.file, in.file});
  wait();
  CHECK(document.workbench.model.clips.size() == 3 * own);
  CHECK(editor.unsaved() == std::vector<std::string>{"the keyed clips, as .glb"});
  saveEdits(editor.session, SaveKind::model, in.folder.path / "all.glb");
  CHECK(importModel((in.folder.path / "all.glb").string()).clips.size() == 3 * own);
  undoEdit(document);
  editor.frame();
  CHECK(document.workbench.model.clips.size() == own);
  addMotionFiles(editor.session, {(in.folder.path / "none.bvh").string()});
  wait();
  CHECK(editor.hasMessage("none.bvh"));
  CHECK(document.workbench.model.clips.size() == own);
}

} // namespace sinew
