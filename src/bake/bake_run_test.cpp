#include "animation/sample.h"
#include "bake/bake_run.h"
#include "core/error.h"
#include "demo/demo.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>

using namespace sinew;

TEST_CASE("baked method: at a clip's frames it shows what the baked file holds") {
  Settings settings;
  settings.methods = parseMethods("dqs");
  settings.clip = "bind";
  const Workbench workbench = makeWorkbench(findDemo("arm").make(), settings);
  BakeRunOptions options;
  options.bake.poses.clips = {0};
  options.bake.poses.limit = 24;
  options.bake.helpers = 2;
  const BakeRun run = runBake(workbench, options);
  REQUIRE(run.helpers == 2);
  const auto skin = std::make_shared<const BakedSkin>(bakedSkin(run.outcome));
  const Method shown = bakedMethod(skin);
  const Binding binding = shown.bind(workbench.rig, {});

  const Model& baked = run.outcome->model;
  const Method& linear = findMethod("lbs");
  const Binding theirs = linear.bind(skin->rig, {});
  const float size = run.outcome->result.problem.size;
  float largest = 0.0f;
  for (const int frame : {0, 7, 21}) {
    const float time = static_cast<float>(static_cast<double>(frame) / 30.0);
    Palette palette;
    packPalette(shown, workbench.rig, binding,
                modelFromNodes(workbench.model.hierarchy,
                               sample(workbench.model, workbench.model.clips[0], time)),
                palette);
    SkinnedMesh here, there;
    shown.skin(workbench.rig, binding, palette, here);
    packPalette(linear, skin->rig, theirs,
                modelFromNodes(baked.hierarchy, sample(baked, baked.clips[0], time)), palette);
    linear.skin(skin->rig, theirs, palette, there);
    for (std::size_t v = 0; v < here.positions.size(); ++v)
      largest = std::max(largest, glm::distance(here.positions[v], there.positions[v]));
  }
  CHECK(largest < 1e-4f * size);
  const Rig other = buildRig(findDemo("humanoid").make());
  CHECK_THROWS_AS(shown.bind(other, {}), Error);
}

TEST_CASE("bake: without clips joints go as far as they can") {
  Settings settings;
  settings.methods = parseMethods("dqs");
  settings.clip = "bind";
  Model model = findDemo("arm").make();
  model.clips.clear();
  BakeRunOptions options;
  options.drivers = false;
  options.bake.poses.limit = 100;
  options.bake.helpers = 3;
  const BakeRun run = runBake(makeWorkbench(std::move(model), settings), options);
  CHECK(run.linear.largest > 0.02); // by 15 degrees, a tenth of that
  CHECK(run.heldOut.largest < 0.5 * run.linear.largest);
}
