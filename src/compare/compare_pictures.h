// A comparison's worst moments, as pictures made without a window and as a page to turn.
#pragma once

#include "compare/comparison.h"
#include "view/camera.h"

#include <span>
#include <string>
#include <vector>

namespace sinew {

// One moment and place, by every method of the comparison in its order.
struct WorstPicture {
  std::string title; // the metric that is worst here
  std::size_t moment = 0;
  std::size_t region = 0; // 0: the whole model is in view, coloured by the distance to linear
  float reddest = 0.0f;   // blending: red is this share of the model's size
  std::vector<Image> images;
  Camera camera = {}; // camera of the images
};

// The whole model where methods differ most, and the joints where cross-section, volume, stretch
// and self-intersections are worst; every joint once, at the first of these. Opens a context:
// throws graphicsError where there is none.
std::vector<WorstPicture> worstPictures(const Comparison& comparison, const Workbench& workbench,
                                        const Settings& settings);

// The moments to turn and to look at from all sides: an <iframe> that holds the whole page, by
// every method of the comparison, the one from which distances are measured first. Empty without
// pictures.
std::string liveView(const Comparison& comparison, const Workbench& workbench,
                     const Settings& settings, std::span<const WorstPicture> places);

} // namespace sinew
