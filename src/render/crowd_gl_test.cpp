// Palettes in every storage draw the same pixels, and crowds draw each character in its own pose.
#include "gl/context.h"
#include "render/capture_skinned.h"
#include "render/image.h"
#include "render/offscreen.h"
#include "render/renderer.h"
#include "render/test_models.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>

using namespace sinew;

namespace {

struct PackedCrowd {
  std::vector<vec4> rows;
  std::vector<vec3> offsets;
  Bounds bounds;
};

PackedCrowd standInRows(const Model& model, const Rig& rig, const Method& method,
                        const Binding& binding, std::size_t count) {
  PackedCrowd crowd;
  const std::size_t rows = std::size_t{binding.entryCount} * binding.rowsPerEntry;
  crowd.rows.resize(rows * count);
  for (std::size_t i = 0; i < count; ++i) {
    const Pose pose = test::wave(model, 0.9f * static_cast<float>(i));
    method.pack(rig, binding, modelFromNodes(model.hierarchy, pose),
                std::span(crowd.rows).subspan(i * rows, rows));
    const std::size_t row = i / 8;
    crowd.offsets.emplace_back(5.0f * static_cast<float>(i % 8), 0.0f,
                               -5.0f * static_cast<float>(row));
    crowd.bounds.include(crowd.offsets.back() - vec3(4, 0, 4));
    crowd.bounds.include(crowd.offsets.back() + vec3(4, 12, 4));
  }
  return crowd;
}

View makeView(const Bounds& scene, int width, int height) {
  View view;
  view.viewport = {0, 0, width, height};
  view.scene = scene;
  view.camera = frameOutline(scene, view.viewport.aspect(), 0.5f, 0.3f);
  return view;
}

std::size_t differentFromBackground(const Image& image) {
  std::size_t count = 0;
  for (std::size_t i = 4; i < image.rgba.size(); i += 4)
    if (!std::equal(image.rgba.begin(), image.rgba.begin() + 4, &image.rgba[i])) ++count;
  return count;
}

} // namespace

TEST_CASE("a model of 300 joints draws the same from every palette storage") {
  const HeadlessContext context;
  Renderer renderer;
  const Model model = test::tube({.joints = 300, .rings = 900, .sides = 12, .radius = 40.0f});
  const Rig rig = buildRig(model);
  const auto materials = uploadMaterials(model);
  const Method& method = findMethod("lbs");
  const Binding binding = method.bind(rig, {});
  Palette palette;
  packPalette(method, rig, binding, modelFromNodes(model.hierarchy, test::wave(model, 0.0f)),
              palette);
  SkinnedMesh posed;
  method.skin(rig, binding, palette, posed);
  const View view = makeView(computeBounds(posed.positions), 320, 240);

  std::vector<Image> pictures;
  for (const PaletteStorage storage :
       {PaletteStorage::texture, PaletteStorage::uniformArray, PaletteStorage::block}) {
    // A block of the guaranteed 16 KiB holds 341 bone matrices: force a split with a quarter.
    GpuMesh mesh(materials, rig, method, binding,
                 {.storage = storage,
                  .capacityRows = storage == PaletteStorage::block ? 16384u / 16u / 4u : 0u});
    mesh.setPalette(palette);
    CHECK((mesh.layout().batches.size() > 1) == (storage != PaletteStorage::texture));
    pictures.push_back(renderOffscreen({.width = 320, .height = 240, .samples = 1}, [&] {
      renderer.begin(view);
      renderer.draw(mesh);
    }));
  }
  CHECK(differentFromBackground(pictures[0]) > 2000);
  for (std::size_t i = 1; i < pictures.size(); ++i) {
    // A pixel on an edge may go to either of two triangles that are drawn in another order.
    CHECK(difference(pictures[0], pictures[i]).changedFraction < 1e-3);
  }
  checkGlErrors("300 joints");
}

TEST_CASE("every character of a crowd has its own pose, in any number of parts") {
  const HeadlessContext context;
  Programs programs;
  const Model model = test::tube({.joints = 6, .rings = 12, .sides = 8});
  const Rig rig = buildRig(model);
  const auto materials = uploadMaterials(model);
  for (const Method& method : methods()) {
    const Binding binding = method.bind(rig, {});
    const std::size_t rows = std::size_t{binding.entryCount} * binding.rowsPerEntry;
    const PackedCrowd crowd = standInRows(model, rig, method, binding, 10);
    const auto check = [&](const GpuMeshOptions& options, std::size_t parts) {
      CAPTURE(method.name);
      CAPTURE(toString(options.storage));
      GpuMesh mesh(materials, rig, method, binding, options);
      mesh.setCrowd(crowd.rows, crowd.offsets, false);
      CHECK(mesh.crowd().size() == parts);
      const std::vector<SkinnedMesh> characters = captureCrowd(programs, mesh);
      REQUIRE(characters.size() == 10);
      for (std::size_t i = 0; i < characters.size(); ++i) {
        Palette palette;
        palette.rows.assign(crowd.rows.begin() + static_cast<std::ptrdiff_t>(i * rows),
                            crowd.rows.begin() + static_cast<std::ptrdiff_t>((i + 1) * rows));
        SkinnedMesh expected;
        method.skin(rig, binding, palette, expected);
        float largest = 0.0f;
        for (std::size_t v = 0; v < expected.positions.size(); ++v)
          largest =
              std::max(largest, glm::length(expected.positions[v] - characters[i].positions[v]));
        CHECK(largest <= 1e-5f * computeBounds(rig.positions).size());
      }
    };
    check({.storage = PaletteStorage::texture}, 1);
    const auto rowCount = static_cast<std::uint32_t>(rows);
    check({.storage = PaletteStorage::texture, .crowdRows = 4 * rowCount}, 3);
    check({.storage = PaletteStorage::texture, .crowdRows = rowCount}, 10);
    check({.storage = PaletteStorage::storageBuffer}, 1);
    check({.storage = PaletteStorage::storageBuffer, .crowdRows = 4 * rowCount}, 3);
    check({.storage = PaletteStorage::block}, 1);
    check({.storage = PaletteStorage::uniformArray}, 1);
  }
  checkGlErrors("crowds");
}

TEST_CASE("a crowd looks the same from every storage, and its draws do not grow with it") {
  const HeadlessContext context;
  Renderer renderer;
  const Model model = test::tube({.joints = 6, .rings = 24, .sides = 10});
  const Rig rig = buildRig(model);
  const auto materials = uploadMaterials(model);
  const Method& method = findMethod("lbs");
  const Binding binding = method.bind(rig, {});
  const PackedCrowd crowd = standInRows(model, rig, method, binding, 24);
  const View view = makeView(crowd.bounds, 400, 240);
  std::vector<Image> pictures;
  const auto picture = [&](const GpuMesh& mesh, std::size_t draws) {
    pictures.push_back(renderOffscreen({.width = 400, .height = 240, .samples = 1}, [&] {
      renderer.begin(view);
      const DrawCount count = renderer.draw(mesh);
      CHECK(count.draws == draws);
      CHECK(count.triangles == mesh.instanceCount() * rig.triangles.size());
    }));
  };
  const auto mesh = [&](const GpuMeshOptions& options, std::size_t characters) {
    GpuMesh out(materials, rig, method, binding, options);
    out.setCrowd(std::span(crowd.rows).first(characters * out.instanceRows()),
                 std::span(crowd.offsets).first(characters), false);
    return out;
  };
  picture(mesh({}, 24), 1);
  picture(mesh({.crowdRows = 180}, 24), 3);
  picture(mesh({.storage = PaletteStorage::storageBuffer}, 24), 1);
  picture(mesh({.storage = PaletteStorage::block}, 24), 24);
  picture(mesh({.storage = PaletteStorage::uniformArray}, 24), 24);
  CHECK(differentFromBackground(pictures[0]) > 4000);
  for (std::size_t i = 1; i < pictures.size(); ++i)
    CHECK(difference(pictures[0], pictures[i]).changedFraction == 0.0);

  // Fewer characters in one draw too, and none at all draws nothing.
  picture(mesh({}, 6), 1);
  CHECK(difference(pictures[0], pictures.back()).changedFraction > 0.01);
  picture(mesh({}, 1), 1);
  picture(mesh({}, 0), 0);
  CHECK(differentFromBackground(pictures.back()) == 0);
  checkGlErrors("crowds");
}

TEST_CASE("a crowd can grow, shrink and become one character again") {
  const HeadlessContext context;
  Programs programs;
  const Model model = test::tube({.joints = 6, .rings = 12, .sides = 8});
  const Rig rig = buildRig(model);
  const Method& method = findMethod("lbs");
  const Binding binding = method.bind(rig, {});
  const PackedCrowd crowd = standInRows(model, rig, method, binding, 9);
  GpuMesh mesh(uploadMaterials(model), rig, method, binding, {.crowdRows = 54});
  SkinnedMesh last;
  for (const std::size_t count : {1u, 9u, 4u, 2u, 9u, 1u}) {
    mesh.setCrowd(std::span(crowd.rows).first(count * 18), std::span(crowd.offsets).first(count),
                  false);
    CHECK(mesh.crowd().size() == (count + 2) / 3);
    const std::vector<SkinnedMesh> characters = captureCrowd(programs, mesh);
    REQUIRE(characters.size() == count);
    if (!last.positions.empty()) CHECK(characters[0].positions == last.positions);
    last = characters[0];
    for (std::size_t i = 1; i < count; ++i)
      CHECK(characters[i].positions != last.positions);
  }
  checkGlErrors("changing crowds");
}
