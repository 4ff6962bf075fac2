#include "compare/compare_pictures.h"

#include "app/method_list.h"
#include "compare/compare_output.h"
#include "compare/compare_worst.h"
#include "gl/context.h"
#include "page/page.h"
#include "render/gpu_mesh.h"
#include "render/offscreen.h"
#include "render/renderer.h"
#include "report/table.h"
#include "skinning/methods.h"
#include "skinning/rebind.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace sinew {
namespace {

constexpr int kSide = 400; // pixels

// A method on the GPU, and what poses it on the CPU to know where the camera has to look.
struct DrawnEntry {
  const Method* method;
  const Rig& rig;
  Binding binding;
  GpuMesh mesh;
  Palette palette;
  SkinnedMesh skin;
  MorphedVertices morphed = {};
  std::optional<MorphedBinding> morphedBinding = {};

  void pose(const Moment& moment) {
    packPalette(*method, rig, binding, moment.modelFromNode, palette, moment.twists);
    applyMorphs(rig, moment.morphWeights, morphed);
    const Binding& shown = morphBinding(*method, rig, binding, morphed, morphedBinding);
    method->skin(BindVertices(rig, morphed), shown, palette, skin);
    mesh.setMorphs(rig, morphed, shown);
    mesh.setPalette(palette);
  }
};

std::vector<vec3> posedBy(const Method& method, const Rig& rig, const Moment& moment,
                          const Settings& settings) {
  const Binding binding = method.bind(rig, makeBindOptions(settings, method));
  Palette palette;
  packPalette(method, rig, binding, moment.modelFromNode, palette, moment.twists);
  SkinnedMesh skin;
  skinMorphed(method, rig, binding, palette, moment.morphWeights, skin);
  return std::move(skin.positions);
}

Worst worstOfAll(const Comparison& comparison, const Metric& metric, std::size_t firstRegion,
                 std::size_t regions) {
  Worst worst;
  for (std::size_t k = 0; k < comparison.methods.size(); ++k)
    for (std::size_t region = firstRegion; region < regions; ++region)
      worst = worse(metric, worst, findWorst(comparison, metric, k, region));
  return worst;
}

std::string makeTitle(const Comparison& comparison, const Metric& metric, const Worst& worst) {
  return fmt::format("{}: {:.{}f} {} by {}", metric.title, worst.value, metric.decimals,
                     metric.unit, comparison.methods[worst.method].name);
}

void addJoint(const Comparison& comparison, const Metric& metric, std::vector<WorstPicture>& out) {
  const Worst worst = worstOfAll(comparison, metric, 1, comparison.analysis.regions.size());
  if (std::isnan(worst.value)) return;
  const std::string title = makeTitle(comparison, metric, worst);
  const auto same = std::ranges::find(out, worst.region, &WorstPicture::region);
  if (same == out.end())
    out.push_back({title, worst.moment, worst.region, 0.0f, {}, {}});
  else if (same->moment == worst.moment)
    same->title += "; " + title;
  else
    same->title += "; " + title + " at " + momentName(comparison, worst.moment);
}

std::vector<WorstPicture> weldVertices(const Comparison& comparison) {
  std::vector<WorstPicture> places;
  const Metric& distance = metricNamed("largest_distance");
  const Worst farthest = worstOfAll(comparison, distance, 0, 1);
  if (!std::isnan(farthest.value))
    places.push_back({makeTitle(comparison, distance, farthest),
                      farthest.moment,
                      0,
                      static_cast<float>(farthest.value),
                      {},
                      {}});
  // Each other model's own worst place, in the colours of the first picture.
  for (std::size_t k = 0; k < comparison.methods.size(); ++k) {
    if (!comparison.methods[k].rig || places.empty()) continue;
    const Worst worst = findWorst(comparison, distance, k);
    if (!(worst.value > 0.0)) continue;
    places.push_back({makeTitle(comparison, distance, worst),
                      worst.moment,
                      worst.region,
                      static_cast<float>(farthest.value),
                      {},
                      {}});
  }
  for (const char* key :
       {"smallest_cross_section", "smallest_volume", "largest_stretch", "most_self_intersections"})
    addJoint(comparison, metricNamed(key), places);
  return places;
}

// The side from which a joint's skin is seen: square to the plane in which it bends, and away from
// the model's middle.
vec3 chooseSide(const Rig& rig, const Moment& moment, std::uint32_t node, const vec3& middle) {
  const std::vector<BoneAxis> axes = boneAxes(rig);
  for (std::uint32_t j = 0; j < rig.joints.size(); ++j) {
    if (rig.joints[j].node != node) continue;
    const auto computeBone = [&](std::uint32_t joint) {
      const RigJoint& of = rig.joints[joint];
      return glm::normalize(mat3(moment.modelFromNode[of.node] * of.jointFromBind) *
                            axes[joint].direction);
    };
    const vec3 bone = computeBone(j);
    const vec3 before = rig.joints[j].parent == kNoNode ? bone : computeBone(rig.joints[j].parent);
    vec3 side = glm::cross(before, bone);
    if (glm::length(side) < 0.2f) side = glm::cross(vec3(0, 1, 0), bone);
    if (glm::length(side) < 0.2f) side = vec3(0, 0, 1);
    const vec3 out = vec3(moment.modelFromNode[node][3]) - middle + vec3(0, 0, 1e-3f);
    return glm::dot(side, out) < 0.0f ? -side : side;
  }
  return vec3(0, 0, 1);
}

Camera cameraFor(const Comparison& comparison, const Rig& rig, const Settings& settings,
                 const WorstPicture& place, const std::vector<DrawnEntry>& entries,
                 const Bounds& scene) {
  if (place.region == 0)
    return frameOutline(scene, 1.0f, glm::radians(settings.yaw), glm::radians(settings.pitch));
  const SkinRegion& region = comparison.analysis.regions[place.region];
  Bounds bounds;
  for (const DrawnEntry& entry : entries)
    for (const std::uint32_t v : region.vertices)
      bounds.include(entry.skin.positions[v]);
  const vec3 around = vec3(0.06f * bounds.size());
  bounds.min -= around;
  bounds.max += around;
  const vec3 side = glm::normalize(
      chooseSide(rig, comparison.moments[place.moment], region.node, scene.center()));
  const float pitch = std::clamp(std::asin(std::clamp(side.y, -1.0f, 1.0f)), -1.2f, 1.2f);
  return frameOutline(bounds, 1.0f, std::atan2(side.x, side.z), pitch);
}

View viewFor(const Camera& camera, const Bounds& scene, const WorstPicture& place) {
  View view;
  view.camera = camera;
  view.viewport = {0, 0, kSide, kSide};
  view.scene = scene;
  view.background = vec3(0.84f, 0.87f, 0.90f); // paper, but darker than a white model
  view.light.intensity = 0.85f;
  view.show.field = place.reddest > 0.0f;
  return view;
}

// Colours the mesh by how far it is from where the reference puts it.
void showDistances(const SkinAnalysis& analysis, std::span<const vec3> reference, float reddest,
                   DrawnEntry& entry) {
  std::vector<float> field(reference.size(), 0.0f);
  for (std::size_t v = 0; v < field.size(); ++v)
    field[v] = glm::length(entry.skin.positions[v] - reference[v]) / (reddest * analysis.size);
  entry.mesh.setField(field);
}

void paint(const Comparison& comparison, const Rig& rig, const Settings& settings,
           std::vector<DrawnEntry>& entries, Renderer& renderer, WorstPicture& place) {
  const Moment& moment = comparison.moments[place.moment];
  Bounds scene;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    entries[k].pose(getMoment(comparison, k, place.moment));
    scene.include(computeBounds(entries[k].skin.positions));
  }
  if (place.reddest > 0.0f) {
    const auto linear = comparison.reference ? entries[*comparison.reference].skin.positions
                                             : posedBy(findMethod("lbs"), rig, moment, settings);
    for (DrawnEntry& entry : entries)
      showDistances(comparison.analysis, linear, place.reddest, entry);
  }
  place.camera = cameraFor(comparison, rig, settings, place, entries, scene);
  const View view = viewFor(place.camera, scene, place);
  for (const DrawnEntry& entry : entries)
    place.images.push_back(renderOffscreen({.width = kSide, .height = kSide, .samples = 4}, [&] {
      renderer.begin(view);
      renderer.draw(entry.mesh);
    }));
}

} // namespace

std::vector<WorstPicture> worstPictures(const Comparison& comparison, const Workbench& workbench,
                                        const Settings& settings) {
  std::vector<WorstPicture> places = weldVertices(comparison);
  const HeadlessContext context;
  Renderer renderer;
  const auto materials = uploadMaterials(workbench.model);
  std::vector<DrawnEntry> entries;
  for (const ComparedMethod& compared : comparison.methods) {
    const Rig& rig = getRig(compared, workbench.rig);
    Binding binding = compared.method->bind(rig, compared.options);
    GpuMesh mesh(materials, rig, *compared.method, binding, {.storage = settings.palette});
    entries.push_back({compared.method, rig, std::move(binding), std::move(mesh), {}, {}});
  }
  for (WorstPicture& place : places)
    paint(comparison, workbench.rig, settings, entries, renderer, place);
  return places;
}

std::string liveView(const Comparison& comparison, const Workbench& workbench,
                     const Settings& settings, std::span<const WorstPicture> places) {
  if (places.empty()) return {};
  Settings shown = settings;
  shown.methods.clear();
  for (const ComparedMethod& compared : comparison.methods)
    shown.methods.push_back(compared.choice);
  const auto isReference = [&](const MethodChoice& choice) {
    return comparison.reference ? choice == comparison.methods[*comparison.reference].choice
                                : choice.method->name == "lbs";
  };
  std::stable_partition(shown.methods.begin(), shown.methods.end(), isReference);
  Workbench live = workbench;
  rebind(live, shown);

  PageClip clip{"the worst moments", 0.0, 0.0, {}};
  for (const WorstPicture& place : places) {
    const Moment& moment = comparison.moments[place.moment];
    clip.poses.push_back({moment.modelFromNode,
                          moment.twists,
                          moment.morphWeights,
                          fmt::format("{}, {}", comparison.analysis.regions[place.region].name,
                                      momentName(comparison, place.moment)),
                          place.camera,
                          {},
                          moment.parentFromNode});
  }
  PageSummary summary;
  const std::string page = pageHtml(live, shown, std::span(&clip, 1), {.embedded = true}, summary);
  return fmt::format("<p>The same moments to turn, by all methods ({} KB of this file):</p>\n"
                     "<iframe class=\"live\" title=\"The worst moments, to turn\" "
                     "srcdoc=\"{}\"></iframe>\n",
                     page.size() / 1000, htmlEscaped(page));
}

} // namespace sinew
