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

using MethodPictures = std::map<const Method*, ShownPicture>; // an elbow by each

// Created and destroyed while the window's context is current. The picture is drawn into a
// framebuffer of its own, as without a window: edges are smooth whatever the display offers.
struct Graphics {
  SceneRenderer scene;
  std::map<std::uint64_t, SceneRenderer> sideModels; // by SideModel::id
  CrowdDrawing drawing;                              // how the stress scene is drawn
  std::optional<CrowdMesh> crowd;                    // it, where that is not the default
  View crowdView;                                    // that it was posed for
  Settings shown;                     // that the meshes were last brought up to date with
  std::optional<Framebuffer> samples; // several a pixel; none: drawn into `pixels` at once
  std::optional<Framebuffer> pixels;
  EdgeFilter edges;
  bool still = false;               // this frame will stay for a while: it may take longer
  OffscreenTarget recorded;         // the views of a recording
  std::vector<ShownPicture> figure; // pictures of the shown figure of a paper
  std::string figureName;           // that they are of
  std::map<std::string, ShownPicture>
      thumbnails;                      // pictures of all figures, once their list has been open
  MethodPictures methods;              // those asked for
  std::optional<ShownPicture> texture; // a texture of the model, shown by itself
  std::uint64_t textureRevision = 0;   // Document::revisions.model
  TextureUi textureShown;              // what it is of
  std::vector<GpuTimer> timers;        // one per view
  GlInfo info = glInfo();
};

struct ViewStatistics {
  Rolling gpu; // milliseconds
  DrawCount drawn;
};

struct Statistics {
  Rolling pose, palette, difference, upload, gpu, frame; // milliseconds; gpu: of all views
  DrawCount drawn;                                       // in all views
  std::vector<ViewStatistics> views;
};

} // namespace sinew
