// The cost of a frame of the crowd on screen by each method. A background process of this program,
// `bench`, measures one method after the other, while the crowd on screen stands still.
#pragma once

#include "editor/tasks/task.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct Method;
struct Session;

struct MethodCost {
  const Method* method = nullptr;
  double milliseconds = 0.0; // median time of a frame
};

struct CrowdCosts {
  std::unique_ptr<Task<std::vector<MethodCost>>> job;
  std::vector<MethodCost> costs; // the cheapest first
  std::string problem;           // why the costs could not be measured
  bool played = false;           // the clip was playing before the measurement
  bool closed = false;           // the user has closed the list on screen
};

// Reads the output of `bench --json`, the cheapest first. Throws inputError if it has no methods.
std::vector<MethodCost> methodCosts(std::string_view benchJson);

// Measures as many characters as the crowd has.
void startCrowdCosts(Session& session);
bool pollCrowdCosts(Session& session); // true when the measurement has ended
void forgetCrowdCosts(Session& session);

} // namespace sinew
