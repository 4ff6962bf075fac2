// Cameras, lights and custom properties from FBX to glTF, from glTF to FBX, and back.
#include "export/fbx/fbx.h"
#include "export/glb.h"
#include "import/fbx/fbx_test_scene.h"
#include "import/gltf/gltf_test_file.h"
#include "model/check_model.h"
#include "model/model_bytes.h"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

using namespace sinew;
using namespace sinew::test;

namespace {

using Json = nlohmann::ordered_json;

Json sceneJson(const std::string& glb) {
  std::uint32_t length = 0;
  std::memcpy(&length, &glb.at(12), sizeof length);
  return Json::parse(glb.substr(20, length));
}

Model refilmed(const Model& model, FbxUp up = FbxUp::y) {
  FbxOptions options;
  options.up = up;
  return importFbx(toFbx(model, options).bytes);
}

std::string attributeWith(const std::string& properties) {
  return "Properties70:  {\n" + properties + "}\n";
}

std::string wholeNumber(const std::string& name, int value) {
  return fmt::format("P: \"{}\", \"enum\", \"\", \"\",{}\n", name, value);
}

// What a file needs to be read.
FbxText withMesh() {
  FbxText file;
  file.model(90, "strip", "Mesh");
  file.object(91, "Geometry", "Geometry::strip", "Mesh", stripMesh(""), 90);
  return file;
}

// A model with one attribute.
FbxText attributed(const char* kind, const std::string& properties) {
  FbxText file = withMesh();
  file.model(1, "holder", kind, vector("Lcl Rotation", 0, 90, 0));
  file.object(2, "NodeAttribute", std::string("NodeAttribute::own"), kind,
              attributeWith(properties), 1);
  return file;
}

SceneCamera readCamera(const std::string& properties) {
  const Model model = importFbx(attributed("Camera", properties));
  const auto node = findNode(model.hierarchy, "holder");
  REQUIRE(node);
  REQUIRE(model.hierarchy.nodes[*node].camera);
  return *model.hierarchy.nodes[*node].camera;
}

SceneLight readLight(const std::string& properties) {
  const Model model = importFbx(attributed("Light", properties));
  const auto node = findNode(model.hierarchy, "holder");
  REQUIRE(node);
  REQUIRE(model.hierarchy.nodes[*node].light);
  return *model.hierarchy.nodes[*node].light;
}

double toDegrees(float radians) {
  return glm::degrees(static_cast<double>(radians));
}

// Ways of the camera and the light of a model, in the model.
struct Ways {
  vec3 look{0.0f}, up{0.0f}, shine{0.0f};
};

Ways collectDirections(const Model& model) {
  Ways out;
  const auto places = modelFromNodes(model.hierarchy, restPose(model.hierarchy));
  for (std::size_t n = 0; n < places.size(); ++n) {
    const Node& node = model.hierarchy.nodes[n];
    if (node.camera) {
      const mat3 turned = mat3(places[n]) * glm::mat3_cast(node.camera->nodeFromCamera);
      out.look = glm::normalize(-turned[2]);
      out.up = glm::normalize(turned[1]);
    }
    if (node.light) {
      const mat3 turned = mat3(places[n]) * glm::mat3_cast(node.light->nodeFromLight);
      out.shine = glm::normalize(-turned[2]);
    }
  }
  return out;
}

bool sameWay(const vec3& a, const vec3& b) {
  return glm::distance(a, b) < 1e-5f;
}

const Node& nodeWith(const Model& model, bool camera) {
  for (const Node& node : model.hierarchy.nodes)
    if (camera ? node.camera.has_value() : node.light.has_value()) return node;
  FAIL("there is none");
  return model.hierarchy.nodes.front();
}

GltfFile filmedSquare() {
  GltfFile file;
  file.json["nodes"] = Json::parse(R"([
    {"mesh": 0, "name": "square", "children": [1, 2],
     "extras": {"health": 7, "speed": 1.5, "boss": true, "title": "the \"first\"",
                "home": [1, 2, 3.5], "bag": {"coins": [1, 2]}}},
    {"name": "eye", "camera": 0, "translation": [0, 1, 5], "rotation": [0.5, 0.5, 0.5, 0.5]},
    {"name": "lantern", "rotation": [0.6, 0, 0, 0.8],
     "extensions": {"KHR_lights_punctual": {"light": 0}}}])");
  file.json["cameras"] = Json::parse(R"([{"name": "lens", "type": "perspective",
    "perspective": {"yfov": 0.6, "aspectRatio": 1.6, "znear": 0.25, "zfar": 80}}])");
  file.json["extensionsUsed"] = {"KHR_lights_punctual"};
  file.json["extensions"]["KHR_lights_punctual"]["lights"] = Json::parse(R"([{"name": "bulb",
    "type": "spot", "color": [1, 0.5, 0.25], "intensity": 3, "range": 12,
    "spot": {"innerConeAngle": 0.2, "outerConeAngle": 0.5}}])");
  return file;
}

Model importFilmed(GltfFile file) {
  const TempFolder folder;
  return importModel(folder.write("t.gltf", file.text()));
}

} // namespace

TEST_CASE("FBX cameras: the angle by every way to state it") {
  const std::string wide = number("AspectWidth", 1600) + number("AspectHeight", 1000);
  CHECK(toDegrees(readCamera(wide).fieldOfView) == doctest::Approx(25.115));
  CHECK(readCamera(wide).aspect.value_or(0.0f) == doctest::Approx(1.6));
  CHECK(toDegrees(readCamera(wide + wholeNumber("ApertureMode", 2) + number("FieldOfView", 50))
                      .fieldOfView) == doctest::Approx(50));
  CHECK(toDegrees(readCamera(wide + wholeNumber("ApertureMode", 0) + number("FieldOfViewY", 30))
                      .fieldOfView) == doctest::Approx(30));
  // tan(v / 2) = tan(40) / 1.6
  CHECK(toDegrees(readCamera(wide + wholeNumber("ApertureMode", 1) + number("FieldOfView", 80))
                      .fieldOfView) == doctest::Approx(55.34838));
  const std::string film = wide + wholeNumber("ApertureMode", 3) + number("FilmWidth", 1.5) +
                           number("FilmHeight", 1.0) + number("FocalLength", 50);
  // The height of the film, 25.4 mm.
  CHECK(toDegrees(readCamera(film).fieldOfView) == doctest::Approx(28.50348));
  // The width of the film over the aspect, 23.8125 mm.
  CHECK(toDegrees(readCamera(film + wholeNumber("GateFit", 2)).fieldOfView) ==
        doctest::Approx(26.78822));
  CHECK(readCamera(film + wholeNumber("GateFit", 3)).fieldOfView ==
        readCamera(film + wholeNumber("GateFit", 2)).fieldOfView);
  CHECK(readCamera(film + wholeNumber("GateFit", 4)).fieldOfView == readCamera(film).fieldOfView);
}

TEST_CASE("FBX cameras: planes, what an orthographic one sees, and which way they look") {
  const SceneCamera camera = readCamera(number("NearPlane", 2) + number("FarPlane", 900));
  CHECK(camera.name == "own");
  CHECK_FALSE(camera.isOrthographic);
  CHECK(camera.nearPlane == 2.0f);
  CHECK(camera.farPlane == 900.0f);
  const SceneCamera flat =
      readCamera(wholeNumber("CameraProjectionType", 1) + number("OrthoZoom", 2) +
                 number("AspectWidth", 300) + number("AspectHeight", 100));
  CHECK(flat.isOrthographic);
  CHECK(flat.height == doctest::Approx(60));
  CHECK(flat.aspect.value_or(0.0f) == doctest::Approx(3));
  // Along +X of its model, which is turned by 90 degrees about Y.
  const Model model = importFbx(attributed("Camera", ""));
  CHECK(sameWay(collectDirections(model).look, {0, 0, -1}));
  CHECK(sameWay(collectDirections(model).up, {0, 1, 0}));
  CHECK(modelProblem(model).empty());
}

TEST_CASE("FBX lights: kinds, colour, angles and range") {
  const std::string color = "P: \"Color\", \"Color\", \"\", \"A\",1,0.5,0.25\n";
  const SceneLight spot =
      readLight(wholeNumber("LightType", 2) + color + number("Intensity", 250) +
                number("InnerAngle", 30) + number("OuterAngle", 80) +
                wholeNumber("EnableFarAttenuation", 1) + number("FarAttenuationEnd", 40));
  CHECK(spot.kind == LightKind::spot);
  CHECK(spot.color == vec3(1.0f, 0.5f, 0.25f));
  CHECK(spot.intensity == doctest::Approx(2.5));
  CHECK(toDegrees(spot.innerAngle) == doctest::Approx(15));
  CHECK(toDegrees(spot.outerAngle) == doctest::Approx(40));
  CHECK(spot.range.value_or(0.0f) == doctest::Approx(40));
  CHECK(readLight("").kind == LightKind::point);
  CHECK(readLight("").intensity == 1.0f);
  CHECK_FALSE(readLight("").range);
  CHECK(readLight(wholeNumber("LightType", 1)).kind == LightKind::directional);
  CHECK(readLight(wholeNumber("CastLight", 0)).intensity == 0.0f);
  CHECK(sameWay(collectDirections(importFbx(attributed("Light", ""))).shine, {0, -1, 0}));
  const Model area = importFbx(attributed("Light", wholeNumber("LightType", 3)));
  REQUIRE(area.warnings.size() == 1);
  CHECK(area.warnings[0] == "not used: 1 light of an area or a volume");
}

TEST_CASE("FBX cameras and lights become those of glTF, turned by nodes of their own") {
  FbxText file = attributed("Camera", number("FieldOfView", 50) + number("NearPlane", 2));
  file.model(5, "lantern", "Light", vector("Lcl Translation", 1, 2, 3));
  file.object(6, "NodeAttribute", "NodeAttribute::bulb", "Light",
              attributeWith(wholeNumber("LightType", 2) + number("OuterAngle", 60)), 5);
  const Model model = importFbx(file);
  CHECK(model.warnings.empty());
  const std::string glb = toGlb(model);
  const Json json = sceneJson(glb);
  const Json& camera = json.at("cameras").at(0);
  CHECK(camera.at("type") == "perspective");
  CHECK(camera.at("perspective").at("yfov").get<double>() == doctest::Approx(glm::radians(50.0)));
  CHECK(camera.at("perspective").at("znear") == 2.0);
  CHECK(camera.at("perspective").at("zfar") == 4000.0);
  const Json& light = json.at("extensions").at("KHR_lights_punctual").at("lights").at(0);
  CHECK(light.at("type") == "spot");
  CHECK(light.at("spot").at("outerConeAngle").get<double>() == doctest::Approx(glm::radians(30.0)));
  CHECK(json.at("extensionsUsed").at(0) == "KHR_lights_punctual");
  const TempFolder folder;
  const Model back = importModel(folder.write("m.glb", glb));
  CHECK(sameWay(collectDirections(back).look, collectDirections(model).look));
  CHECK(sameWay(collectDirections(back).up, collectDirections(model).up));
  CHECK(sameWay(collectDirections(back).shine, collectDirections(model).shine));
  // A second FBX file has as many nodes as the first: there they stand as the format wants.
  CHECK(refilmed(model).hierarchy.nodes.size() == model.hierarchy.nodes.size());
}

TEST_CASE("glTF cameras and lights become those of FBX, in its units and axes") {
  const Model model = importFilmed(filmedSquare());
  const SceneCamera& lens = *nodeWith(model, true).camera;
  CHECK(lens.name == "lens");
  CHECK(lens.fieldOfView == doctest::Approx(0.6));
  CHECK(nodeWith(model, false).light->range.value_or(0.0f) == 12.0f);
  for (const FbxUp up : {FbxUp::y, FbxUp::z}) {
    const Model back = refilmed(model, up);
    CHECK(back.warnings.empty());
    const Ways before = collectDirections(model), after = collectDirections(back);
    CHECK(sameWay(before.look, after.look));
    CHECK(sameWay(before.up, after.up));
    CHECK(sameWay(before.shine, after.shine));
    const SceneCamera& camera = *nodeWith(back, true).camera;
    CHECK(camera.name == "lens");
    CHECK(camera.fieldOfView == doctest::Approx(0.6));
    CHECK(camera.aspect.value_or(0.0f) == doctest::Approx(1.6));
    CHECK(camera.nearPlane == doctest::Approx(25)); // centimetres
    CHECK(camera.farPlane.value_or(0.0f) == doctest::Approx(8000));
    const SceneLight& light = *nodeWith(back, false).light;
    CHECK(light.kind == LightKind::spot);
    CHECK(light.color == vec3(1.0f, 0.5f, 0.25f));
    CHECK(light.intensity == doctest::Approx(3));
    CHECK(light.range.value_or(0.0f) == doctest::Approx(1200));
    CHECK(light.innerAngle == doctest::Approx(0.2));
    CHECK(light.outerAngle == doctest::Approx(0.5));
  }
}

TEST_CASE("an orthographic camera comes through glTF and FBX") {
  GltfFile file = filmedSquare();
  file.json["cameras"][0] = Json::parse(R"({"type": "orthographic",
    "orthographic": {"xmag": 3, "ymag": 2, "znear": 0, "zfar": 10}})");
  const Model model = importFilmed(file);
  using Unordered = nlohmann::json;
  const Json made = sceneJson(toGlb(model));
  CHECK(Unordered::parse(made.at("cameras").at(0).dump()) ==
        Unordered::parse(file.json["cameras"][0].dump()));
  const Model back = refilmed(model);
  const SceneCamera& camera = *nodeWith(back, true).camera;
  CHECK(camera.isOrthographic);
  CHECK(camera.height == doctest::Approx(400));
  CHECK(camera.aspect.value_or(0.0f) == doctest::Approx(1.5));
}

TEST_CASE("cameras and lights that a glTF file names wrongly are ignored") {
  GltfFile file = filmedSquare();
  file.json["nodes"][1]["camera"] = 7;
  file.json["nodes"][2]["extensions"]["KHR_lights_punctual"]["light"] = "bulb";
  file.json["nodes"][0]["extras"] = 5;
  const Model model = importFilmed(file);
  for (const Node& node : model.hierarchy.nodes) {
    CHECK_FALSE(node.camera);
    CHECK_FALSE(node.light);
    CHECK(node.extras.empty());
  }
}

TEST_CASE("custom properties of FBX models become extras") {
  FbxText file = withMesh();
  file.model(1, "holder", "Null",
             "P: \"title\", \"KString\", \"\", \"U\", \"the &quot;first&quot;\"\n"
             "P: \"speed\", \"Number\", \"\", \"A+U\",1.5\n"
             "P: \"weight\", \"double\", \"Number\", \"A+U\",2.5,0,10\n"
             "P: \"health\", \"int\", \"Integer\", \"A+U\",7\n"
             "P: \"boss\", \"bool\", \"\", \"A+U\",1\n"
             "P: \"home\", \"Vector3D\", \"Vector\", \"A+U\",1,2,3.5\n"
             "P: \"tint\", \"Color\", \"\", \"A+U\",0.25,0.5,0.75\n"
             "P: \"team\", \"Enum\", \"\", \"A+U\",1, \"red~green~blue\"\n"
             "P: \"level\", \"Enum\", \"\", \"A+U\",4, \"low~high\"\n"
             "P: \"link\", \"object\", \"\", \"U\"\n"
             "P: \"UDP3DSMAX\", \"KString\", \"\", \"U\", \"mass = 3&cr;&lf;kind: crate\"\n"
             "P: \"Show\", \"bool\", \"\", \"\",1\n");
  const Model model = importFbx(file);
  const auto node = findNode(model.hierarchy, "holder");
  REQUIRE(node);
  Json wanted = Json::parse(R"({"title": "the \"first\"", "speed": 1.5, "weight": 2.5, "health": 7,
    "boss": true, "home": [1.0, 2.0, 3.5], "tint": [0.25, 0.5, 0.75], "team": "green",
    "level": 4})");
  wanted["mass"] = "3"; // lines of 3ds Max
  wanted["kind"] = "crate";
  CHECK(Json::parse(model.hierarchy.nodes[*node].extras) == wanted);
  const Json json = sceneJson(toGlb(model));
  CHECK(json.at("nodes").at(*node).at("extras").at("team") == "green");
}

TEST_CASE("numbers out of range in what is not drawn do not refuse an FBX file") {
  FbxText file = attributed("Camera", wholeNumber("ApertureMode", 2) +
                                          "P: \"GateFit\", \"enum\", \"\", \"\",1e300\n");
  file.model(5, "lantern", "Light",
             "P: \"health\", \"int\", \"\", \"U\",1e300\n" +
                 std::string("P: \"speed\", \"Number\", \"\", \"U\",2\n"));
  file.object(6, "NodeAttribute", "NodeAttribute::bulb", "Light",
              attributeWith("P: \"LightType\", \"enum\", \"\", \"\",1e300\n"), 5);
  const Model model = importFbx(file);
  for (const Node& node : model.hierarchy.nodes) {
    CHECK_FALSE(node.camera);
    CHECK_FALSE(node.light);
  }
  const auto lantern = findNode(model.hierarchy, "lantern");
  REQUIRE(lantern);
  CHECK(model.hierarchy.nodes[*lantern].extras == R"({"speed":2.0})");
}

TEST_CASE("extras of glTF nodes become custom properties of FBX, also of skinned meshes' nodes") {
  const GltfFile file = filmedSquare();
  const Model model = importFilmed(file);
  const Json wanted = file.json["nodes"][0]["extras"];
  const Model back = refilmed(model);
  const auto node = findNode(back.hierarchy, "square");
  REQUIRE(node);
  Json found = Json::parse(back.hierarchy.nodes[*node].extras);
  CHECK(Json::parse(found.at("bag").get<std::string>()) == wanted.at("bag")); // as text
  found["bag"] = wanted.at("bag");
  CHECK(found == wanted);
  CHECK(sceneJson(toGlb(model)).at("nodes").at(0).at("extras") == wanted);
}

TEST_CASE("cameras, lights and custom properties pass from process to process") {
  const Model model = importFilmed(filmedSquare());
  const Model back = modelOfBytes(toBytes(model));
  CHECK(nodeWith(back, true).camera->farPlane == nodeWith(model, true).camera->farPlane);
  CHECK(nodeWith(back, false).light->innerAngle == nodeWith(model, false).light->innerAngle);
  CHECK(back.hierarchy.nodes[0].extras == model.hierarchy.nodes[0].extras);
}
