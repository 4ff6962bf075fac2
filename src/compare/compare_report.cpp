#include "compare/compare_report.h"

#include "compare/compare_output.h"
#include "compare/compare_pictures.h"
#include "core/base64.h"
#include "core/error.h"
#include "render/image.h"
#include "report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light; }
html { font-size: 16px; }
body { font: 1rem/1.5 system-ui, "DejaVu Sans", sans-serif; color: #1c2126; background: #fff;
  max-width: 76rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.7rem; margin: 0; } h2 { font-size: 1.25rem; margin: 2.4rem 0 .6rem; }
h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; font-weight: 600; }
p { margin: .4rem 0; } .subject { color: #56606a; }
.note { background: #fff6dd; border-left: .3rem solid #e0a800; padding: .4rem .8rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .6rem 0; font-size: .88rem; }
caption { text-align: left; white-space: nowrap; color: #56606a; padding-bottom: .3rem; }
th { text-align: right; font-weight: 600; border-bottom: 2px solid #c9d0d6; }
th, td { padding: .25rem .7rem; } td { border-bottom: 1px solid #e8ebee; }
th:first-child, td:first-child, td.word, th.word { text-align: left; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.best { background: #ddf3e4; } td.worst { background: #fbe0dc; }
td.best::after { content: " \25B2"; color: #1a7f45; font-size: .7em; }
td.worst::after { content: " \25BC"; color: #b3341f; font-size: .7em; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr));
  gap: .7rem; }
figure { margin: 0; break-inside: avoid; } figure img { width: 100%; display: block;
  border: 1px solid #d9dee2; }
figcaption { font-size: .85rem; padding-top: .2rem; } figcaption b { font-weight: 600; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(30rem, 1fr)); gap: 1rem; }
.plots svg { width: 100%; height: auto; break-inside: avoid; }
.key { border-left: 1.4rem solid; padding-left: .4rem; margin-right: 1.4rem; white-space: nowrap;
  line-height: 1; display: inline-block; print-color-adjust: exact; }
dt { font-weight: 600; margin-top: .6rem; } dd { margin: 0 0 0 1.2rem; max-width: 48rem; }
iframe.live { width: 100%; height: 42rem; border: 1px solid #d9dee2; }
footer { margin-top: 3rem; color: #56606a; font-size: .85rem; }
@media print { .live { display: none; } html { font-size: 10px; } body { margin: 0; max-width: none; padding: 0; }
  .plots { grid-template-columns: 1fr 1fr; } .pictures { grid-template-columns: repeat(3, 1fr);
    max-width: 85%; }
  .scroll { overflow: visible; } th, td { padding: .2rem .5rem; } td.number { white-space: nowrap; }
  section, tr, dd { break-inside: avoid; } h2, h3, caption, dt { break-after: avoid; }
  td { print-color-adjust: exact; } }
)";

constexpr std::array kPlotted = {"smallest_cross_section", "smallest_volume", "largest_stretch",
                                 "largest_folded"};

std::string shown(double value, int decimals) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, decimals) : "";
}

struct Marked {
  double value;
  int decimals;
  const Metric* metric; // nullptr: less is better
};

constexpr double kAlike = 0.01; // closer than that, best and worst are nothing to point at

// The class of each cell of a group: those that read the same as the best or the worst one.
std::vector<std::string> markBestAndWorst(const std::vector<Marked>& cells) {
  const auto bad = [](const Marked& cell) {
    return cell.metric ? badness(*cell.metric, cell.value) : cell.value;
  };
  double best = DeformationMetrics::kUndefined, worst = best;
  for (const Marked& cell : cells) {
    best = std::fmin(best, bad(cell));
    worst = std::fmax(worst, bad(cell));
  }
  const bool alike = !(worst - best > kAlike * std::max(std::abs(best), std::abs(worst)));
  std::vector<std::string> marks;
  for (const Marked& cell : cells) {
    const std::string own = shown(bad(cell), cell.decimals);
    const bool none = alike || own.empty() || (cell.metric && cell.metric->againstLinear) ||
                      shown(best, cell.decimals) == shown(worst, cell.decimals);
    marks.emplace_back(none                                 ? ""
                       : own == shown(best, cell.decimals)  ? " best"
                       : own == shown(worst, cell.decimals) ? " worst"
                                                            : "");
  }
  return marks;
}

enum class MarkBy { none, column, row };

const Metric* metricOfColumn(const std::string& name) {
  const auto found = std::ranges::find(allMetrics(), name, &Metric::heading);
  return found == allMetrics().end() ? nullptr : &*found;
}

// As tableHtml, but marks the best and worst numbers of every column, or of every row. metric: the
// metric of all numbers; null: by the column's name.
std::string markedHtml(const Table& table, MarkBy by, const Metric* metric = nullptr) {
  const auto number = [&](std::size_t row, std::size_t c) {
    return std::get_if<double>(&table.rows[row][c]);
  };
  std::vector<std::vector<std::string>> marks(table.rows.size(),
                                              std::vector<std::string>(table.columns.size()));
  const std::size_t groups = by == MarkBy::column ? table.columns.size() : table.rows.size();
  const std::size_t length = by == MarkBy::column ? table.rows.size() : table.columns.size();
  for (std::size_t group = 0; by != MarkBy::none && group < groups; ++group) {
    std::vector<Marked> cells;
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t row = by == MarkBy::column ? i : group;
      const std::size_t c = by == MarkBy::column ? group : i;
      if (!number(row, c)) continue;
      const Column& column = table.columns[c];
      cells.push_back(
          {*number(row, c), column.decimals, metric ? metric : metricOfColumn(column.name)});
      places.emplace_back(row, c);
    }
    const std::vector<std::string> of = markBestAndWorst(cells);
    for (std::size_t i = 0; i < places.size(); ++i)
      marks[places[i].first][places[i].second] = of[i];
  }
  std::string html = "<div class=\"scroll\"><table>\n";
  if (!table.title.empty()) html += "<caption>" + htmlEscaped(table.title) + "</caption>\n";
  html += "<thead><tr>";
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::string name = table.columns[c].name;
    std::ranges::replace(name, '_', ' ');
    const bool word = !table.rows.empty() && !number(0, c);
    html += fmt::format("<th{}>{}</th>", word ? " class=\"word\"" : "", htmlEscaped(name));
  }
  html += "</tr></thead>\n";
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    html += "<tr>";
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      if (const double* value = number(row, c))
        html += fmt::format("<td class=\"number{}\">{}</td>", marks[row][c],
                            shown(*value, table.columns[c].decimals));
      else
        html += "<td class=\"word\">" + htmlEscaped(std::get<std::string>(table.rows[row][c])) +
                "</td>";
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

std::string pictureNote(const Comparison& comparison, const WorstPicture& place) {
  std::string note = htmlEscaped(place.title);
  if (place.reddest > 0.0f)
    note += fmt::format("<br>Coloured by the distance to {}: blue none, red {:.4f} of the model's "
                        "size.",
                        htmlEscaped(referenceName(comparison)), place.reddest);
  return note;
}

std::string pictureSection(const Comparison& comparison, const Workbench& workbench,
                           const Settings& settings, bool live) {
  std::string html = "<h2>The worst moments</h2>\n";
  std::vector<WorstPicture> places;
  try {
    places = worstPictures(comparison, workbench, settings);
  } catch (const Error& error) {
    if (error.cause() != ErrorCause::graphics) throw;
    return html + "<p class=\"note\">No pictures could be drawn: " + htmlEscaped(error.what()) +
           "</p>\n";
  }
  const std::array told = {"smallest_volume", "smallest_cross_section", "largest_stretch",
                           "most_self_intersections"};
  for (const WorstPicture& place : places) {
    const SkinRegion& region = comparison.analysis.regions[place.region];
    html += fmt::format("<section>\n<h3>{}, {}</h3>\n<p>{}</p>\n<div class=\"pictures\">\n",
                        htmlEscaped(region.name), htmlEscaped(momentName(comparison, place.moment)),
                        pictureNote(comparison, place));
    for (std::size_t k = 0; k < place.images.size(); ++k) {
      const DeformationMetrics& of = comparison.metrics[k][place.moment][place.region];
      std::string metrics;
      for (const char* key : told) {
        const Metric& metric = metricNamed(key);
        std::string name(metric.key);
        std::ranges::replace(name, '_', '-');
        if (std::isfinite(of.*metric.value))
          metrics += fmt::format("{}{} {:.{}f}", metrics.empty() ? "" : ", ", name,
                                 of.*metric.value, metric.decimals);
      }
      const std::string title = htmlEscaped(comparison.methods[k].title);
      html +=
          fmt::format("<figure><img alt=\"{}\" src=\"data:image/png;base64,{}\">"
                      "<figcaption><b>{}</b><br>{}</figcaption></figure>\n",
                      title, base64(encodePng(place.images[k], PngEffort::small)), title, metrics);
    }
    html += "</div>\n</section>\n";
  }
  return live ? html + liveView(comparison, workbench, settings, places) : html;
}

// One metric over the moments, a curve a method, at the region where it is worst.
std::string plotMetric(const Comparison& comparison, const Metric& metric) {
  Worst worst;
  for (std::size_t k = 0; k < comparison.methods.size(); ++k)
    worst = worse(metric, worst, findWorst(comparison, metric, k));
  if (std::isnan(worst.value)) return {};
  const bool several = comparison.moments.front().clip != comparison.moments.back().clip;
  Plot plot;
  std::string name(metric.key);
  std::ranges::replace(name, '_', '-');
  plot.title = fmt::format("{}: {}", comparison.analysis.regions[worst.region].name, name);
  plot.xLabel = comparison.along == Comparison::Along::sweep ? "degrees"
                : several                                    ? "sample, clip after clip"
                                                             : "seconds";
  plot.yLabel = metric.unit;
  for (std::size_t k = 0; k < comparison.methods.size(); ++k) {
    Series series{"", {}, comparison.moments.size() < 40}; // one legend serves all plots
    for (std::size_t i = 0; i < comparison.moments.size(); ++i)
      series.points.emplace_back(several ? static_cast<double>(i + 1) : comparison.moments[i].at,
                                 comparison.metrics[k][i][worst.region].*metric.value);
    plot.series.push_back(std::move(series));
  }
  return plotSvg(plot, 640, 380) + "\n";
}

std::string plotSection(const Comparison& comparison) {
  if (comparison.moments.size() < 2) return {};
  std::string html =
      "<h2>Over the motion</h2>\n<p>Each metric at the joint where it is worst.</p>\n<p>";
  for (std::size_t k = 0; k < comparison.methods.size(); ++k)
    html += fmt::format("<span class=\"key\" style=\"border-color:{}\">{}</span>\n", seriesColor(k),
                        htmlEscaped(comparison.methods[k].name));
  html += "</p>\n<div class=\"plots\">\n";
  for (const char* key : kPlotted)
    html += plotMetric(comparison, metricNamed(key));
  html += plotMetric(comparison, metricNamed("most_self_intersections"));
  html += plotMetric(comparison, metricNamed("largest_distance"));
  return html + "</div>\n";
}

std::string jointSection(const Comparison& comparison) {
  const std::size_t joints = comparison.analysis.regions.size() - 1;
  if (joints < 2) return {};
  std::string html = "<h2>Joint by joint</h2>\n";
  for (const char* key : {"smallest_cross_section", "smallest_volume", "largest_stretch"}) {
    const Metric& metric = metricNamed(key);
    const Table table = metricByJoint(comparison, metric, joints);
    if (!table.rows.empty()) html += markedHtml(table, MarkBy::row, &metric);
  }
  return html;
}

std::string definitionSection() {
  std::string html =
      "<h2>What is measured</h2>\n<p>The region of a joint consists of the triangles "
      "of which most corners are attached to it first. Empty cells are not defined: no skin "
      "surrounds the bone, or the skin is a sheet without volume.</p>\n<dl>\n";
  for (const Metric& metric : allMetrics())
    html += fmt::format("<dt>{} [{}]</dt><dd>{}</dd>\n", htmlEscaped(std::string(metric.title)),
                        metric.unit, htmlEscaped(std::string(metric.definition)));
  return html + "</dl>\n";
}

} // namespace

std::string htmlReport(const Comparison& comparison, const Workbench& workbench,
                       const Settings& settings, const ReportOptions& options) {
  const std::size_t joints = comparison.analysis.regions.size() - 1;
  const std::string name = htmlEscaped(workbench.model.name);
  std::string html =
      fmt::format("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width\">\n"
                  "<title>{0}: {1}</title>\n<style>{2}</style>\n</head>\n"
                  "<body>\n<h1>{0}: {1}</h1>\n<p class=\"subject\">{3}; {4} "
                  "vertices, {5} triangles, {6} joint{7} measured</p>\n",
                  name, htmlEscaped(options.title), kStyle, htmlEscaped(comparison.subject),
                  comparison.analysis.rest.size(), comparison.analysis.regions[0].triangles.size(),
                  joints, joints == 1 ? "" : "s");
  for (const std::string& note : comparison.notes)
    html += "<p class=\"note\">" + htmlEscaped(note) + "</p>\n";
  html += options.lead;
  html += "<h2>Summary</h2>\n<p><span style=\"color:#1a7f45\">&#9650;</span> the best and "
          "<span style=\"color:#b3341f\">&#9660;</span> the worst of a column; values measured "
          "against " +
          htmlEscaped(referenceName(comparison)) + " are not marked.</p>\n";
  html += markedHtml(jointSummary(comparison), MarkBy::column);
  html += markedHtml(wholeSummary(comparison), MarkBy::column);
  html += markedHtml(worstMoments(comparison), MarkBy::none);
  if (options.pictures) html += pictureSection(comparison, workbench, settings, options.live);
  if (options.plots) html += plotSection(comparison);
  html += jointSection(comparison);
  if (!comparison.times.empty())
    html += "<h2>Time</h2>\n" + markedHtml(timeTable(comparison), MarkBy::column);
  html += definitionSection();
  return html + "<footer>Made by sinew " SINEW_VERSION ".</footer>\n</body>\n</html>\n";
}

} // namespace sinew
