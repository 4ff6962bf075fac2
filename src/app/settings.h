// Every option of the picture and the movement, declared once: field, name, range, help. The
// command line, the settings file and the viewer's panels are visitors of visitSettings().
#pragma once

#include "animation/root_motion.h"
#include "core/transform.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct Settings {
  // Skinning
  std::string method = "lbs"; // several, separated by commas: app/method_list.h
  std::string palette = "auto";
  int influences = 4;
  std::string parameters; // "NAME=VALUE,...", see Method::parameters
  // Movement
  std::string clip;
  float time = 0.0f;
  float speed = 1.0f;
  bool playing = true;
  bool loop = true;
  bool pingPong = false;
  float rangeStart = 0.0f;
  float rangeEnd = 0.0f;
  std::string root = "keep";
  float fade = 0.3f;
  // What is shown
  bool textures = true;
  bool wireframe = false;
  bool normals = false;
  bool skeleton = false;
  bool grid = true;
  std::string weightsOf;
  std::string colormap = "heat";
  std::string difference = "none"; // a method, as one entry of `method`
  float differenceScale = 0.0f;
  // Light and background. Angles here are degrees, for people type and read them.
  float lightYaw = 35.0f;
  float lightPitch = 45.0f;
  float lightIntensity = 1.0f;
  bool headlight = false;
  vec3 background{0.11f, 0.12f, 0.14f};
  // Camera
  float yaw = 30.0f;
  float pitch = 10.0f;
  float distance = 1.0f; // as a multiple of the distance that shows the whole model
  bool turntable = false;
  // Viewer
  bool statistics = true;
};

// What a visitor knows of an option besides its field. minimum == maximum: no range.
struct OptionInfo {
  std::string_view name; // on the command line with "--", in the settings file as it is
  std::string_view group;
  std::string_view help;
  float minimum = 0.0f;
  float maximum = 0.0f;
  std::vector<std::string> choices = {}; // of a string; empty: any
};

std::vector<std::string> methodNames();
std::vector<std::string> namesWithNone(std::vector<std::string> names); // "none" first

// Calls visit(OptionInfo, field) for every option. S is Settings or const Settings.
template <class S, class Visitor>
void visitSettings(S& s, Visitor&& visit) {
  using Info = OptionInfo;
  const float turn = 360.0f;
  const float quarter = 89.0f;
  visit(Info{"method", "Skinning",
             "skinning method; several separated by commas are shown side by side; "
             "NAME:PARAMETER=VALUE sets a parameter for one of them",
             0, 0, methodNames()},
        s.method);
  visit(Info{"palette",
             "Skinning",
             "where the palette lives on the GPU",
             0,
             0,
             {"auto", "uniform-array", "block", "texture"}},
        s.palette);
  visit(Info{"influences", "Skinning", "influences kept per vertex: 4, 8 or 12", 4, 12},
        s.influences);

  visit(Info{"set", "Skinning",
             "parameters of the method, as NAME=VALUE separated by commas; docs/cli.md lists them"},
        s.parameters);

  visit(Info{"clip", "Movement",
             "clip by name or index; 'none' for the rest pose, 'bind' for the bind pose"},
        s.clip);
  visit(Info{"time", "Movement", "seconds into the clip", 0, 0}, s.time);
  visit(Info{"speed", "Movement", "playback speed", -4, 4}, s.speed);
  visit(Info{"playing", "Movement", "start playing"}, s.playing);
  visit(Info{"loop", "Movement", "play the clip again when it ends"}, s.loop);
  visit(Info{"ping-pong", "Movement", "play the clip to and fro"}, s.pingPong);
  visit(Info{"range-start", "Movement", "play the clip from this second on", 0, 100000},
        s.rangeStart);
  visit(Info{"range-end", "Movement", "and up to this one; 0: to its end", 0, 100000}, s.rangeEnd);
  visit(Info{"root",
             "Movement",
             "the clip's way over the ground: as it is, left out, or adding up over loops",
             0,
             0,
             {"keep", "off", "accumulate"}},
        s.root);
  visit(Info{"fade", "Movement",
             "seconds in which the window goes over from one clip to another that is chosen", 0, 5},
        s.fade);

  visit(Info{"textures", "Show", "draw textures"}, s.textures);
  visit(Info{"wireframe", "Show", "draw the triangles' edges"}, s.wireframe);
  visit(Info{"normals", "Show", "draw the vertex normals"}, s.normals);
  visit(Info{"skeleton", "Show", "draw the bones over the mesh"}, s.skeleton);
  visit(Info{"grid", "Show", "draw the ground grid"}, s.grid);
  visit(Info{"weights", "Show", "colour by the weight of this joint"}, s.weightsOf);
  visit(Info{"colormap",
             "Show",
             "colours of weights and differences; 'safe' suits colour-blind eyes",
             0,
             0,
             {"heat", "safe"}},
        s.colormap);
  visit(Info{"difference", "Show", "colour by the distance from where this method puts each vertex",
             0, 0, namesWithNone(methodNames())},
        s.difference);
  visit(Info{"difference-scale", "Show",
             "distance at the end of the colours, percent of the model's size; 0: as it comes", 0,
             100},
        s.differenceScale);

  visit(Info{"light-yaw", "Light", "light's direction about the model, degrees", -turn, turn},
        s.lightYaw);
  visit(Info{"light-pitch", "Light", "light's height, degrees", -quarter, quarter}, s.lightPitch);
  visit(Info{"light", "Light", "light's intensity", 0, 4}, s.lightIntensity);
  visit(Info{"headlight", "Light", "the light moves with the camera"}, s.headlight);
  visit(Info{"background", "Light", "background colour, sRGB 0 to 1"}, s.background);

  visit(Info{"yaw", "Camera", "camera's turn about the model, degrees", -turn, turn}, s.yaw);
  visit(Info{"pitch", "Camera", "camera's height, degrees", -quarter, quarter}, s.pitch);
  visit(Info{"distance", "Camera", "1 shows the whole model, 0.5 half as far", 0.01f, 100},
        s.distance);
  visit(Info{"turntable", "Camera", "turn the camera about the model"}, s.turntable);
  visit(Info{"statistics", "Viewer", "show the statistics panel"}, s.statistics);
}

// As a JSON object by option name. Reading leaves out nothing silently: an unknown name, a wrong
// type or a value out of range throws inputError naming it and the file.
std::string settingsToJson(const Settings& settings);
Settings settingsFromJson(std::string_view json, std::string_view path);

// What happens at the ends of the clip, and to its way over the ground.
Wrap wrapOf(const Settings& settings);
RootMotion rootMotionOf(const Settings& settings);

// The checks every visitor shares: range and choices, and one colouring at a time. Throws
// usageError.
void checkSettings(const Settings& settings);

} // namespace sinew
