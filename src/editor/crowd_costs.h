// What a frame of the crowd on screen costs by each method: measured in the background by a process
// of this program, `bench`, one method after the other, while the crowd on screen stands still.
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
  double milliseconds = 0.0; // of a frame, median
};

struct CrowdCosts {
  std::unique_ptr<Task<std::vector<MethodCost>>> job;
  std::vector<MethodCost> costs; // the cheapest first
  std::string problem;           // why they could not be measured
  bool played = false;           // before
  bool closed = false;           // the list on screen
};

// From the JSON of `bench --json`, the cheapest first. Throws inputError where it has no methods.
std::vector<MethodCost> methodCosts(std::string_view benchJson);

// Of as many characters as the crowd has.
void startCrowdCosts(Session& session);
bool pollCrowdCosts(Session& session); // true when it has ended
void forgetCrowdCosts(Session& session);

} // namespace sinew
