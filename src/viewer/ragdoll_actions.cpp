// What keys and menus do with ragdolls: a part of the table of actions.

#include "viewer/actions.h"
#include "viewer/session.h"

namespace sinew {

void addRagdollActions(std::vector<Action>& all) {
  all.push_back({"Ragdoll",
                 "Fall",
                 {"U"},
                 "let the model fall from where it is; again: back to the animation",
                 [](Viewer& v) {
                   showTab(v, SideTab::ragdoll);
                   ragdollActive(v) && v.ragdoll.backLeft <= 0.0 ? endRagdoll(v) : startRagdoll(v);
                 },
                 ragdollActive});
  all.push_back({"Ragdoll", "Throw a ball", {"Shift+U"}, "from here at the model", throwBall});
  all.push_back({"Ragdoll",
                 "Bodies and limits",
                 {"Y"},
                 "drawn over the model, coloured by the severity of their joints",
                 [](Viewer& v) { v.ragdoll.shapes = !v.ragdoll.shapes; },
                 [](const Viewer& v) { return v.ragdoll.shapes; }});
  all.push_back({"Ragdoll",
                 "Record",
                 {"Shift+Y"},
                 "the fall, as a clip",
                 [](Viewer& v) { recordRagdoll(v, !v.ragdoll.recording); },
                 [](const Viewer& v) { return v.ragdoll.recording; }});
  all.push_back({"Ragdoll", "Export the recording", {"Ctrl+Shift+E"}, "as .glb", exportRagdoll});
  all.push_back({"Ragdoll", "Save the set-up", {}, "beside the model", saveRagdoll});
}

} // namespace sinew
