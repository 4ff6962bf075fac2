#include "viewer/playback.h"

#include "animation/sample.h"

#include <algorithm>

namespace sinew {

void advance(Settings& settings, float clipSeconds, float seconds) {
  if (!settings.playing) return;
  const float time = settings.time + seconds * settings.speed;
  if (settings.loop) {
    settings.time = wrapTime(time, clipSeconds, Wrap::loop);
    return;
  }
  settings.time = std::clamp(time, 0.0f, clipSeconds);
  if (settings.time != time) settings.playing = false;
}

void stepTime(Settings& settings, float clipSeconds, int steps) {
  settings.playing = false;
  const float time = settings.time + static_cast<float>(steps) * kStepSeconds;
  settings.time = wrapTime(time, clipSeconds, settings.loop ? Wrap::loop : Wrap::clamp);
}

void togglePlaying(Settings& settings, float clipSeconds) {
  settings.playing = !settings.playing;
  if (!settings.playing || settings.loop) return;
  if (settings.speed >= 0.0f && settings.time >= clipSeconds) settings.time = 0.0f;
  if (settings.speed < 0.0f && settings.time <= 0.0f) settings.time = clipSeconds;
}

} // namespace sinew
