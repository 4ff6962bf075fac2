#include "animation/random_model.h"
#include "core/error.h"
#include "demo/demo.h"
#include "weights/paint_layer.h"
#include "weights/paint_test_support.h"
#include "weights/weights_file.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinew;

namespace {

bool same(const Influences& a, const Influences& b) {
  return a.offsets == b.offsets &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                    [](const Influence& x, const Influence& y) {
                      return x.joint == y.joint && x.weight == y.weight;
                    });
}

// The error message for a file.
std::string problemWith(const std::string& text) {
  Model model = PaintSheet().model;
  try {
    weightsFromJson(model, text, "w.json");
  } catch (const Error& error) {
    CHECK(error.cause() == ErrorCause::input);
    std::string message = error.what();
    CHECK(message.starts_with("w.json: "));
    CHECK(message.find('\n') == std::string::npos);
    return message;
  }
  return {};
}

bool says(const std::string& text, const std::string& what) {
  const std::string problem = problemWith(text);
  CAPTURE(problem);
  CAPTURE(what);
  const bool found = problem.find(what) != std::string::npos;
  CHECK(found);
  return found;
}

// Weights of all of the sheet's vertices, the first given.
std::string makeWeightsText(const std::string& first, const char* joints = R"(["Hips", "Head"])") {
  std::string text = std::string(R"({"joints": )") + joints + R"(, "weights": [)" + first;
  for (std::size_t v = 1; v < PaintSheet().rig.positions.size(); ++v)
    text += ", [[0, 1]]";
  return text + "]}";
}

} // namespace

TEST_CASE("weights file: painted weights come back bit by bit, on bones and on splines") {
  for (const char* name : {"humanoid", "body-arm-splines"}) {
    CAPTURE(name);
    Model model = findDemo(name).make();
    Rig rig = buildRig(model);
    const auto stroke = [&](const PaintLayer& layer, std::uint32_t which, Influences& influences) {
      PaintedWeights weights(influences);
      const BrushStamp stamp{*nearestSurfacePoint(layer.surface, rig.positions[40], 1.0f),
                             paintItem(layer, rig, which)};
      REQUIRE(paintable(stamp.item));
      const Brush brush{.radius = 0.2f * computeBounds(rig.positions).size(), .strength = 0.7f};
      CHECK(!paint(weights, layer.surface, brush, {}, std::vector{stamp}).empty());
      influences = weights.joined();
    };
    stroke(boneLayer(model, rig), jointNodes(model).back(), rig.influences);
    if (!model.splines.empty()) stroke(splineLayer(model, rig), 1, rig.splineInfluences);
    Model painted = model;
    takeWeights(painted, rig);
    const std::string text = weightsToJson(painted);
    Model read = model;
    weightsFromJson(read, text, "w.json");
    const Rig again = buildRig(read);
    CHECK(same(again.influences, rig.influences));
    CHECK(same(again.splineInfluences, rig.splineInfluences));
    CHECK(!same(again.influences, buildRig(model).influences));
  }
}

TEST_CASE("paint layer: meshes take their weights where bind matrices of joints without skin mean "
          "nothing") {
  RandomModelOptions options;
  options.joints = 8;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Model model = randomModel(seed, options);
    // Nothing follows the last joint, and its matrix is not one that the rig keeps.
    Skin& skin = model.skins[0];
    skin.joints.back().jointFromBind = mat4(1.0f);
    const auto last = static_cast<std::uint32_t>(skin.joints.size() - 1);
    for (Mesh& mesh : model.meshes)
      for (Influence& influence : mesh.influences.values)
        if (influence.joint == last) influence.joint = 0;
    const Rig rig = buildRig(model);
    CHECK(boneLayer(model, rig).groups.at(0).first == 0);
    Model taken = model;
    takeWeights(taken, rig);
    CHECK(same(buildRig(taken).influences, rig.influences));
  }
}

TEST_CASE("weights file: an error is reported with its position") {
  CHECK(problemWith(makeWeightsText("[[0, 0.5], [1, 0.5]]")).empty());
  says("{", "not valid JSON at line 1, column 2");
  says("[]", "expected");
  says(R"({"joints": []})", "expected");
  says(R"({"sinew": "zones", "joints": {}, "weights": []})", "expected");
  says(R"({"joints": ["Hips"], "weights": [[[0, 1]]]})",
       "weights of 1 vertices; the model has 170");
  says(makeWeightsText("[[0, 1]]", R"(["Hips", "Tail"])"), "no joint 'Tail'");
  says(makeWeightsText("[[0, 1]]", R"(["Hips", "Hips"])"), "'Hips' is in 'joints' twice");
  says(makeWeightsText("[[0, 1]]", R"(["Hips", 3])"), "not a name");
  says(makeWeightsText("[[2, 1]]"), "vertex 0: 2 is none of the 2 names");
  says(makeWeightsText("[[-1, 1]]"), "vertex 0: -1");
  says(makeWeightsText("[[0, null]]"), "weight null is not from 0 to 1");
  says(makeWeightsText("[[0, -0.5], [1, 1.5]]"), "weight -0.5");
  says(makeWeightsText("[[0, 1e999]]"), "too large");
  says(makeWeightsText("[[0, 0.5]]"), "vertex 0: the weights sum to 0.5");
  says(makeWeightsText("[[0, 0.5], [0, 0.5]]"), "0 twice");
  says(makeWeightsText("[[0]]"), "is not [number, weight]");
  says(makeWeightsText("7"), "vertex 0 is not a list");
  std::string splines = makeWeightsText("[[0, 1]]");
  splines.back() = ',';
  says(splines + R"("splines": ["Bend"], "spline_weights": []})", "no spline 'Bend'");
}

TEST_CASE("weights file: an empty list keeps the vertex unchanged") {
  const Model model = PaintSheet().model;
  Model read = model;
  weightsFromJson(read, makeWeightsText("[]"), "w.json");
  const auto was = model.meshes[0].influences.of(0);
  const auto is = read.meshes[0].influences.of(0);
  REQUIRE(is.size() == was.size());
  CHECK(is[0].weight == was[0].weight);
  CHECK(read.meshes[0].influences.of(1).size() == 1);
}

TEST_CASE("weights file: a joint that the vertex's skin lacks is bound as the bind pose has it") {
  PaintSheet sheet;
  Model model = sheet.model;
  model.skins[0].joints.pop_back(); // Head, which stays a node
  model.skins.push_back({{{3, sheet.model.skins[0].joints[3].jointFromBind}}});
  for (Mesh& mesh : model.meshes) {
    Influences hips;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
      hips.append(std::vector<Influence>{{0, 1.0f}});
    mesh.influences = hips;
  }
  weightsFromJson(model, makeWeightsText("[[1, 1]]"), "w.json");
  const Influence first = model.meshes[0].influences.of(0)[0];
  const SkinJoint& joint = model.skins[0].joints.at(first.joint);
  CHECK(joint.node == 3);
  CHECK(joint.jointFromBind == sheet.model.skins[0].joints[3].jointFromBind);
}

TEST_CASE("weights file: a rigid mesh that it has weights for becomes skin where it stands") {
  for (const bool given : {false, true}) {
    CAPTURE(given);
    PaintSheet sheet;
    Model model = sheet.model;
    Mesh rigid;
    rigid.positions = {vec3(0.5f, 0, 0)};
    rigid.normals = {vec3(0, 1, 0)};
    rigid.node = 1; // at (0.8, 0, 0.5)
    model.meshes.push_back(rigid);
    std::string text = makeWeightsText("[[0, 1]]");
    text.insert(text.size() - 2, given ? ", [[1, 1]]" : ", []");
    weightsFromJson(model, text, "w.json");
    const Mesh& mesh = model.meshes[1];
    CHECK(mesh.skin.has_value() == given);
    CHECK(model.skins.size() == (given ? 2 : 1));
    if (!given) continue;
    CHECK(mesh.positions[0] == vec3(1.3f, 0, 0.5f));
    const SkinJoint& joint = model.skins[1].joints.at(mesh.influences.of(0)[0].joint);
    CHECK(joint.node == 3);
    CHECK(joint.jointFromBind == sheet.model.skins[0].joints[3].jointFromBind);
  }
}
