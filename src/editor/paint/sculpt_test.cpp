// Sculpting a corrective shape on the posed surface, without the window.
#include "editor/document/clip_time.h"
#include "editor/edit_files.h"
#include "editor/paint/sculpt.h"
#include "editor/pose/driving.h"
#include "editor/session_test_support.h"

#include <algorithm>

using namespace sinew;
using namespace sinew::test;

namespace {

struct Sculptor : Editor {
  View view;

  explicit Sculptor(const char* method) {
    open("demo:arm");
    document.settings.methods = parseMethods(method);
    setClip(document, "bind");
    document.tool = Tool::sculpt;
    session.paint.choices.brush.radius =
        0.15f * computeBounds(document.workbench.rig.positions).size();
    frame();
  }

  // A stroke over the elbow; returns where it has brought the vertices.
  std::vector<vec3> stroke(SculptBrush brush) {
    view = viewOfModel(document);
    PaintState& paint = session.paint;
    const vec3 elbow(document.workbench.modelFromNode[node("LowerArm")][3]);
    const vec2 pixel = findPixelNear(view, paintSurface(document, paint, 0, view), elbow);
    paint.hover = paintSurface(document, paint, 0, view).grid.at(pixel);
    REQUIRE(paint.hover);
    startSculpt(document, paint, session.sculpt, 0, pixel, brush, false);
    frame();
    for (int i = 1; i < 6 && session.sculpt.stroke; ++i) {
      continueSculpt(document, paint, session.sculpt, view,
                     pixel + vec2(3.0f * static_cast<float>(i), 0.0f));
      frame();
    }
    std::vector<vec3> places;
    if (session.sculpt.stroke) places = session.sculpt.stroke->places;
    endSculpt(document, session.sculpt);
    frame();
    return places;
  }

  std::vector<vec3> posed() const {
    return skinOnCpu(document.workbench, document.workbench.bound.front()).positions;
  }
};

float farthest(const std::vector<vec3>& a, const std::vector<vec3>& b) {
  float largest = 0.0f;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, glm::distance(a[i], b[i]));
  return largest;
}

} // namespace

TEST_CASE("sculpting: a stroke on the posed surface is a corrective shape, by any method") {
  for (const char* method : {"lbs", "dqs", "bones-blending", "arc-spline"}) {
    CAPTURE(method);
    Sculptor editor(method);
    Document& document = editor.document;
    const float size = computeBounds(document.workbench.rig.positions).size();
    editor.rotate("LowerArm", 1.2f);
    editor.frame();
    const std::vector<vec3> before = editor.posed();
    const std::vector<vec3> wanted = editor.stroke(SculptBrush::push);
    REQUIRE(wanted.size() == before.size());
    CHECK(farthest(wanted, before) > 0.005f * size);
    CHECK(farthest(editor.posed(), wanted) < 1e-4f * size);
    CHECK(document.history.undoWord() == "Push the surface");
    CHECK(shapeHere(document) == "sculpt 1");
    REQUIRE(getDrivers(document).drivers.size() == 1);
    CHECK(getInputs(getDrivers(document).drivers[0])[0].joint == "LowerArm");

    // A further stroke in this pose changes the same shape.
    const std::vector<vec3> smoothed = editor.stroke(SculptBrush::smooth);
    CHECK(farthest(editor.posed(), smoothed) < 1e-4f * size);
    CHECK(getDrivers(document).shapes.size() == 1);

    undoEdit(document);
    editor.frame();
    CHECK(farthest(editor.posed(), wanted) < 1e-4f * size);
    undoEdit(document);
    editor.frame();
    CHECK(farthest(editor.posed(), before) == 0.0f);
    CHECK(document.workbench.model.morphTargets.empty());
    redoEdit(document);
    editor.frame();
    CHECK(farthest(editor.posed(), wanted) < 1e-4f * size);
    undoEdit(document); // the stroke
    undoEdit(document); // the rotation
    redoEdit(document);
    redoEdit(document);
    editor.frame();
    CHECK(farthest(editor.posed(), wanted) < 1e-4f * size);
  }
}

TEST_CASE(
    "sculpting: at rest there is nothing to weigh a shape by, and Escape takes a stroke away") {
  Sculptor editor("lbs");
  Document& document = editor.document;
  CHECK(editor.stroke(SculptBrush::push).empty());
  CHECK(editor.hasMessage("no joint of the moved vertices is turned"));
  CHECK(getDrivers(document).empty());
  editor.rotate("LowerArm", 1.0f);
  editor.frame();
  const std::vector<vec3> before = editor.posed();
  PaintState& paint = editor.session.paint;
  const vec3 elbow(document.workbench.modelFromNode[editor.node("LowerArm")][3]);
  editor.view = viewOfModel(document);
  const vec2 pixel =
      findPixelNear(editor.view, paintSurface(document, paint, 0, editor.view), elbow);
  paint.hover = paintSurface(document, paint, 0, editor.view).grid.at(pixel);
  startSculpt(document, paint, editor.session.sculpt, 0, pixel, SculptBrush::push, false);
  editor.frame();
  CHECK(farthest(editor.posed(), before) > 0.0f);
  CHECK(discardOpenEdit(document));
  editor.session.sculpt.stroke.reset(); // as the window does then
  editor.frame();
  CHECK(farthest(editor.posed(), before) == 0.0f);
}

TEST_CASE("sculpting: drivers with shapes are opened into the open model") {
  const InFolder at;
  Sculptor editor("lbs");
  editor.rotate("LowerArm", 1.2f);
  editor.frame();
  const std::vector<vec3> wanted = editor.stroke(SculptBrush::push);
  const std::filesystem::path file = at.folder.path / "shapes.json";
  saveEdits(editor.session, SaveKind::drivers, file);

  Sculptor again("lbs");
  again.rotate("LowerArm", 1.2f);
  again.frame();
  const std::vector<vec3> without = again.posed();
  openFile(again.session, file.string());
  const MeshChanges changes = again.frame();
  CHECK(changes.storage);
  CHECK(getDrivers(again.document) == getDrivers(editor.document));
  CHECK(farthest(again.posed(), editor.posed()) < 1e-6f);
  undoEdit(again.document);
  again.frame();
  CHECK(farthest(again.posed(), without) == 0.0f);
}
