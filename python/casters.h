// Type casters: a Vec3 becomes a tuple of three floats; any three numbers become a Vec3.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "solver/core/vec.h"

namespace nanobind::detail {

template <>
struct type_caster<purl::Vec3> {
    NB_TYPE_CASTER(purl::Vec3, io_name("collections.abc.Sequence[float]", "tuple[float, float, float]"))

    bool from_python(handle source, uint32_t, cleanup_list* cleanup) noexcept {
        make_caster<std::array<float, 3>> three;
        if (!three.from_python(source, static_cast<uint32_t>(cast_flags::convert), cleanup)) return false;
        value = {three.value[0], three.value[1], three.value[2]};
        return true;
    }
    static handle from_cpp(purl::Vec3 v, rv_policy, cleanup_list*) noexcept {
        return Py_BuildValue("(fff)", double(v.x), double(v.y), double(v.z));
    }
};

}  // namespace nanobind::detail
