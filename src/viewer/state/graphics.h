// What lives in the OpenGL context of the window, and what drawing took.
#pragma once

#include "app/settings.h"
#include "crowd/crowd_mesh.h"
#include "gl/context.h"
#include "gl/framebuffer.h"
#include "gl/texture.h"
#include "gl/timer.h"
#include "picture/scene_renderer.h"
#include "render/offscreen.h"
#include "viewer/state/rolling.h"
#include "viewer/state/ui.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct ShownPicture {
  Texture2D texture;
  float width = 0.0f; // pixels
  float height = 0.0f;
};

using MethodPictures = std::map<const Method*, ShownPicture>; // an elbow by each method

// Create and destroy it while the window's context is current. The picture is drawn into a
// framebuffer of its own, as without a window: edges are smooth whatever the display offers.
struct Graphics {
  SceneRenderer scene;
  std::map<std::uint64_t, SceneRenderer> sideModels; // keyed by SideModel::id
  CrowdDrawing drawing;                              // how the stress scene is drawn
  std::optional<CrowdMesh> crowd;                    // the stress scene, unless drawn by default
  View crowdView;                                    // the view that `crowd` was posed for
  Settings shown;                     // settings that the meshes were last updated with
  std::optional<Framebuffer> samples; // several per pixel; none: drawn into `pixels`
  std::optional<Framebuffer> pixels;
  EdgeFilter edges;
  bool still = false;               // this frame stays for a while: it may take longer
  OffscreenTarget recorded;         // the views of a recording
  std::vector<ShownPicture> figure; // pictures of the shown figure of a paper
  std::string figureName;           // the figure that they belong to
  std::map<std::string, ShownPicture>
      thumbnails;                      // pictures of all figures, once their list has been open
  MethodPictures methods;              // pictures that were requested
  std::optional<ShownPicture> texture; // a texture of the model, shown by itself
  std::uint64_t textureRevision = 0;   // Document::revisions.model of `texture`
  TextureUi textureShown;              // what `texture` shows
  std::vector<GpuTimer> timers;        // one per view
  GlInfo info = glInfo();
};

struct ViewStatistics {
  Rolling gpu; // milliseconds
  DrawCount drawn;
};

struct Statistics {
  Rolling pose, palette, difference, upload, gpu, frame; // milliseconds; gpu: total of all views
  DrawCount drawn;                                       // total of all views
  std::vector<ViewStatistics> views;
};

} // namespace sinew
