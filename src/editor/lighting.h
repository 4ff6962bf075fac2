// A picture as light, read in the background and then a setting.
#pragma once

#include <string>

namespace sinew {

struct Session;

// Whether a file is meant as light: a Radiance .hdr, or an image that is no model's. What it holds
// is seen when it is read.
bool isLightPicture(const std::string& file);

void openLight(Session& session, const std::string& file);
bool pollLight(Session& session); // true when one has been read, or could not be

} // namespace sinew
