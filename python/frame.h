// Frames in Python: numpy views into a frame, which stays alive as long as any view.
#pragma once
#include <memory>

#include "python/casters.h"
#include "solver/frame.h"

namespace purl::python {

namespace nb = nanobind;

using FramePtr = std::shared_ptr<const Frame>;

struct PyFrame {
    FramePtr frame;
};

void bindFrame(nb::module_& module);

}  // namespace purl::python
