#include "demo/demo.h"
#include "picture/shadows.h"
#include "skinning/methods.h"
#include "skinning/shown_model.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace sinew;

namespace {

// The shadow of all vertices of a posed method.
ContactShadow wholeShadow(const Workbench& workbench, const BoundMethod& bound, float ground) {
  ContactShadow shadow;
  castContactShadow(shadow, skinOnCpu(workbench, bound).positions, workbench.rig.triangles, ground,
                    thinnedSurface(workbench).size);
  return shadow;
}

float sumDarkness(const ContactShadow& shadow) {
  float sum = 0.0f;
  for (int i = 0; i < shadow.columns * shadow.rows; ++i)
    sum += shadow.dark[static_cast<std::size_t>(i)];
  return sum;
}

} // namespace

TEST_CASE("ground shadow: that of the skin as every method poses it, pose after pose") {
  Settings settings;
  settings.methods = parseMethods("all");
  settings.clip = "walk";
  Workbench workbench = makeWorkbench(findDemo("humanoid").make(), settings);
  std::vector<GroundShadow> shadows(workbench.bound.size());
  for (const double seconds : {0.0, 0.35, 0.7}) {
    evaluate(workbench, seconds, Wrap::loop);
    for (std::size_t i = 0; i < workbench.bound.size(); ++i) {
      CAPTURE(workbench.bound[i].method->name);
      shadows[i].stale = true;
      groundShadow(shadows[i], workbench, workbench.bound[i], 0.0f);
      const float whole = sumDarkness(wholeShadow(workbench, workbench.bound[i], 0.0f));
      CHECK(whole > 0.0f); // it walks on the ground
      CHECK(std::abs(sumDarkness(shadows[i].shadow) - whole) <= 0.15f * whole);
    }
  }
}

TEST_CASE("ground shadow: a small mesh is whole, morph targets count") {
  Settings settings;
  settings.clip = "none";
  Workbench workbench = makeWorkbench(findDemo("flexing-arm").make(), settings);
  evaluate(workbench, 0.0, Wrap::loop);
  float lowest = 1e9f;
  for (const vec3& p : skinOnCpu(workbench, workbench.bound.front()).positions)
    lowest = std::min(lowest, p.y);
  GroundShadow shadow;
  groundShadow(shadow, workbench, workbench.bound.front(), lowest);
  const bool whole = shadow.surface.vertices.size() == workbench.rig.positions.size();
  const std::vector<std::string> morphs{"biceps=1", "forearm=1.5"};
  holdMorphs(workbench, morphs);
  evaluate(workbench, 0.0, Wrap::loop);
  shadow.stale = true;
  groundShadow(shadow, workbench, workbench.bound.front(), lowest);
  const std::vector<vec3> posed = skinOnCpu(workbench, workbench.bound.front()).positions;
  for (std::size_t i = 0; i < shadow.surface.vertices.size(); ++i)
    CHECK(shadow.posed.positions[i] == posed[shadow.surface.vertices[i]]);
  CHECK(whole == (workbench.rig.positions.size() <= 4000));
}

TEST_CASE("ground shadow: morph targets of a method's stand-in count") {
  Model other = findDemo("arm").make();
  other.morphTargets.push_back({"own", 0.0f});
  Mesh& mesh = other.meshes.front();
  std::vector<std::uint32_t> all(mesh.positions.size());
  std::iota(all.begin(), all.end(), 0u);
  mesh.morphs.push_back({0, all, std::vector<vec3>(all.size(), vec3(0.1f, 0.0f, 0.3f)), {}});
  const Rig rig = buildRig(other);
  float weight = 0.0f;
  Method shown = findMethod("lbs");
  shown.shows = std::make_shared<const ShownModel>(ShownModel{
      [&]() -> const Rig& { return rig; },
      [&](const PoseView& pose) {
        return ShownModel::Pose{{pose.modelFromNode.begin(), pose.modelFromNode.end()}, {weight}};
      }});
  Settings settings;
  settings.methods = {{&shown}};
  Workbench workbench = makeWorkbench(findDemo("arm").make(), settings);
  GroundShadow shadow;
  for (const float each : {0.0f, 1.0f, 0.0f}) {
    weight = each;
    evaluate(workbench, 0.0, Wrap::loop);
    shadow.stale = true;
    groundShadow(shadow, workbench, workbench.bound.front(), 0.0f);
    const std::vector<vec3> posed = skinOnCpu(workbench, workbench.bound.front()).positions;
    for (std::size_t i = 0; i < shadow.surface.vertices.size(); ++i)
      CHECK(shadow.posed.positions[i] == posed[shadow.surface.vertices[i]]);
  }
}

TEST_CASE("ground shadow: a dense mesh is thinned to vertices of its own, near everywhere") {
  Workbench workbench = makeWorkbench(findDemo("humanoid").make(), Settings());
  const ThinnedSurface surface = thinnedSurface(workbench);
  CHECK(surface.vertices.size() <= workbench.rig.positions.size());
  CHECK(std::ranges::is_sorted(surface.vertices));
  CHECK(std::set(surface.vertices.begin(), surface.vertices.end()).size() ==
        surface.vertices.size());
  for (const Triangle& triangle : surface.triangles)
    for (const std::uint32_t corner : triangle)
      CHECK(corner < surface.vertices.size());
  const std::vector<vec3>& all = workbench.rig.positions; // one skin: bind space is model space
  for (std::size_t v = 0; v < all.size(); v += 7) {
    float nearest = 1e9f;
    for (const std::uint32_t vertex : surface.vertices)
      nearest = std::min(nearest, glm::distance(all[vertex], all[v]));
    CHECK(nearest <= 0.025f * surface.size); // the diagonal of a cube
  }
}
