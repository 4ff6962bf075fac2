// Every option of the picture and the animation, declared once: field, name, range, help. The
// command line, the settings file and the viewer's panels are visitors of visitSettings().
#pragma once

#include "animation/root_motion.h"
#include "app/method_list.h"
#include "core/transform.h"
#include "light/light_picture.h"
#include "view/backdrop.h"
#include "view/camera.h"
#include "view/draw_choices.h"
#include "view/view.h"

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

std::vector<MethodChoice> defaultMethods(); // linear blending

// Physically based, or the plain look: one light, a sky and a ground, for looking at shapes and for
// figures that stay comparable.
enum class Look { physical, plain };

struct Settings {
  // Skinning
  std::vector<MethodChoice> methods = defaultMethods(); // at least one; a view each
  PaletteStorage palette = PaletteStorage::automatic;
  SkinOn skinOn = SkinOn::vertexShader;
  int influences = kDefaultInfluences;
  ParameterSettings parameters; // for all methods that have them
  // Animation
  std::string clip;
  float time = 0.0f;
  float speed = 1.0f;
  bool playing = true;
  bool loop = true;
  bool pingPong = false;
  float rangeStart = 0.0f;
  float rangeEnd = 0.0f;
  RootMotion root = RootMotion::keep;
  float fade = 0.3f;
  float drag = 0.0f; // VelocityStrength
  float squash = 0.0f;
  // What is shown
  bool textures = true;
  bool wireframe = false;
  bool normals = false;
  bool skeleton = false;
  bool grid = true;
  bool shadows = true;
  bool contactShadow = true;
  std::string weightsJoint;
  bool boneColors = false;
  int ghosts = 0;         // before the shown moment, and as many after it
  float ghostStep = 0.1f; // seconds from one to the next
  FieldColors colormap = FieldColors::greyToRed;
  std::optional<MethodChoice> difference; // the method that differences are measured from
  float differenceScale = 0.0f;
  // Light and background
  Look look = Look::physical;
  // Angles here are degrees, since users type and read them.
  float lightYaw = -15.0f;
  float lightPitch = 48.0f;
  float lightIntensity = 1.0f;
  bool headlight = false;
  LightPicture lightFrom;
  Backdrop background;
  // How it is drawn
  int samples = 0; // a pixel; 0: as offscreenOptions() (render/offscreen.h) chooses
  // Camera
  Projection projection = Projection::perspective;
  float yaw = 30.0f;
  float pitch = 10.0f;
  float distance = 1.0f; // as a multiple of the distance that shows the whole model
  bool turntable = false;
  // Viewer
  bool statistics = false;
};

// The description of an option for a visitor, besides its field. minimum == maximum: no range.
struct OptionInfo {
  std::string_view name; // on the command line with "--", in the settings file as it is
  std::string_view group;
  std::string_view help;
  float minimum = 0.0f;
  float maximum = 0.0f;
  std::vector<std::string> choices = {}; // the words allowed; empty: any
  std::string_view maximumWord = {};     // another word for the maximum of a whole number
};

// Fields that are a choice or a list, written as text on the command line and in the settings file.
// readSetting() throws usageError for what they cannot be.
std::string settingText(const std::vector<MethodChoice>& methods);
std::string settingText(const std::optional<MethodChoice>& method); // "none" without one
std::string settingText(const ParameterSettings& parameters);
std::string settingText(PaletteStorage storage);
std::string settingText(SkinOn skinOn);
std::string settingText(RootMotion root);
std::string settingText(Look look);
std::string settingText(FieldColors colors);
std::string settingText(const LightPicture& picture); // its file; "none" without one
std::string settingText(const Backdrop& background);  // a word, or R,G,B
std::string settingText(Projection projection);
void readSetting(std::string_view text, std::vector<MethodChoice>& methods);
void readSetting(std::string_view text, std::optional<MethodChoice>& method);
void readSetting(std::string_view text, ParameterSettings& parameters);
void readSetting(std::string_view text, PaletteStorage& storage);
void readSetting(std::string_view text, SkinOn& skinOn);
void readSetting(std::string_view text, RootMotion& root);
void readSetting(std::string_view text, Look& look);
void readSetting(std::string_view text, FieldColors& colors);
void readSetting(std::string_view text, LightPicture& picture); // throws inputError too
void readSetting(std::string_view text, Backdrop& background);
void readSetting(std::string_view text, Projection& projection);

template <class T>
concept TextSetting = requires(const T& value, T& field) {
  { settingText(value) } -> std::same_as<std::string>;
  readSetting(std::string_view(), field);
};

std::vector<std::string> methodNames();
std::vector<std::string> rootNames();
std::vector<std::string> lookNames();
std::vector<std::string> colormapNames();
std::vector<std::string> paletteNames();
std::vector<std::string> skinOnWords();
std::vector<std::string> backgroundWords(); // but for a colour's
std::vector<std::string> projectionNames();
std::vector<std::string> namesWithNone(std::vector<std::string> names); // "none" first

// Calls visit(OptionInfo, field) for every option. S is Settings or const Settings.
template <class S, class Visitor>
void visitSettings(S& s, Visitor&& visit) {
  using Info = OptionInfo;
  const float full = 360.0f;
  const float quarter = 89.0f;
  visit(Info{"method", "Skinning",
             "skinning method; several separated by commas are shown side by side; "
             "NAME:PARAMETER=VALUE sets a parameter for one of them",
             0, 0, methodNames()},
        s.methods);
  visit(Info{"palette", "Skinning", "storage of the palette on the GPU", 0, 0, paletteNames()},
        s.palette);
  visit(Info{"skin-on", "Skinning",
             "what skins the vertices: the vertex shader, the CPU by vector instructions on all "
             "cores, a compute shader (OpenGL 4.3), or whichever is measured to be fastest",
             0, 0, skinOnWords()},
        s.skinOn);
  visit(Info{"influences",
             "Skinning",
             "influences kept per vertex, the largest; a draw takes up to 12, and vertices with "
             "fewer pay for fewer",
             1,
             static_cast<float>(kInfluenceLimit),
             {},
             "all"},
        s.influences);

  visit(Info{"set", "Skinning",
             "parameters of the method, as NAME=VALUE separated by commas; docs/cli.md lists them"},
        s.parameters);

  visit(Info{"clip", "Animation",
             "clip by name or index; 'none' for the rest pose, 'bind' for the bind pose"},
        s.clip);
  visit(Info{"time", "Animation", "seconds into the clip", 0, 0}, s.time);
  visit(Info{"speed", "Animation", "playback speed", -4, 4}, s.speed);
  visit(Info{"playing", "Animation", "start playing"}, s.playing);
  visit(Info{"loop", "Animation", "play the clip again when it ends"}, s.loop);
  visit(Info{"ping-pong", "Animation", "play the clip forwards and backwards in turn"}, s.pingPong);
  visit(Info{"range-start", "Animation", "start of the playback range, seconds", 0, 100000},
        s.rangeStart);
  visit(Info{"range-end", "Animation", "end of the playback range, seconds; 0: the end of the clip",
             0, 100000},
        s.rangeEnd);
  visit(Info{"root", "Animation",
             "root motion of the clip: kept, removed, or accumulated over loops", 0, 0,
             rootNames()},
        s.root);
  visit(Info{"fade", "Animation",
             "seconds of the cross-fade when another clip is chosen in the window", 0, 5},
        s.fade);
  visit(Info{"drag", "Motion",
             "velocity skinning: how far skin lags behind moving joints, seconds; 0.4 is much", 0,
             2},
        s.drag);
  visit(Info{"squash", "Motion",
             "velocity skinning: stretch along the motion, of the model's size a second; 0.1 is "
             "much",
             0, 2},
        s.squash);

  visit(Info{"textures", "Show", "draw textures"}, s.textures);
  visit(Info{"wireframe", "Show", "draw the triangles' edges"}, s.wireframe);
  visit(Info{"normals", "Show", "draw the vertex normals"}, s.normals);
  visit(Info{"skeleton", "Show", "draw the bones over the mesh"}, s.skeleton);
  visit(Info{"grid", "Show", "draw the ground grid"}, s.grid);
  visit(Info{"shadows", "Show",
             "the key light's shadow on the model and on the ground, and the darkening of creases; "
             "not in the plain look"},
        s.shadows);
  visit(Info{"contact-shadow", "Show", "softly darken the ground under parts that touch it"},
        s.contactShadow);
  visit(Info{"bone-colors", "Show", "colour by bone: each joint's own, mixed by the weights"},
        s.boneColors);
  visit(Info{"weights", "Show", "colour by the weight of this joint"}, s.weightsJoint);
  visit(Info{"colormap", "Show",
             "colours of weights and differences; 'safe' suits colour-blind eyes", 0, 0,
             colormapNames()},
        s.colormap);
  visit(Info{"difference", "Show",
             "colour by each vertex's distance from its position by this method", 0, 0,
             namesWithNone(methodNames())},
        s.difference);
  visit(Info{"difference-scale", "Show",
             "distance at the end of the colours, percent of the model's size; 0: automatic", 0,
             100},
        s.differenceScale);

  visit(Info{"ghosts", "Show",
             "number of poses before and after the shown moment, behind the model (onion skin)", 0,
             8},
        s.ghosts);
  visit(Info{"ghost-step", "Show", "seconds from one of these poses to the next", 0.01f, 2},
        s.ghostStep);

  visit(
      Info{"look", "Light",
           "physical: by metalness and roughness in a studio's light; plain: one light, a sky and "
           "a ground",
           0, 0, lookNames()},
      s.look);
  visit(Info{"light-yaw", "Light", "light's angle around the model, degrees", -full, full},
        s.lightYaw);
  visit(Info{"light-pitch", "Light", "light's elevation, degrees", -quarter, quarter},
        s.lightPitch);
  visit(Info{"light", "Light", "light's intensity", 0, 4}, s.lightIntensity);
  visit(Info{"headlight", "Light", "the light moves with the camera"}, s.headlight);
  visit(Info{"light-from", "Light",
             "light from a picture of everything around, equirectangular: a Radiance .hdr, .png or "
             ".jpg. Its middle is where light-yaw points; 'none': sky, ground and a key light"},
        s.lightFrom);
  visit(Info{"background", "Light",
             "background: dark, light, a studio's light that falls off towards the rim, or a "
             "colour, sRGB 0 to 1",
             0, 0, backgroundWords()},
        s.background);

  visit(Info{"samples", "Picture",
             "samples a pixel; 0: four. A software renderer draws one, with filtered edges, while "
             "the picture moves",
             0, 8},
        s.samples);

  visit(Info{"projection", "Camera",
             "perspective, or orthographic: by parallel rays, so that equal lengths look equal", 0,
             0, projectionNames()},
        s.projection);
  visit(Info{"yaw", "Camera", "camera's angle around the model, degrees", -full, full}, s.yaw);
  visit(Info{"pitch", "Camera", "camera's elevation, degrees", -quarter, quarter}, s.pitch);
  visit(Info{"distance", "Camera", "1 shows the whole model, 0.5 half as far", 0.01f, 100},
        s.distance);
  visit(Info{"turntable", "Camera", "rotate the camera around the model"}, s.turntable);
  visit(Info{"statistics", "Viewer", "show the statistics panel"}, s.statistics);
}

// A JSON object by option name. Reading skips nothing silently: an unknown name, a wrong type or a
// value out of range throws inputError, which names it and the file.
std::string settingsToJson(const Settings& settings);
Settings settingsFromJson(std::string_view json, std::string_view path);

// What happens at the ends of the clip.
Wrap getWrap(const Settings& settings);

// The checks every visitor shares: range and choices, and one colouring at a time. Throws
// usageError.
void checkSettings(const Settings& settings);

} // namespace sinew
