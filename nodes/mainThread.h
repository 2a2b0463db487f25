// The thread that Maya's user interface runs on. Most of Maya's API, MComputation included, belongs to it, while the
// evaluation manager and cached playback compute nodes in other threads too.
#pragma once

namespace purl {

// Call while the plug-in is loaded, which Maya does in its main thread.
void rememberMainThread();
bool onMainThread();

}  // namespace purl
