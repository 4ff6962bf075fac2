// The paper's sum over points along the bones against the integral in closed form: the number of
// points at which both agree, and their time. The paper hopes for "an analytic result".
#include "app/load_model.h"
#include "demo/models.h"
#include "tools/figures/bone_glow/weight_subject.h"
#include "tools/figures/figures.h"
#include "weights/diffusion.h"
#include "weights/glow_initial_weights.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr double kAgree = 1e-3;
constexpr std::uint32_t kMaxSteps = 512;

double measureSeconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Sum of |difference| over the bones: the largest over the vertices, and the mean.
struct Apart {
  double largest = 0.0;
  double mean = 0.0;
};

template <class RowOf>
Apart apart(std::size_t count, const RowOf& a, const RowOf& b) {
  Apart out;
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0.0;
    const auto weightIn = [](std::span<const Influence> row, std::uint32_t bone) {
      for (const Influence& influence : row)
        if (influence.joint == bone) return static_cast<double>(influence.weight);
      return 0.0;
    };
    for (const Influence& x : a(i))
      sum += std::abs(static_cast<double>(x.weight) - weightIn(b(i), x.joint));
    for (const Influence& x : b(i))
      if (weightIn(a(i), x.joint) == 0.0) sum += static_cast<double>(x.weight);
    out.largest = std::max(out.largest, sum);
    out.mean += sum / static_cast<double>(count);
  }
  return out;
}

struct Step {
  std::uint32_t steps = 0;
  Apart initial;        // p, the paper's initial weights
  Apart weights;        // w, after diffusion
  double seconds = 0.0; // for the initial weights
};

struct Study {
  std::string name;
  std::size_t vertices = 0;
  std::size_t bones = 0;
  double exactSeconds = 0.0;
  std::vector<Step> steps;
};

Apart initialWeightsApart(const InitialWeights& a, const InitialWeights& b) {
  using RowOf = std::function<std::span<const Influence>(std::size_t)>;
  return apart<RowOf>(
      a.anchoring.size(), [&](std::size_t i) { return a.of(i); },
      [&](std::size_t i) { return b.of(i); });
}

Apart fieldsApart(const WeightField& a, const WeightField& b) {
  std::vector<double> sums(a.vertices, 0.0);
  for (std::size_t i = 0; i < a.values.size(); ++i)
    sums[i % a.vertices] +=
        std::abs(static_cast<double>(a.values[i]) - static_cast<double>(b.values[i]));
  Apart out;
  for (const double sum : sums) {
    out.largest = std::max(out.largest, sum);
    out.mean += sum / static_cast<double>(a.vertices);
  }
  return out;
}

Study runStudy(const WeightSubject& subject, std::uint32_t maxSteps) {
  const WeightSurface surface =
      makeWeightSurface(subject.joined.positions, subject.joined.triangles);
  const SurfaceRays rays(surface);
  const std::vector<BoneSegment>& bones = subject.skeleton.bones;
  Study out{subject.name, subject.joined.positions.size(), bones.size(), 0.0, {}};
  DiffusionTimes times;
  InitialWeights exact;
  out.exactSeconds = measureSeconds([&] { exact = glowInitialWeights(surface, bones, rays, {}); });
  const WeightField exactWeights = diffuse(surface, exact, bones.size(), times);
  for (std::uint32_t steps = 1; steps <= maxSteps; steps *= 2) {
    Step step{steps, {}, {}, 0.0};
    InitialWeights stepped;
    step.seconds =
        measureSeconds([&] { stepped = glowInitialWeights(surface, bones, rays, {steps}); });
    step.initial = initialWeightsApart(exact, stepped);
    step.weights = fieldsApart(exactWeights, diffuse(surface, stepped, bones.size(), times));
    out.steps.push_back(step);
    if (step.initial.largest <= kAgree && step.weights.largest <= kAgree) break;
  }
  return out;
}

// The smallest number of steps from which on the weights agree, and its seconds; NaN: none.
std::pair<double, double> stepsToAgree(const Study& study,
                                       const std::function<double(const Step&)>& apartness) {
  std::pair<double, double> found{std::numeric_limits<double>::quiet_NaN(),
                                  std::numeric_limits<double>::quiet_NaN()};
  for (auto step = study.steps.rbegin(); step != study.steps.rend(); ++step) {
    if (apartness(*step) > kAgree) break;
    found = {static_cast<double>(step->steps), step->seconds};
  }
  return found;
}

const struct Measure {
  const char* name;
  double (*of)(const Step&);
} kMeasures[] = {{"p_mean", [](const Step& s) { return s.initial.mean; }},
                 {"p_largest", [](const Step& s) { return s.initial.largest; }},
                 {"w_mean", [](const Step& s) { return s.weights.mean; }},
                 {"w_largest", [](const Step& s) { return s.weights.largest; }}};

std::string inWords(double steps, std::uint32_t maxSteps) {
  return std::isfinite(steps) ? fmt::format("{:.0f}", steps)
                              : fmt::format("more than {}", maxSteps);
}

void addStudy(const Study& study, FigureResult& result, Table& all, Table& agree, Plot& plot) {
  Series mean{study.name + ", p, mean", {}, true};
  Series largest{study.name + ", w, largest", {}, true};
  for (const Step& s : study.steps) {
    all.rows.push_back({study.name, static_cast<double>(s.steps), s.initial.mean, s.initial.largest,
                        s.weights.mean, s.weights.largest, s.seconds});
    mean.points.emplace_back(s.steps, s.initial.mean);
    largest.points.emplace_back(s.steps, s.weights.largest);
  }
  plot.series.push_back(std::move(mean));
  plot.series.push_back(std::move(largest));
  auto& numbers = result.numbers[study.name];
  numbers = {{"vertices", study.vertices},
             {"bones", study.bones},
             {"closed_form_seconds", study.exactSeconds}};
  std::vector<Cell> row{study.name, static_cast<double>(study.vertices),
                        static_cast<double>(study.bones), study.exactSeconds};
  for (const Measure& measure : kMeasures) {
    const auto [steps, seconds] = stepsToAgree(study, measure.of);
    row.emplace_back(steps);
    row.emplace_back(seconds);
    numbers["steps"][measure.name] = std::isfinite(steps) ? nlohmann::ordered_json(steps) : nullptr;
    numbers["last"][measure.name] = measure.of(study.steps.back());
  }
  agree.rows.push_back(std::move(row));
}

FigureResult runSteps(const FigureOptions& options) {
  const std::uint32_t maxSteps =
      options.frames > 0 ? std::uint32_t{1} << std::min(options.frames, 20) : kMaxSteps;
  std::vector<WeightSubject> subjects;
  const Model bodyArm = makeBodyArm();
  subjects.push_back(makeSubject("body-arm", bodyArm, extractSkeleton(bodyArm)));
  subjects.push_back(humanSubject());
  for (const auto& [mesh, skeleton] : options.models) {
    const Model model = loadModel(mesh);
    const JoinedMeshes joined = joinMeshes(meshesAlone(model));
    subjects.push_back(makeSubject(std::filesystem::path(mesh).stem().string(), model,
                                   loadSkeleton(skeleton, joined)));
  }
  FigureResult result;
  Table all{"stepping against the closed form, L1 of a vertex",
            {{"model", ""},
             {"steps", "", 0},
             {"p_mean", "", 6},
             {"p_largest", "", 5},
             {"w_mean", "", 6},
             {"w_largest", "", 5},
             {"seconds", "s"}},
            {}};
  Table agree{fmt::format("steps to agree with the closed form to {}, and their time", kAgree),
              {{"model", ""}, {"vertices", "", 0}, {"bones", "", 0}, {"closed_form", "s"}},
              {}};
  for (const Measure& measure : kMeasures) {
    agree.columns.push_back({std::string("steps_") + measure.name, "", 0});
    agree.columns.push_back({std::string("seconds_") + measure.name, "s"});
  }
  Plot plot;
  plot.title = "Stepping along the bones against the closed form";
  plot.xLabel = "steps";
  plot.yLabel = "L1 of a vertex's weights";
  plot.logX = plot.logY = true;
  for (const WeightSubject& subject : subjects) {
    const Study study = runStudy(subject, maxSteps);
    addStudy(study, result, all, agree, plot);
    const auto [p, pSeconds] = stepsToAgree(study, kMeasures[0].of);
    const auto [w, wSeconds] = stepsToAgree(study, kMeasures[3].of);
    result.measured += fmt::format(
        "{}{} ({} bones): initial weights agree to {} in the mean with {} steps{}, final weights "
        "everywhere with {}; the closed form takes {:.2f} s",
        result.measured.empty() ? "" : "; ", study.name, study.bones, kAgree, inWords(p, maxSteps),
        std::isfinite(pSeconds) ? fmt::format(" ({:.2f} s)", pSeconds) : "", inWords(w, maxSteps),
        study.exactSeconds);
  }
  result.says = "the integral is summed at points along the bone; an analytic result would be a "
                "considerable speed-up";
  result.tables.push_back({"", std::move(agree)});
  result.tables.push_back({"all", std::move(all)});
  result.images.push_back({"", drawPlot(plot, 900, 560)});
  return result;
}

} // namespace

Figure stepsFigure() {
  return {.name = "bg-steps",
          .paper = kBoneGlowPaper,
          .title = "Section 4: steps along the bones, and the closed form",
          .run = runSteps};
}

} // namespace sinew
