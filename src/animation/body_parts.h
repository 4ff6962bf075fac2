// Which part of a body a joint is, by its name, for skeletons that call the same thing otherwise:
// thigh.l, LeftUpLeg, UpperLeg.L, Bip01_L_Thigh. People and what stands like them; no fingers.
#pragma once

#include <string>
#include <string_view>

namespace sinew {

// "left thigh", "hips", "neck"; "spine" for every joint of the back. Empty: none that is known.
std::string bodyPart(std::string_view name);

} // namespace sinew
