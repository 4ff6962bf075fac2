#include "compare/compare_output.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

constexpr std::size_t kFewJoints = 8; // in the text's tables by joint

// The metrics worth a table by joint.
constexpr std::array kByJoint = {"smallest_cross_section", "smallest_volume", "largest_stretch"};

// A table of the metrics for which tells(metric), each at its worst by worst(metric, method).
template <class Tells, class WorstBy>
Table summary(const Comparison& comparison, const Tells& tells, const WorstBy& worst) {
  Table table;
  table.columns.push_back({"method", "", 0});
  for (const Metric& metric : allMetrics())
    if (tells(metric)) table.columns.push_back({std::string(metric.heading), "", metric.decimals});
  for (std::size_t k = 0; k < comparison.methods.size(); ++k) {
    std::vector<Cell> row{comparison.methods[k].name};
    for (const Metric& metric : allMetrics())
      if (tells(metric)) row.emplace_back(worst(metric, k).value);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string shown(const Metric& metric, double value) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, metric.decimals) : "";
}

// Whether the number reads as the best possible: a ratio of 1, a count of 0.
bool isIdeal(const Metric& metric, double value) {
  const double ideal = metric.unit == "x bind" ? 1.0 : 0.0;
  return std::isnan(value) ||
         shown(metric, badness(metric, value)) == shown(metric, badness(metric, ideal));
}

struct Best {
  std::string value;
  std::string methods;
};

// The best of the methods' worst values, and all that print the same. None if all print the same,
// or if the metric does not rank values.
Best findBest(const Comparison& comparison, const Metric& metric, const std::vector<Worst>& each) {
  const auto bad = [&](const Worst& of) { return badness(metric, of.value); };
  const auto defined = [](const Worst& of) { return !std::isnan(of.value); };
  Worst best, worst;
  for (const Worst& of : each)
    if (defined(of)) {
      if (!defined(best) || bad(of) < bad(best)) best = of;
      if (!defined(worst) || bad(of) > bad(worst)) worst = of;
    }
  if (metric.againstLinear || shown(metric, bad(best)) == shown(metric, bad(worst))) return {};
  Best out{shown(metric, best.value), ""};
  for (const Worst& of : each)
    if (shown(metric, bad(of)) == shown(metric, bad(best)))
      out.methods += (out.methods.empty() ? "" : ", ") + comparison.methods[of.method].name;
  return out;
}

// The key under which a moment's place stands: "time" in a clip, "degrees" in a sweep.
std::string alongKey(const Comparison& comparison) {
  return comparison.along == Comparison::Along::sweep ? "degrees" : "time";
}

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

const Metric& metricNamed(std::string_view worstKey) {
  const auto found = std::ranges::find(allMetrics(), worstKey, &Metric::worstKey);
  assert(found != allMetrics().end());
  return *found;
}

Table jointSummary(const Comparison& comparison) {
  Table table = summary(
      comparison, [](const Metric& metric) { return !metric.ofWhole; },
      [&](const Metric& metric, std::size_t k) { return findWorst(comparison, metric, k); });
  table.title = comparison.analysis.regions.size() == 1 ? "At its worst"
                : comparison.jointsNamed                ? "The worst of the joints"
                                         : "The worst of all joints and the whole mesh";
  return table;
}

Table wholeSummary(const Comparison& comparison) {
  Table table = summary(
      comparison, [](const Metric& metric) { return metric.ofWhole || metric.key == "volume"; },
      [&](const Metric& metric, std::size_t k) { return findWorst(comparison, metric, k, 0); });
  table.title = fmt::format("The whole mesh ('beyond' is farther than {:g} of its size from {})",
                            comparison.beyond, referenceName(comparison));
  return table;
}

Table timeTable(const Comparison& comparison) {
  Table table;
  table.title = "Time in milliseconds: binding once; a palette; all vertices by the CPU reference";
  table.columns = {{"method", "", 0}, {"bind", "", 2}, {"pack", "", 4}, {"cpu_skin", "", 3}};
  const bool drawn = comparison.timedVertices > 0;
  if (drawn) {
    table.title += fmt::format("; a frame of {} vertices on {}", comparison.timedVertices,
                               comparison.renderer);
    table.columns.push_back({"frame", "", 3});
    table.columns.push_back({"gpu", "", 3});
  }
  for (std::size_t k = 0; k < comparison.methods.size(); ++k) {
    const MethodTime& time = comparison.times[k];
    std::vector<Cell> row{comparison.methods[k].name, time.bindMs, time.packMs, time.skinMs};
    if (drawn) row.insert(row.end(), {time.frameMs, time.gpuMs});
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table worstMoments(const Comparison& comparison) {
  Table table;
  table.title = "Where they are worst, and the best of the others' worst";
  table.columns = {{"metric", "", 0}, {"worst", "", 0},   {"by", "", 0}, {"at", "", 0},
                   {"moment", "", 0}, {"best is", "", 0}, {"by", "", 0}};
  for (const Metric& metric : allMetrics()) {
    std::vector<Worst> each;
    Worst worst;
    for (std::size_t k = 0; k < comparison.methods.size(); ++k) {
      each.push_back(findWorst(comparison, metric, k));
      worst = worse(metric, worst, each.back());
    }
    if (isIdeal(metric, worst.value)) continue;
    const auto [best, by] = findBest(comparison, metric, each);
    table.rows.push_back({std::string(metric.title), shown(metric, worst.value),
                          comparison.methods[worst.method].name,
                          comparison.analysis.regions[worst.region].name,
                          momentName(comparison, worst.moment), best, by});
  }
  return table;
}

Table metricByJoint(const Comparison& comparison, const Metric& metric, std::size_t maxRows) {
  Table table;
  table.title = fmt::format("{} [{}]", metric.title, metric.unit);
  table.columns.push_back({"joint", "", 0});
  for (const ComparedMethod& method : comparison.methods)
    table.columns.push_back({method.name, "", metric.decimals});
  std::vector<std::pair<Worst, std::vector<Cell>>> rows;
  for (std::size_t region = 1; region < comparison.analysis.regions.size(); ++region) {
    rows.push_back({{}, {comparison.analysis.regions[region].name}});
    for (std::size_t k = 0; k < comparison.methods.size(); ++k) {
      const Worst of = findWorst(comparison, metric, k, region);
      rows.back().first = worse(metric, rows.back().first, of);
      rows.back().second.emplace_back(of.value);
    }
    if (isIdeal(metric, rows.back().first.value)) rows.pop_back();
  }
  std::ranges::stable_sort(rows, [&](const auto& a, const auto& b) {
    return a.first.value != b.first.value && worse(metric, a.first, b.first).value == a.first.value;
  });
  for (std::size_t i = 0; i < std::min(maxRows, rows.size()); ++i)
    table.rows.push_back(std::move(rows[i].second));
  return table;
}

Table samplesTable(const Comparison& comparison) {
  Table table;
  table.columns = {{"method", "", 0}, {"joint", "", 0}};
  const bool clips = comparison.along == Comparison::Along::clip;
  if (clips) table.columns.push_back({"clip", "", 0});
  if (comparison.along != Comparison::Along::pose)
    table.columns.push_back({alongKey(comparison), "", 3});
  for (const Metric& metric : allMetrics())
    if (table.columns.back().name != metric.key)
      table.columns.push_back({std::string(metric.key), "", metric.decimals});
  for (std::size_t k = 0; k < comparison.methods.size(); ++k)
    for (std::size_t i = 0; i < comparison.moments.size(); ++i)
      for (std::size_t region = 0; region < comparison.analysis.regions.size(); ++region) {
        const SkinRegion& of = comparison.analysis.regions[region];
        std::vector<Cell> row{comparison.methods[k].name,
                              of.node == kNoNode ? std::string() : of.name};
        if (clips) row.emplace_back(comparison.moments[i].clip);
        if (comparison.along != Comparison::Along::pose) row.emplace_back(comparison.moments[i].at);
        std::string_view last;
        for (const Metric& metric : allMetrics())
          if (std::exchange(last, metric.key) != metric.key)
            row.emplace_back(comparison.metrics[k][i][region].*metric.value);
        table.rows.push_back(std::move(row));
      }
  return table;
}

std::string toString(const Comparison& comparison, bool everyJoint) {
  const std::size_t joints = comparison.analysis.regions.size() - 1;
  std::string out =
      fmt::format("{}: {}; {} triangles, {} joint{}\n", comparison.model, comparison.subject,
                  comparison.analysis.regions[0].triangles.size(), joints, joints == 1 ? "" : "s");
  for (const std::string& note : comparison.notes)
    out += "note: " + note + "\n";
  out += "\n" + tableText(jointSummary(comparison));
  out += "\n" + tableText(wholeSummary(comparison));
  out += "\n" + tableText(worstMoments(comparison));
  if (joints > 1) {
    for (const char* key : kByJoint) {
      const Table table =
          metricByJoint(comparison, metricNamed(key), everyJoint ? joints : kFewJoints);
      if (!table.rows.empty()) out += "\n" + tableText(table);
    }
    if (!everyJoint && joints > kFewJoints)
      out += fmt::format("({} joints in all; --every-joint shows them)\n", joints);
  }
  if (!comparison.times.empty()) out += "\n" + tableText(timeTable(comparison));
  return out;
}

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
