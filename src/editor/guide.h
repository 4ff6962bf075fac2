// The first screen and the guided tour: scenes on the built-in character that show one thing each.
// A scene is real state of the session: views, clip, camera, selection and tool, to go on from.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace sinew {

struct Session;
struct Settings;

// What a scene says of a method's view.
struct Remark {
  std::string_view method;
  std::string_view words;
};

struct Scene {
  std::string_view title;
  std::string_view text;
  std::string_view methods; // methods as on the command line
  float begin = 0.0f;       // the part of the clip that plays, seconds; both 0: all of it
  float end = 0.0f;
  float time = 0.0f;
  bool playing = true;
  bool pingPong = false;
  std::string_view joint = {}; // joint to select and frame over that part; empty: the whole model
  float yaw = 15.0f;           // degrees, as in Settings
  float pitch = 25.0f;
  bool difference = false; // shows the difference from linear blending
  bool bendRange = false;  // shows the joint's rings, which can be dragged
  std::span<const Remark> remarks = {};
};

const Scene& firstScene();
std::span<const Scene> tourScenes();

struct Guide {
  const Scene* scene = nullptr;  // the shown one
  const Scene* wanted = nullptr; // shown as soon as the character has been read
  bool loop = true;              // the setting before the scene
  bool pingPong = false;
};

// Puts the views, clip and camera's side of a scene into the settings.
void putScene(const Scene& scene, Settings& settings);

// Shows a scene with the next advanceSession() that has the character. Opens the character if
// another model is shown, and asks before unsaved work is discarded.
void showScene(Session& session, const Scene& scene);

// Shows a wanted scene. advanceSession() calls it after settings have been applied.
void advanceGuide(Session& session);

// Ends the guide. The scene stays, but the setting for the ends of the clip is restored.
void endGuide(Session& session);

// The scene's remark on the method of a view; empty without one.
std::string_view remarkOn(const Session& session, std::size_t view);

// Enter and the right arrow go to the next scene, the left one goes back, Escape leaves the tour.
// False if no tour is shown or the chord does nothing in it.
bool tourKey(Session& session, std::string_view chord);

// The number of the shown scene in the tour, from 1; 0: no scene of the tour is shown.
std::size_t tourStep(const Session& session);

} // namespace sinew
