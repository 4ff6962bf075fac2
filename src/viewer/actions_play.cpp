// Actions on the time line and on what plays.
#include "editor/document/clip_time.h"
#include "editor/time/timeline.h"
#include "viewer/actions.h"

namespace sinew {
namespace {

void stepClip(Document& document, int step) {
  const auto count = static_cast<int>(document.workbench.model.clips.size());
  if (count == 0) return;
  const int now =
      document.workbench.clip ? static_cast<int>(*document.workbench.clip) : (step > 0 ? -1 : 0);
  const int next = (now + step + count) % count;
  setClip(document, clipWord(document.workbench.model, static_cast<std::uint32_t>(next)));
}

void playOrPause(Document& document) {
  const bool held = holdsPose(document); // playing goes on where the clip was left
  releasePose(document);
  if (held)
    document.settings.playing = true;
  else
    togglePlaying(document.settings, playedRange(document.workbench, getWrap(document.settings)));
}

// One of the poses that are not a clip's, or the clip again.
Action stillPose(const char* name, const char* key, const char* help, const char* word) {
  return {"View/Play",
          name,
          {key},
          help,
          [word](Viewer& v) {
            Document& document = v.session.document;
            setClip(document, document.settings.clip == word ? "" : word);
          },
          [word](const Viewer& v) { return v.session.document.settings.clip == word; }};
}

} // namespace

void addPlayActions(std::vector<Action>& all) {
  all.push_back(
      {"View/Play", "Play or pause", {"Space"}, "", onDocument(playOrPause), [](const Viewer& v) {
         return v.session.document.settings.playing;
       }});
  all.push_back(repeated({"View/Play",
                          "Step forward",
                          {"Right"},
                          "pause, and go to the clip's next frame",
                          onDocument([](Document& d) { stepFrames(d, 1); })}));
  all.push_back(repeated({"View/Play",
                          "Step back",
                          {"Left"},
                          "pause, and go to the clip's previous frame",
                          onDocument([](Document& d) { stepFrames(d, -1); })}));
  all.push_back({"View/Play", "To the start", {"Home"}, "of the range", onDocument([](Document& d) {
                   d.settings.time = d.settings.rangeStart;
                 })});
  all.push_back(repeated({"View/Play",
                          "Next key",
                          {">"},
                          "pause, and go to it: the selected joint's, or the clip's",
                          onDocument([](Document& d) { stepKey(d, 1); })}));
  all.push_back(repeated(
      {"View/Play", "Previous key", {"<"}, "", onDocument([](Document& d) { stepKey(d, -1); })}));
  all.push_back({"View/Play",
                 "The range starts here",
                 {"{"},
                 "only the range plays",
                 onDocument([](Document& d) { setRangeStart(d, d.settings.time); })});
  all.push_back({"View/Play",
                 "The range ends here",
                 {"}"},
                 "only the range plays",
                 onDocument([](Document& d) { setRangeEnd(d, d.settings.time); })});
  all.push_back(
      {"View/Play", "The whole clip", {"Shift+Home"}, "plays again", onDocument(resetRange)});
  all.push_back(repeated(
      {"View/Play", "Next clip", {"]"}, "", onDocument([](Document& d) { stepClip(d, 1); })}));
  all.push_back(repeated(
      {"View/Play", "Previous clip", {"["}, "", onDocument([](Document& d) { stepClip(d, -1); })}));
  all.push_back(
      toggle("View/Play", "Loop", "L", "play the clip again when it ends", &Settings::loop));
  all.push_back(toggle("View/Play", "Ping-pong", "Shift+L", "play the clip to its end and back",
                       &Settings::pingPong));
  all.push_back(stillPose("Rest pose", "R", "the pose of the file without animation", "none"));
  all.push_back(stillPose("Bind pose", "B", "the pose in which the mesh was modelled", "bind"));
}

} // namespace sinew
