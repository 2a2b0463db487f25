// Frames in Python: numpy views into a frame that lives as long as any of them.
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
