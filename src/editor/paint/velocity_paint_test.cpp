#include "editor/edit_files.h"
#include "editor/paint/velocity_paint.h"
#include "editor/session_test_support.h"
#include "editor/unsaved.h"

#include <doctest/doctest.h>

namespace sinew {

TEST_CASE("velocity paint: strengths are kept as shares of two") {
  const std::vector<float> strength{0.0f, 0.25f, 0.75f, 1.0f};
  CHECK(collectStrength(paintedStrength(strength)) == strength);
}

TEST_CASE("velocity paint: a stroke holds the skin still, is undone, saved and read again") {
  const test::InFolder at;
  test::Editor editor;
  Document& document = editor.document;
  PaintState& paint = editor.session.paint;
  document.settings.methods = parseMethods("lbs");
  document.settings.drag = 0.4f;
  document.settings.playing = false;
  document.settings.time = 1.0f;
  editor.open(at.file);
  paint.choices.velocity = true;
  paint.choices.brush.strength = 1.0f;
  paint.choices.brush.value = 0.0f;
  paint.choices.brush.falloff = BrushFalloff::constant;
  document.tool = Tool::paint;
  selectJoint(document, editor.node("LowerArm"));
  document.settings.time = 1.0f;
  editor.frame();
  const Workbench& workbench = document.workbench;
  const std::vector<vec3> before = skinOnCpu(workbench, workbench.bound.front()).positions;

  const View view = test::viewOfModel(document);
  const PaintPick& surface = paintSurface(document, paint, 0, view);
  const vec2 pixel =
      test::findPixelNear(view, surface, vec3(workbench.modelFromNode[editor.node("LowerArm")][3]));
  paint.hover = paintSurface(document, paint, 0, view).grid.at(pixel);
  REQUIRE(paint.hover);
  const std::uint32_t vertex = workbench.rig.triangles[paint.hover->triangle][0];
  startStroke(document, editor.session.posing, paint, 0, pixel, BrushMode::replace);
  endStroke(document, paint);
  document.settings.time = 1.0f;
  const MeshChanges changes = editor.frame();
  CHECK_FALSE(changes.vertices.empty()); // for the GPU
  REQUIRE(workbench.moving.map.strength.size() == workbench.rig.positions.size());
  CHECK(workbench.moving.map.strength[vertex] < 0.05f);
  CHECK(paintedField(document, paint)[vertex] == workbench.moving.map.strength[vertex]);
  const std::vector<vec3> held = skinOnCpu(workbench, workbench.bound.front()).positions;
  CHECK(held[vertex] != before[vertex]);
  std::size_t moved = 0;
  for (std::size_t v = 0; v < held.size(); ++v)
    moved += held[v] != before[v] ? 1 : 0;
  CHECK(moved < held.size() / 2);
  CHECK(editor.unsaved() == std::vector<std::string>{"the map of velocity skinning"});

  undoEdit(document);
  editor.frame();
  CHECK(workbench.moving.map.strength[vertex] == 1.0f);
  CHECK(skinOnCpu(workbench, workbench.bound.front()).positions == before);
  redoEdit(document);
  editor.frame();
  saveEdits(editor.session, SaveKind::velocity);
  CHECK(editor.unsaved().empty());

  test::Editor again;
  again.open(at.file);
  REQUIRE(again.document.workbench.moving.map.strength.size() == held.size());
  CHECK(again.document.workbench.moving.map.strength[vertex] < 0.05f);
  CHECK(again.unsaved().empty());
}

} // namespace sinew
