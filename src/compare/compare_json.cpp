#include "compare/compare_json.h"

#include "compare/compare_output.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json worstJson(const Comparison& comparison, std::size_t method, std::size_t region) {
  Json out = Json::object();
  for (const Metric& metric : allMetrics())
    out[std::string(metric.worstKey)] = number(findWorst(comparison, metric, method, region).value);
  return out;
}

Json momentJson(const Comparison& comparison, std::size_t moment) {
  const Moment& of = comparison.moments[moment];
  Json out = Json::object();
  if (comparison.along == Comparison::Along::clip) out["clip"] = of.clip;
  if (comparison.along != Comparison::Along::pose) out[alongKey(comparison)] = of.at;
  return out;
}

Json regionName(const SkinRegion& region) {
  return region.node == kNoNode ? Json(nullptr) : Json(region.name);
}

Json timeJson(const MethodTime& time) {
  return {{"bind_ms", number(time.bindMs)},
          {"pack_ms", number(time.packMs)},
          {"cpu_skin_ms", number(time.skinMs)},
          {"frame_ms", number(time.frameMs)},
          {"gpu_ms", number(time.gpuMs)}};
}

Json methodJson(const Comparison& comparison, std::size_t method) {
  Json joints = Json::array(), worst = Json::object();
  const auto& regions = comparison.analysis.regions;
  for (std::size_t region = 1; region < regions.size(); ++region) {
    Json joint{{"joint", regions[region].name}};
    joint.update(worstJson(comparison, method, region));
    joints.push_back(std::move(joint));
  }
  for (const Metric& metric : allMetrics()) {
    const Worst at = findWorst(comparison, metric, method);
    Json where{{"value", number(at.value)}, {"joint", regionName(regions[at.region])}};
    where.update(momentJson(comparison, at.moment));
    worst[std::string(metric.worstKey)] = std::move(where);
  }
  return {{"method", comparison.methods[method].name},
          {"title", comparison.methods[method].title},
          {"worst", std::move(worst)},
          {"whole", worstJson(comparison, method, 0)},
          {"joints", std::move(joints)},
          {"time", timeJson(comparison.times.empty() ? MethodTime{} : comparison.times[method])}};
}

Json regionsJson(const Comparison& comparison) {
  Json out = Json::array();
  const auto& regions = comparison.analysis.regions;
  for (std::size_t i = 1; i < regions.size(); ++i)
    out.push_back({{"joint", regions[i].name},
                   {"triangles", regions[i].triangles.size()},
                   {"cross_sections", regions[i].sections.size()},
                   {"bind_volume",
                    regions[i].bindVolume != 0.0 ? Json(regions[i].bindVolume) : Json(nullptr)},
                   {"bind_curvature", number(comparison.rest[i].curvature)}});
  return out;
}

Json metricsJson() {
  Json out = Json::object();
  for (const Metric& metric : allMetrics())
    out[std::string(metric.worstKey)] = {{"unit", metric.unit}, {"definition", metric.definition}};
  return out;
}

} // namespace

Json toJson(const Comparison& comparison, const std::vector<Limit>& limits) {
  static constexpr std::array kAlong = {"pose", "clip", "sweep"};
  Json methods = Json::array();
  for (std::size_t k = 0; k < comparison.methods.size(); ++k)
    methods.push_back(methodJson(comparison, k));
  Json samples = tableJson(samplesTable(comparison));
  for (Json& sample : samples)
    if (sample["joint"].get_ref<const std::string&>().empty()) sample["joint"] = nullptr;
  const std::vector<std::string> failed = failedLimits(comparison, limits);
  return {{"model", comparison.model},
          {"subject", comparison.subject},
          {"along", kAlong[static_cast<std::size_t>(comparison.along)]},
          {"moments", comparison.moments.size()},
          {"vertices", comparison.analysis.rest.size()},
          {"triangles", comparison.analysis.regions[0].triangles.size()},
          {"size", comparison.analysis.size},
          {"beyond_share", comparison.beyond},
          {"metrics", metricsJson()},
          {"joints", regionsJson(comparison)},
          {"methods", methods},
          {"samples", samples},
          {"timed_vertices", comparison.timedVertices},
          {"renderer", comparison.renderer.empty() ? Json(nullptr) : Json(comparison.renderer)},
          {"notes", comparison.notes},
          {"failed", failed}};
}

} // namespace sinew
