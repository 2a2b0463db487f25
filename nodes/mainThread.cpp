#include "nodes/mainThread.h"

#include <atomic>
#include <thread>

namespace purl {

static std::atomic<std::thread::id> mainThread;

void rememberMainThread() { mainThread = std::this_thread::get_id(); }
bool onMainThread() { return mainThread.load() == std::this_thread::get_id(); }

}  // namespace purl
