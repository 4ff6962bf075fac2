#include "editor/background_work.h"

#include "editor/add_motion.h"
#include "editor/lighting.h"
#include "editor/ragdoll/ragdoll_files.h"
#include "editor/save_as.h"
#include "editor/show_folder.h"

namespace sinew {

bool working(const Session& session) {
  return session.imports.importing || readingBeside(session) || binding(session.bind) ||
         session.motions->running() || session.figures.job->running() ||
         session.bake.job->running() || session.light->running() || fittingRagdoll(session.play);
}

bool pollWork(Session& session, double now) {
  bool changed = working(session);
  changed |= pollBinding(session.document, session.bind);
  changed |= pollImport(session, now);
  changed |= pollBeside(session, now);
  changed |= pollReport(session);
  changed |= pollShowFolder(session);
  changed |= pollAddedMotions(session);
  changed |= pollLight(session);
  changed |= pollFitting(session.document, session.play);
  changed |= pollBaking(session.bake);
  changed |= pollFigure(session.figures);
  return changed;
}

} // namespace sinew
