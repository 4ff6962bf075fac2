// Free splines in a session: laid, painted in colours, undone, saved and read.
#include "editor/bind/draft.h"
#include "editor/edit_files.h"
#include "editor/session_test_support.h"
#include "skinning/joint_test_support.h"

#include <fmt/format.h>

#include <algorithm>

using namespace sinew;
using namespace sinew::test;

namespace {

// The session with a demo's mesh; `file` is what it was read from.
struct SplineEditor : Editor {
  const SplineSet& set() const {
    REQUIRE(document.history.now().splines != nullptr);
    return *document.history.now().splines;
  }
  std::size_t count() const { return getSplines(document, session.bind).size(); }
  void add(const char* joint = nullptr) {
    selectJoint(document, joint == nullptr ? std::nullopt : std::optional(node(joint)));
    newSpline(document, session.bind, session.splines);
    frame();
  }
  std::vector<vec3> posed(const char* method) const {
    return skinned(findMethod(method), document.workbench.rig, document.workbench.modelFromNode)
        .positions;
  }
};

// A tube without a skeleton as an OBJ.
void writeTube(const std::filesystem::path& file) {
  std::string text;
  constexpr int kRings = 20, kAround = 12;
  for (int r = 0; r <= kRings; ++r)
    for (int k = 0; k < kAround; ++k) {
      const double angle = 6.283185307 * k / kAround;
      text += fmt::format("v {} {} {}\n", 0.1 * std::cos(angle), 0.1 * r, 0.1 * std::sin(angle));
    }
  for (int r = 0; r < kRings; ++r)
    for (int k = 0; k < kAround; ++k) {
      const int a = 1 + r * kAround + k, b = 1 + r * kAround + (k + 1) % kAround;
      text += fmt::format("f {} {} {} {}\n", a, a + kAround, b + kAround, b);
    }
  writeFile(file, text);
}

} // namespace

TEST_CASE("splines in a session: laid on a mesh without a skeleton, posed, undone, saved, read") {
  const InFolder at;
  const std::string file = (at.folder.path / "tube.obj").string();
  writeTube(file);
  SplineEditor editor;
  editor.document.settings.methods = parseMethods("arc-spline,lbs");
  editor.open(file);
  const std::vector<vec3> before = editor.posed("arc-spline");
  editor.add();
  REQUIRE(editor.count() == 1);
  CHECK(editor.unsaved() == std::vector<std::string>{"the free splines"});
  CHECK(largestMove(before, editor.posed("arc-spline")) < 1e-5f);
  // The middle control point aside: the tube bends by the spline and not by linear blending.
  const std::string middle = controlPointName(editor.set().splines[0], 1);
  Transform& moved = editedPose(editor.document).parentFromNode[editor.node(middle.c_str())];
  moved.translation += vec3(0.4f, 0, 0);
  commitEdit(editor.document, "Move");
  editor.frame();
  CHECK(largestMove(before, editor.posed("arc-spline")) > 0.2f);
  CHECK(largestMove(before, editor.posed("lbs")) < 1e-5f);
  const std::vector<vec3> bent = editor.posed("arc-spline");
  // A second spline keeps the pose; so does undoing it.
  editor.add(controlPointName(editor.set().splines[0], 2).c_str());
  REQUIRE(editor.count() == 2);
  CHECK(editor.set().splines[1].parent == controlPointName(editor.set().splines[0], 2));
  CHECK(holdsPose(editor.document));
  undoEdit(editor.document);
  editor.frame();
  CHECK(editor.count() == 1);
  CHECK(largestMove(bent, editor.posed("arc-spline")) == 0.0f);
  undoEdit(editor.document); // the pose
  undoEdit(editor.document); // the spline
  editor.frame();
  CHECK(editor.count() == 0);
  CHECK(editor.document.workbench.model.splines.empty());
  CHECK(editor.unsaved().empty());
  redoEdit(editor.document);
  redoEdit(editor.document);
  editor.frame();
  CHECK(largestMove(bent, editor.posed("arc-spline")) == 0.0f);
  saveEdits(editor.session, SaveKind::splines);
  CHECK(editor.unsaved() == std::vector<std::string>{"the edited pose"});
  CHECK(std::filesystem::exists(file + ".splines.json"));
  const Pose pose = editor.document.workbench.pose;
  SplineEditor again;
  again.document.settings.methods = parseMethods("arc-spline");
  again.open(file);
  REQUIRE(again.count() == 1);
  CHECK(again.unsaved().empty());
  editedPose(again.document) = pose;
  commitEdit(again.document, "Pose");
  again.frame();
  CHECK(largestMove(bent, again.posed("arc-spline")) < 1e-5f);
  // Removed: the file still has it, so that is work too.
  removeLaidSpline(again.document, again.session.bind, 0);
  again.frame();
  CHECK(again.count() == 0);
  CHECK(again.unsaved() == std::vector<std::string>{"the free splines", "the edited pose"});
}

TEST_CASE("splines in a session: placed, attached, renamed; what cannot be is refused") {
  const InFolder at;
  SplineEditor editor;
  editor.document.settings.methods = parseMethods("arc-spline");
  editor.open(at.file);
  editor.add("UpperArm");
  const SplineSketch first = editor.set().splines[0];
  CHECK(first.parent == "UpperArm");
  auto points = first.points;
  points[1] += vec3(0, 0.2f, 0);
  placeLaidSpline(editor.document, editor.session.bind, 0, points);
  editor.frame();
  CHECK(editor.set().splines[0].points == points);
  CHECK(editor.document.workbench.model.splines[0].points == points);
  // What is moved in the bind pose also moves in a held pose.
  editor.rotate("LowerArm", 0.5f);
  editor.frame();
  const auto middle = [&] {
    const std::uint32_t node = editor.document.workbench.model.splines[0].nodes[1];
    return vec3(editor.document.workbench.modelFromNode[node][3]);
  };
  const vec3 before = middle();
  points[1] += vec3(0, 0.1f, 0);
  placeLaidSpline(editor.document, editor.session.bind, 0, points);
  editor.frame();
  CHECK(holdsPose(editor.document));
  CHECK(glm::length(middle() - before - vec3(0, 0.1f, 0)) < 1e-5f);
  renameLaidSpline(editor.document, editor.session.bind, 0, "bow");
  editor.frame();
  CHECK(editor.node("bow.2") > editor.node("bow.1"));
  attachLaidSpline(editor.document, editor.session.bind, 0, "nobody");
  CHECK(editor.hasMessage("'nobody', which the model does not have"));
  CHECK(editor.set().splines[0].parent == "UpperArm");
  renameLaidSpline(editor.document, editor.session.bind, 0, "");
  CHECK(editor.hasMessage("no name"));
  CHECK(editor.set().splines[0].name == "bow");
  // A file of splines; a bad one changes nothing.
  writeFile("bad.json", R"({"sinew": "splines", "splines": [{"name": 7}]})");
  CHECK(openEdits(editor.session, "bad.json"));
  CHECK(editor.hasMessage("bad.json: 'name' of spline 1 is 7"));
  CHECK(editor.count() == 1);
}

TEST_CASE("splines in a session: painted bones stay through it, and skin goes back to them") {
  const InFolder at;
  SplineEditor editor;
  editor.open(at.file);
  // Weights painted by hand.
  const Rig& rig = editor.document.workbench.rig;
  PaintedWeights painted(rig.influences);
  Influences fresh;
  fresh.append(std::vector<Influence>{{0, 1.0f}});
  const std::uint32_t vertex = 7;
  painted.replace({{vertex}}, fresh);
  editor.document.history.live().weights.bones = painted;
  commitEdit(editor.document, "Paint");
  editor.frame();
  const std::vector<float> weights = collectWeights(editor.document);
  editor.add("LowerArm");
  CHECK(collectWeights(editor.document) == weights);
  CHECK(editor.unsaved() == std::vector<std::string>{"the free splines", "the painted weights"});
  saveEdits(editor.session, SaveKind::weights);
  saveEdits(editor.session, SaveKind::splines);
  CHECK(editor.unsaved().empty());
  SplineEditor again;
  again.open(at.file);
  CHECK(collectWeights(again.document) == weights);
  CHECK(again.count() == 1);
  // The weights are still read without the splines: they do not name the splines.
  std::filesystem::remove(at.file + ".splines.json");
  SplineEditor without;
  without.open(at.file);
  CHECK(collectWeights(without.document) == weights);
  CHECK(without.count() == 0);
  for (const std::string& warning : without.document.workbench.model.warnings)
    CHECK(warning.find("weights file ignored") == std::string::npos);
}

TEST_CASE("splines in a session: a colour is painted for three splines at once") {
  const InFolder at;
  SplineEditor editor;
  Document& document = editor.document;
  PaintState& paint = editor.session.paint;
  document.settings.methods = parseMethods("arc-spline");
  document.settings.clip = "none";
  editor.open(at.file);
  for (const char* joint : {"UpperArm", "LowerArm", "Hand"})
    editor.add(joint);
  REQUIRE(editor.count() == 3);
  paint.choices.splines = paint.choices.colors = true;
  paint.choices.color = {0.25f, 0.75f, 0.0f};
  paint.choices.brush.strength = 1.0f;
  paint.choices.brush.falloff = BrushFalloff::constant;
  document.tool = Tool::paint;
  selectJoint(document, document.workbench.model.splines[0].nodes[0]);
  editor.frame();
  const View view = viewOfModel(document);
  const PaintPick& surface = paintSurface(document, paint, 0, view);
  const vec2 pixel = findPixelNear(
      view, surface, vec3(document.workbench.modelFromNode[editor.node("LowerArm")][3]));
  const auto stroke = [&](BrushMode mode) {
    paint.hover = paintSurface(document, paint, 0, view).grid.at(pixel);
    REQUIRE(paint.hover);
    startStroke(document, editor.session.posing, paint, 0, pixel, mode);
    const Triangle corners = document.workbench.rig.triangles[paint.hover->triangle];
    endStroke(document, paint);
    editor.frame();
    return corners[0];
  };
  const std::uint32_t vertex = stroke(BrushMode::add);
  const auto colorAt = [&] { return paintedColors(document, paint)[vertex]; };
  CHECK(glm::length(colorAt() - vec3(0.25f, 0.75f, 0.0f)) < 1e-4f);
  CHECK(document.history.undoWord().starts_with("Colour"));
  // Taken away, the vertex is its bones' again, by their weights.
  CHECK(stroke(BrushMode::subtract) == vertex);
  const Rig& rig = document.workbench.rig;
  for (const Influence& influence : rig.splineInfluences.of(vertex))
    CHECK(rig.splines[influence.joint].source == kNoNode);
  CHECK(rig.splineInfluences.of(vertex).size() == rig.influences.of(vertex).size());
  CHECK(rig.splineInfluences.of(vertex)[0].weight ==
        doctest::Approx(rig.influences.of(vertex)[0].weight).epsilon(1e-5));
  undoEdit(document);
  editor.frame();
  CHECK(glm::length(colorAt() - vec3(0.25f, 0.75f, 0.0f)) < 1e-4f);
  // What was painted is saved with the splines.
  saveEdits(editor.session, SaveKind::splines);
  CHECK(editor.unsaved().empty());
  SplineEditor again;
  again.open(at.file);
  CHECK(again.set().weights.values.size() > 0);
  again.session.paint.choices = paint.choices;
  again.document.tool = Tool::paint;
  CHECK(glm::length(paintedColors(again.document, again.session.paint)[vertex] -
                    vec3(0.25f, 0.75f, 0.0f)) < 1e-4f);
}

TEST_CASE("splines in a session: they stay on the mesh when it is bound again, where they can") {
  const InFolder at;
  SplineEditor editor;
  editor.open(at.file);
  editor.add("LowerArm");
  draftOwnJoints(editor.document, editor.session.bind);
  editor.frame();
  CHECK(editor.count() == 0);
  CHECK(editor.document.workbench.model.splines.empty());
  leaveDraft(editor.document, editor.session.bind);
  editor.frame();
  CHECK(editor.count() == 1);
  CHECK(editor.document.workbench.model.splines.size() == 1);
  startBinding(editor.document, editor.session.bind);
  editor.wait();
  CHECK(editor.count() == 1);
  CHECK(editor.document.workbench.model.splines.size() == 1);
  CHECK(editor.unsaved() == std::vector<std::string>{"the bound skin, as .glb"});
}

TEST_CASE("splines in a session: a model's own are placed, left out, undone and saved") {
  const InFolder at;
  SplineEditor editor;
  const auto prepare = [](SplineEditor& made) {
    Settings& settings = made.document.settings;
    settings.methods = parseMethods("arc-spline");
    settings.clip = "bend-and-twists";
    settings.time = 2.0f;
    settings.playing = false;
  };
  prepare(editor);
  editor.open("demo:body-arm-splines");
  const std::size_t own = editor.count();
  REQUIRE(own > 1);
  CHECK(editor.unsaved().empty());
  const std::vector<vec3> before = editor.posed("arc-spline");
  const std::vector<SplineSketch> sketches = getSplines(editor.document, editor.session.bind);
  auto points = sketches[1].points;
  points[1] += vec3(0, 0.1f, 0);
  placeLaidSpline(editor.document, editor.session.bind, 1, points);
  editor.frame();
  CHECK(editor.document.workbench.model.splines[1].points == points);
  CHECK(editor.document.workbench.model.splines[1].nodes ==
        bareModel(editor.document, editor.session.bind).splines[1].nodes);
  CHECK(editor.unsaved() == std::vector<std::string>{"the free splines"});
  removeLaidSpline(editor.document, editor.session.bind, 0);
  editor.frame();
  CHECK(editor.count() == own - 1);
  CHECK(editor.document.workbench.model.splines.size() == own - 1);
  saveEdits(editor.session, SaveKind::splines);
  CHECK(editor.unsaved().empty());
  const std::vector<vec3> changed = editor.posed("arc-spline");
  CHECK(largestMove(before, changed) > 1e-3f);
  editor.add(); // beside the own ones
  CHECK(editor.count() == own);
  for (int i = 0; i < 3; ++i) {
    undoEdit(editor.document);
    editor.frame();
  }
  CHECK(editor.count() == own);
  CHECK(largestMove(before, editor.posed("arc-spline")) == 0.0f);

  SplineEditor again;
  prepare(again);
  openModel(again.session,
            {{.model = "demo:body-arm-splines",
              .splines = sidecarPath("demo:body-arm-splines", kSplinesSidecar).string()}});
  again.wait();
  CHECK(again.count() == own - 1);
  CHECK(largestMove(changed, again.posed("arc-spline")) == 0.0f);
}
