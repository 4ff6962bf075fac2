// Pictures of simple scenes whose pixels are known.
#include "core/error.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "gl/context.h"
#include "gl/load.h"
#include "render/image.h"
#include "render/offscreen.h"
#include "render/renderer.h"
#include "render/test_models.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>

using namespace sinew;

namespace {

constexpr int kSize = 64;

// A square of side 2 around the origin in the plane z = 0, facing +Z; texcoord (0, 0) upper left.
Model square() {
  Model model;
  model.hierarchy.nodes.push_back({"root", kNoNode, {}});
  model.materials.resize(1);
  model.materials[0].baseColor = vec4(1.0f);
  Mesh mesh;
  mesh.positions = {{-1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {1, 1, 0}};
  mesh.normals.assign(4, vec3(0, 0, 1));
  mesh.texcoords = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  model.meshes.push_back(mesh);
  return model;
}

View frontView() {
  View view;
  view.viewport = {0, 0, kSize, kSize};
  view.scene = {vec3(-1, -1, -0.5f), vec3(1, 1, 0.5f)};
  view.camera = frameOutline(view.scene, 1.0f, 0.0f, 0.0f);
  return view;
}

struct DrawnScene {
  Model model;
  Rig rig = buildRig(model);
  Binding binding = findMethod("lbs").bind(rig, {});
  GpuMesh mesh{uploadMaterials(model), rig, findMethod("lbs"), binding, {}};

  explicit DrawnScene(Model m) : model(std::move(m)) { pose(restPose(model.hierarchy)); }
  void pose(const Pose& pose) {
    Palette palette;
    packPalette(findMethod("lbs"), rig, binding, modelFromNodes(model.hierarchy, pose), palette);
    mesh.setPalette(palette);
  }
};

Image picture(Renderer& renderer, const View& view, const GpuMesh& mesh) {
  return renderOffscreen({.width = kSize, .height = kSize, .samples = 1}, [&] {
    renderer.begin(view);
    renderer.draw(mesh);
    checkGlErrors("a picture");
  });
}

glm::ivec3 pixel(const Image& image, int x, int y) {
  const std::size_t i =
      4 * (static_cast<std::size_t>(y) * image.width + static_cast<std::size_t>(x));
  return {image.rgba[i], image.rgba[i + 1], image.rgba[i + 2]};
}

int brightness(const glm::ivec3& p) {
  return p.x + p.y + p.z;
}

} // namespace

TEST_CASE("colours come out as sRGB: unlit half grey is 188") {
  const HeadlessContext context;
  Renderer renderer;
  Model model = square();
  model.materials[0].baseColor = {0.5f, 0.0f, 1.0f, 1.0f};
  DrawnScene scene(model);
  View view = frontView();
  view.show.shaded = false;
  const Image image = picture(renderer, view, scene.mesh);
  CHECK(pixel(image, 32, 32) == glm::ivec3(188, 0, 255));
  CHECK(pixel(image, 0, 0) == glm::ivec3(41, 43, 48)); // the background, as given
}

TEST_CASE("textures are upright, and their colours come back as they were") {
  const HeadlessContext context;
  Renderer renderer;
  Model model = square();
  Texture texture;
  const std::array<std::array<std::uint8_t, 4>, 4> quarters{
      {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {128, 128, 128, 255}}};
  texture.image = {32, 32, {}};
  for (std::size_t y = 0; y < 32; ++y)
    for (std::size_t x = 0; x < 32; ++x)
      texture.image.rgba.insert(texture.image.rgba.end(), quarters[y / 16 * 2 + x / 16].begin(),
                                quarters[y / 16 * 2 + x / 16].end());
  model.textures.push_back(texture);
  model.materials[0].texture = 0;
  DrawnScene scene(model);
  View view = frontView();
  view.show.shaded = false;
  const Image image = picture(renderer, view, scene.mesh);
  CHECK(pixel(image, 20, 20).x > 250); // red: upper left
  CHECK(pixel(image, 44, 20).y > 250);
  CHECK(pixel(image, 20, 44).z > 250);
  const glm::ivec3 grey = pixel(image, 47, 47);
  CHECK(std::abs(grey.x - 128) <= 2);
  view.show.textures = false;
  CHECK(pixel(picture(renderer, view, scene.mesh), 20, 20) == glm::ivec3(206));
}

TEST_CASE("alpha mask cuts holes") {
  const HeadlessContext context;
  Renderer renderer;
  Model model = square();
  Texture texture;
  texture.image = {2, 1, {255, 255, 255, 255, 255, 255, 255, 0}};
  model.textures.push_back(texture);
  model.materials[0].texture = 0;
  model.materials[0].alphaMode = AlphaMode::mask;
  DrawnScene scene(model);
  const Image image = picture(renderer, frontView(), scene.mesh);
  CHECK(pixel(image, 20, 32) != pixel(image, 0, 0));
  CHECK(pixel(image, 44, 32) == pixel(image, 0, 0));
}

TEST_CASE("a blended surface lets through what is behind it, in whatever order they are stored") {
  const HeadlessContext context;
  Renderer renderer;
  View view = frontView();
  view.show.shaded = false;
  std::vector<glm::ivec3> seen;
  for (const bool behindLast : {false, true}) {
    Model model = square(); // at z 0, before the other
    model.materials[0].baseColor = {1, 0, 0, 0.5f};
    model.materials[0].alphaMode = AlphaMode::blend;
    Material green;
    green.baseColor = {0, 1, 0, 0.5f};
    green.alphaMode = AlphaMode::blend;
    model.materials.push_back(green);
    model.meshes.push_back(model.meshes[0]);
    model.meshes[1].material = 1;
    for (vec3& p : model.meshes[1].positions)
      p.z -= 0.5f;
    if (behindLast) {
      std::swap(model.meshes[0], model.meshes[1]);
      std::swap(model.materials[0], model.materials[1]);
      std::swap(model.meshes[0].material, model.meshes[1].material);
    }
    DrawnScene scene(model);
    scene.mesh.placeBlended(scene.rig, modelFromNodes(model.hierarchy, restPose(model.hierarchy)));
    seen.push_back(pixel(picture(renderer, view, scene.mesh), 32, 32));
  }
  CHECK(seen[0] == seen[1]);
  CHECK(std::abs(seen[0].x - 128) < 30); // red in front, half of it
  CHECK(seen[0].y > 40);                 // green behind, a quarter
  CHECK(seen[0].y < 100);
  Model opaque = square();
  opaque.materials[0].baseColor = {1, 0, 0, 0.5f};
  DrawnScene scene(opaque);
  CHECK(pixel(picture(renderer, view, scene.mesh), 32, 32) == glm::ivec3(255, 0, 0));
}

TEST_CASE("a normal map tilts the light: along the tangent, up in the image, by its scale") {
  const HeadlessContext context;
  Renderer renderer;
  Model model = square();
  model.textures.push_back({"tilt.png", "", {1, 1, {230, 128, 200, 255}}, true}); // towards u
  model.materials[0].normalTexture = 0;
  model.materials[0].specular = 0.0f;
  model.meshes[0].tangents.assign(4, vec4(1, 0, 0, 1));
  View view = frontView();
  view.light.headlight = false;
  const auto lit = [&](const vec3& from) {
    view.light.direction = from;
    DrawnScene scene(model);
    return brightness(pixel(picture(renderer, view, scene.mesh), 32, 32));
  };
  const vec3 right(0.8f, 0.0f, 0.6f), left(-0.8f, 0.0f, 0.6f);
  const vec3 above(0.0f, 0.8f, 0.6f), below(0.0f, -0.8f, 0.6f);
  CHECK(lit(right) > lit(left) + 60);
  model.meshes[0].tangents.assign(4, vec4(-1, 0, 0, 1));
  CHECK(lit(left) > lit(right) + 60);
  model.textures[0].image.rgba = {128, 230, 200, 255}; // upwards
  model.meshes[0].tangents.assign(4, vec4(1, 0, 0, 1));
  CHECK(lit(above) > lit(below) + 60);
  model.meshes[0].tangents.assign(4, vec4(1, 0, 0, -1)); // a mirrored image
  CHECK(lit(below) > lit(above) + 60);
  model.materials[0].normalScale = 0.0f;
  const int flat = lit(below);
  model.materials[0].normalTexture.reset();
  CHECK(std::abs(lit(below) - flat) <= 2);
}

TEST_CASE(
    "light: nothing of a white or clay body is white, no side of it black, and it has shape") {
  const HeadlessContext context;
  Renderer renderer;
  for (const float albedo : {0.5f, 0.8f, 1.0f}) {
    Model model = findDemo("humanoid").make();
    for (Material& material : model.materials) {
      material = Material();
      material.baseColor = vec4(vec3(albedo), 1.0f);
    }
    for (Mesh& mesh : model.meshes)
      mesh.colors.clear();
    DrawnScene scene(model);
    View view = frontView();
    view.scene = computeBounds(scene.rig.positions);
    view.background = vec3(0.0f, 0.0f, 1.0f);
    for (const float yaw : {0.5f, 2.1f, 3.7f, 5.2f})
      for (const float pitch : {-0.9f, 0.1f, 1.2f}) {
        CAPTURE(albedo);
        CAPTURE(yaw);
        CAPTURE(pitch);
        view.camera = frameOutline(view.scene, 1.0f, yaw, pitch);
        const Image image = picture(renderer, view, scene.mesh);
        std::vector<int> levels;
        std::size_t clipped = 0;
        for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
          if (image.rgba[i] == 0 && image.rgba[i + 2] == 255) continue;
          levels.push_back(image.rgba[i + 1]);
          clipped += image.rgba[i] == 255 || image.rgba[i + 1] == 255 ? 1 : 0;
        }
        REQUIRE(levels.size() > 100);
        std::ranges::sort(levels);
        CHECK(clipped == 0);
        CHECK(levels.front() > 80); // the darkest pixel of all
        CHECK(levels.back() < 250); // and the brightest
        CHECK(levels[levels.size() * 19 / 20] - levels[levels.size() / 20] > 25);
      }
  }
}

TEST_CASE("a picture's light is the polynomial of the normal, turned with the light's direction") {
  const HeadlessContext context;
  Renderer renderer;
  Model model = square(); // its normal is +z
  model.materials[0].specular = 0.0f;
  DrawnScene scene(model);
  View view = frontView();
  view.light.picture = Irradiance();
  auto& c = view.light.picture->coefficients;
  c[0] = vec3(0.2f);
  c[2] = {0.15f, 0.0f, 0.0f}; // from +z, red
  c[6] = {0.0f, 0.05f, 0.0f}; // 3zz - 1, green
  c[3] = {0.0f, 0.0f, 0.15f}; // from +x, blue
  const auto lit = [&](const vec3& direction) {
    view.light.direction = direction;
    return pixel(picture(renderer, view, scene.mesh), 32, 32);
  };
  // As the square is white and faces the eye, what arrives is what is seen.
  const auto level = [](float linear) {
    return static_cast<int>(
        std::lround(255.0f * (1.055f * std::pow(linear, 1.0f / 2.4f) - 0.055f)));
  };
  const auto near = [](const glm::ivec3& a, const glm::ivec3& b) {
    return std::abs(a.x - b.x) <= 4 && std::abs(a.y - b.y) <= 4 && std::abs(a.z - b.z) <= 4;
  };
  const glm::ivec3 front = lit({0, 0, 1}), back = lit({0, 0, -1}), right = lit({1, 0, 0});
  CHECK(near(front, {level(0.35f), level(0.3f), level(0.2f)}));
  CHECK(near(back, {level(0.05f), level(0.3f), level(0.2f)}));
  // The picture's +z is at +x, and its +x at -z, behind the square.
  CHECK(near(right, {level(0.2f), level(0.15f), level(0.05f)}));
  view.light.headlight = true;
  CHECK(near(lit({0, 0, 1}), front));
  view.light.intensity = 0.0f;
  CHECK(lit({0, 0, 1}) == glm::ivec3(0));
}

TEST_CASE("both sides are lit from where they are seen, mirrored or not") {
  const HeadlessContext context;
  Renderer renderer;
  DrawnScene scene(square());
  View view = frontView();
  view.light.headlight = true;
  view.light.direction = {0, 0, 1};
  const glm::ivec3 front = pixel(picture(renderer, view, scene.mesh), 32, 32);
  Pose mirrored = restPose(scene.model.hierarchy);
  mirrored.parentFromNode[0].scale = {-1, 1, 1};
  scene.pose(mirrored);
  CHECK(pixel(picture(renderer, view, scene.mesh), 32, 32) == front);
  Pose rotated = restPose(scene.model.hierarchy);
  rotated.parentFromNode[0].rotation = glm::angleAxis(3.14159265f, vec3(0, 1, 0));
  scene.pose(rotated);
  const glm::ivec3 back = pixel(picture(renderer, view, scene.mesh), 32, 32);
  CHECK(std::abs(brightness(back) - brightness(front)) <= 6);
  view.light.direction = {0, 0, -1}; // from behind: darker
  CHECK(brightness(pixel(picture(renderer, view, scene.mesh), 32, 32)) < brightness(front) - 60);
}

TEST_CASE("culling leaves out the backs of single-sided materials, and only those") {
  const HeadlessContext context;
  Renderer renderer;
  View view = frontView();
  view.show.cullBackFaces = true;
  for (const bool doubleSided : {false, true}) {
    Model model = square();
    model.materials[0].doubleSided = doubleSided;
    DrawnScene scene(model);
    view.camera.yaw = 0.0f;
    const Image front = picture(renderer, view, scene.mesh);
    CHECK(pixel(front, 32, 32) != pixel(front, 0, 0));
    view.camera.yaw = 3.14159265f;
    const Image back = picture(renderer, view, scene.mesh);
    CHECK((pixel(back, 32, 32) != pixel(back, 0, 0)) == doubleSided);
  }
  // A closed surface looks the same without its insides.
  DrawnScene closed(findDemo("humanoid").make());
  view.scene = computeBounds(closed.rig.positions);
  view.camera = frameOutline(view.scene, 1.0f, 0.6f, 0.1f);
  const Image culled = picture(renderer, view, closed.mesh);
  view.show.cullBackFaces = false;
  CHECK(difference(culled, picture(renderer, view, closed.mesh)).changedFraction < 0.002);
}

TEST_CASE("a surface without normals is shaded by its triangles, without noise") {
  const HeadlessContext context;
  Renderer renderer;
  Model model = square();
  const View view = frontView();
  DrawnScene with(model);
  const glm::ivec3 expected = pixel(picture(renderer, view, with.mesh), 32, 32);
  const auto looksAlike = [&](const Model& other) {
    DrawnScene without(other);
    const glm::ivec3 actual = pixel(picture(renderer, view, without.mesh), 32, 32);
    CHECK(std::abs(brightness(actual) - brightness(expected)) <= 6);
  };
  model.meshes[0].normals.assign(4, vec3(0.0f));
  looksAlike(model);
  model.meshes[0].normals.assign(4, vec3(1.0f, 0.0f, 0.0f)); // which a flat material ignores
  model.materials[0].flat = true;
  looksAlike(model);
}

TEST_CASE(
    "the field is grey at its lower end, then yellow, then red; the safe scale gets brighter") {
  const HeadlessContext context;
  Renderer renderer;
  DrawnScene scene(square());
  View view = frontView();
  view.show.shaded = false;
  view.show.field = true;
  view.fieldRange = {2.0f, 6.0f};
  const auto readColor = [&](float value) {
    const std::array<float, 4> values{value, value, value, value};
    scene.mesh.setField(values);
    return pixel(picture(renderer, view, scene.mesh), 32, 32);
  };
  const glm::ivec3 low = readColor(2.0f);
  const glm::ivec3 middle = readColor(4.0f);
  const glm::ivec3 high = readColor(6.0f);
  CHECK((low.x == low.y && low.y == low.z && low.x > 140 && low.x < 180));
  CHECK((middle.x > 230 && middle.y > 200 && middle.z < 60));
  CHECK((high.x > 200 && high.z < 40 && high.y < 40));
  CHECK(readColor(-100.0f) == low);
  CHECK(readColor(100.0f) == high);
  view.fieldColors = FieldColors::colorBlindSafe;
  CHECK(brightness(readColor(2.0f)) < brightness(readColor(4.0f)));
  CHECK(brightness(readColor(4.0f)) < brightness(readColor(6.0f)));
}

TEST_CASE("a view keeps to its rectangle") {
  const HeadlessContext context;
  Renderer renderer;
  DrawnScene scene(square());
  const Image image = renderOffscreen({.width = kSize, .height = kSize, .samples = 4}, [&] {
    View view = frontView();
    view.background = vec3(1, 0, 0);
    renderer.begin(view);
    view.viewport = {32, 0, 32, 64}; // the right half
    view.background = vec3(0, 1, 0);
    renderer.begin(view);
    renderer.draw(scene.mesh);
  });
  CHECK(pixel(image, 10, 32) == glm::ivec3(255, 0, 0));
  CHECK(pixel(image, 60, 2) == glm::ivec3(0, 255, 0));
  CHECK(pixel(image, 48, 32) != glm::ivec3(0, 255, 0));
  checkGlErrors("two views");
}

TEST_CASE("vertex-only draws nothing but still counts, and the next draw is seen again") {
  const HeadlessContext context;
  Renderer renderer;
  DrawnScene scene(square());
  View view = frontView();
  view.show.vertexOnly = true;
  const Image nothing = renderOffscreen({.width = kSize, .height = kSize, .samples = 1}, [&] {
    renderer.begin(view);
    CHECK(renderer.draw(scene.mesh).triangles == 2);
  });
  CHECK(pixel(nothing, 32, 32) == pixel(nothing, 0, 0));
  view.show.vertexOnly = false;
  const Image seen = picture(renderer, view, scene.mesh);
  CHECK(pixel(seen, 32, 32) != pixel(seen, 0, 0));
}

TEST_CASE("wireframe, normals and grid add lines and leave no state behind") {
  const HeadlessContext context;
  Renderer renderer;
  DrawnScene scene(square());
  const View plain = frontView();
  const Image before = picture(renderer, plain, scene.mesh);
  View view = plain;
  view.camera.yaw = 0.5f;
  const Image side = picture(renderer, view, scene.mesh);
  for (bool Show::*flag : {&Show::wireframe, &Show::normals, &Show::grid}) {
    View with = view;
    with.show.*flag = true;
    CHECK(difference(picture(renderer, with, scene.mesh), side).mean > 0.0);
  }
  CHECK(difference(picture(renderer, plain, scene.mesh), before).mean == 0.0);
}

TEST_CASE("an overlay on top is seen through the mesh, another is hidden by it") {
  const HeadlessContext context;
  Renderer renderer;
  DrawnScene scene(square());
  Overlay overlay;
  addTriangle(overlay, {-0.5f, -0.5f, -0.3f}, {0.5f, -0.5f, -0.3f}, {0, 0.7f, -0.3f},
              {255, 0, 255, 255});
  const auto draw = [&] {
    return renderOffscreen({.width = kSize, .height = kSize, .samples = 1}, [&] {
      renderer.begin(frontView());
      renderer.draw(scene.mesh);
      renderer.draw(overlay);
    });
  };
  CHECK(pixel(draw(), 32, 34) != glm::ivec3(255, 0, 255));
  overlay.onTop = true;
  CHECK(pixel(draw(), 32, 34) == glm::ivec3(255, 0, 255));
  checkGlErrors("overlays");
}

TEST_CASE("every method draws in every storage, with every thing that can be shown") {
  const HeadlessContext context;
  Renderer renderer;
  const Model model = test::randomModel({.seed = 3, .joints = 90});
  const Rig rig = buildRig(model);
  const auto materials = uploadMaterials(model);
  View view = frontView();
  view.show = {.wireframe = true, .normals = true, .grid = true};
  view.scene = computeBounds(rig.positions);
  for (const Method& method : methods())
    for (const PaletteStorage storage : {PaletteStorage::uniformArray, PaletteStorage::block,
                                         PaletteStorage::texture, PaletteStorage::storageBuffer})
      for (const bool field : {false, true}) {
        if (!test::kThorough && field != (storage == PaletteStorage::texture)) continue;
        CAPTURE(method.name);
        CAPTURE(toString(storage));
        const Binding binding = method.bind(rig, {});
        Palette palette;
        packPalette(method, rig, binding,
                    modelFromNodes(model.hierarchy, restPose(model.hierarchy)), palette);
        GpuMesh mesh(materials, rig, method, binding, {.storage = storage});
        mesh.setPalette(palette);
        mesh.setField(std::vector<float>(rig.positions.size(), 0.5f));
        view.show.field = field;
        const Image image = picture(renderer, view, mesh);
        CHECK(pixel(image, 32, 32) != pixel(image, 0, 0));
      }
}

TEST_CASE("a model without meshes, triangles or anything else draws nothing and no error") {
  const HeadlessContext context;
  Renderer renderer;
  Model model;
  model.hierarchy.nodes.push_back({"root", kNoNode, {}});
  DrawnScene scene(model);
  const Image image = picture(renderer, frontView(), scene.mesh);
  CHECK(pixel(image, 32, 32) == pixel(image, 0, 0));
}

TEST_CASE("the least recently used program gives way where there are as many as there may be") {
  const HeadlessContext context;
  const DrawnScene scene(square());
  const auto makeKey = [&](Pass pass) {
    return ProgramKey{pass, scene.mesh.skinShader(scene.mesh.layout().batches.front()), false};
  };
  Programs programs(2);
  const GLuint surface = programs.skinned(makeKey(Pass::surface)).program.name();
  programs.skinned(makeKey(Pass::wireframe));
  CHECK(programs.skinned(makeKey(Pass::surface)).program.name() == surface);
  const std::size_t objects = countGlObjects();
  const GLuint capture = programs.skinned(makeKey(Pass::capture)).program.name();
  CHECK(countGlObjects() == objects);
  CHECK(programs.skinned(makeKey(Pass::surface)).program.name() == surface);
  CHECK(programs.skinned(makeKey(Pass::capture)).program.name() == capture);
  CHECK(glIsProgram(surface) == GL_TRUE);
  CHECK(glIsProgram(programs.skinned(makeKey(Pass::wireframe)).program.name()) == GL_TRUE);
  CHECK(countGlObjects() == objects);
}
