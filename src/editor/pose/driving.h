// Pose drivers of the model that is edited, as steps of its history.
#pragma once

#include "editor/document/document.h"

#include <cstddef>
#include <string>
#include <vector>

namespace sinew {

// The history's drivers; empty if there are none.
const DriverSet& getDrivers(const Document& document);

// One step of the history. If drivers do not fit the model, shows a message and changes nothing.
void changeDrivers(Document& document, DriverSet set, std::string what);

// An RBF driver that reads the selected joint and drives a joint or a morph target, by name.
void addJointDriver(Document& document, const std::string& joint);
void addMorphDriver(Document& document, const std::string& morph);

// A key of the pose that is shown; says so where one with these rotations is there already. Switch
// the driver off first to pose by hand what it drives.
void addKeyFromHere(Document& document, std::size_t driver);

void mirrorDriver(Document& document, std::size_t driver);

// The weights of one driver's keys at so many even moments of the clip, one list per key;
// empty without a clip or keys.
std::vector<std::vector<float>> keyWeightsOverClip(const Document& document, std::size_t driver,
                                                   std::size_t moments);

// Puts the history's drivers on the workbench.
void applyDrivers(Document& document);

} // namespace sinew
