#include "editor/running_tasks.h"

#include "editor/model_files.h"
#include "editor/motions.h"
#include "editor/ragdoll/ragdoll_files.h"
#include "editor/save_as.h"

#include <fmt/format.h>

#include <filesystem>

namespace sinew {
namespace {

// Every job but the reading of models, which has a panel of its own.
template <class Visit>
void visitRunningTasks(const Session& session, const Visit& visit) {
  const auto job = [&](const char* verb, const auto& each) {
    if (each && each->running()) visit(verb, *each);
  };
  job("Binding", session.bind.job);
  job("Baking", session.bake.job);
  job(rigEdits()[static_cast<std::size_t>(session.rigEdits.kind)].verb, session.rigEdits.job);
  job("Writing", session.tasks.report);
  job("Making the figure", session.figures.job);
  job("Reading", session.tasks.motions);
  job("Reading", session.tasks.light);
  job("Fitting the ragdoll of", session.play.fitting);
  job("Checking", session.check.job);
  job("Measuring a crowd of", session.crowdCosts.job);
  job("Measuring repairs of", session.check.repairJob);
}

} // namespace

bool hasRunningTask(const Session& session) {
  bool any = session.imports.importing || isReadingSideModels(session);
  visitRunningTasks(session, [&](const char* /*verb*/, const auto& /*job*/) { any = true; });
  return any;
}

std::string describeRunningTasks(const Session& session) {
  std::string text;
  visitRunningTasks(session, [&](const char* verb, const auto& job) {
    const auto status = job.progress();
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", verb,
                        std::filesystem::path(status.name).filename().string());
    if (status.fraction > 0.0f)
      text += fmt::format(" {:.0f} %", 100.0 * static_cast<double>(status.fraction));
  });
  return text;
}

bool pollTasks(Session& session, double now) {
  bool changed = pollBinding(session.document, session.bind);
  changed |= pollImport(session, now);
  changed |= pollSideModels(session, now);
  changed |= pollReport(session);
  changed |= pollShowFolder(session);
  changed |= pollAddedMotions(session);
  changed |= pollLight(session);
  changed |= pollFitting(session.document, session.play);
  if (pollBaking(session.bake)) {
    showBaked(session);
    changed = true;
  }
  changed |= pollRigEdit(session);
  changed |= pollChecking(session, now);
  changed |= pollFigure(session.figures);
  changed |= pollCrowdCosts(session);
  return changed;
}

} // namespace sinew
