// Palettes in fewer bytes stay within the bound that is stated for them, over random rigs and
// poses.
#include "animation/random_model.h"
#include "core/error.h"
#include "demo/demo.h"
#include "render/palette_format.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace sinew;

namespace {

struct PosedRig {
  Rig rig;
  Binding binding;
  Palette palette;
};

PosedRig posedRig(std::uint64_t seed, const Method& method, const RandomModelOptions& options) {
  const Model model = randomModel(seed, options);
  PosedRig out{buildRig(model), {}, {}};
  out.binding = method.bind(out.rig, {});
  packPalette(method, out.rig, out.binding,
              modelFromNodes(model.hierarchy, randomPose(model, seed, options)), out.palette);
  return out;
}

std::vector<PaletteFormat> listFormats(const Method& method) {
  if (method.entry == PaletteEntry::dualQuaternion)
    return {PaletteFormat::dq32, PaletteFormat::dq16};
  return {PaletteFormat::f16};
}

} // namespace

TEST_CASE("no vertex is farther off than a format's bound, over random rigs and poses") {
  for (const char* name : {"rigid", "lbs", "dqs"})
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const Method& method = findMethod(name);
      const PosedRig posed = posedRig(seed, method, {});
      for (const PaletteFormat format : listFormats(method)) {
        CAPTURE(name);
        CAPTURE(toString(format));
        CAPTURE(seed);
        const PaletteError error =
            paletteError(format, method, posed.rig, posed.binding, posed.palette);
        CHECK(error.largest <= error.bound);
        CHECK(error.bound < 0.05f); // the rig's size is about 1
        CHECK(error.ambiguous <= posed.rig.positions.size() / 20);
        if (format != PaletteFormat::dq32) CHECK(error.largest > 0.0f); // it rounds
      }
    }
}

TEST_CASE("dual quaternions without their stretch are off by that stretch, and the bound has it") {
  const Method& method = findMethod("dqs");
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const PosedRig posed = posedRig(seed, method, {.nonUniformScale = true});
    for (const PaletteFormat format : listFormats(method)) {
      const PaletteError error =
          paletteError(format, method, posed.rig, posed.binding, posed.palette);
      CHECK(error.largest > 1e-3f);
      CHECK(error.largest <= error.bound);
    }
  }
}

TEST_CASE("stored palettes are as small as stated, and what halves hold comes back") {
  const std::vector<vec4> rows{{1.0f, -0.5f, 0.25f, 1024.0f},
                               {0.0f, 65504.0f, -6.103515625e-5f, 5.9604644775390625e-8f},
                               {1.0f / 3.0f, 1e-9f, 70000.0f, -70000.0f}};
  StoredPalette stored;
  storePalette(PaletteFormat::f16, rows, 3, stored);
  CHECK(stored.bytes.size() == 24);
  const std::vector<vec4> back = loadPalette(PaletteFormat::f16, stored, 3);
  CHECK(back[0] == rows[0]);
  CHECK(back[1] == rows[1]);
  CHECK(std::abs(back[2].x - rows[2].x) <= rows[2].x / 2048.0f);
  CHECK(back[2].y == 0.0f);
  CHECK(back[2].z == std::numeric_limits<float>::infinity());
  CHECK(back[2].w == -std::numeric_limits<float>::infinity());
  CHECK(storedBytes(PaletteFormat::f32, 3) == 48);
  CHECK(storedBytes(PaletteFormat::f16, 3) == 24);
  CHECK(storedBytes(PaletteFormat::f32, 5) == 80);
  CHECK(storedBytes(PaletteFormat::dq32, 5) == 32);
  CHECK(storedBytes(PaletteFormat::dq16, 5) == 16);
}

TEST_CASE("a format that does not suit a method is refused in one line that says which does") {
  const Model model = randomModel(3);
  const Rig rig = buildRig(model);
  for (const Method& method : methods())
    for (const PaletteFormat format :
         {PaletteFormat::f32, PaletteFormat::f16, PaletteFormat::dq32, PaletteFormat::dq16}) {
      const bool dual = format == PaletteFormat::dq32 || format == PaletteFormat::dq16;
      const bool suits =
          format == PaletteFormat::f32 ||
          method.entry == (dual ? PaletteEntry::dualQuaternion : PaletteEntry::boneMatrix);
      const Binding binding = method.bind(rig, {});
      CAPTURE(method.name);
      CAPTURE(toString(format));
      if (suits)
        CHECK_NOTHROW(checkPaletteFormat(format, method, binding));
      else
        CHECK_THROWS_AS(checkPaletteFormat(format, method, binding), Error);
    }
  const Method& dqs = findMethod("dqs");
  CHECK_THROWS_AS(
      checkPaletteFormat(PaletteFormat::dq16, dqs, dqs.bind(rig, {.parameters = {1.0f}})), Error);
  CHECK_THROWS_AS(findPaletteFormat("f8"), Error);
}
