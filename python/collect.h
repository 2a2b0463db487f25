// Exposes the Python objects that C++ objects hold (lists, callbacks) to the garbage collector, so that cycles are
// freed.
#pragma once
#include "python/casters.h"

namespace purl::python {

// For a class whose objects hold Python objects: nb::class_<Owner>(module, "Owner", collectable<Owner>()).
// Owner::held(visit) calls visit(object) for each of them.
template <class Owner>
nanobind::type_slots collectable() {
    static PyType_Slot slots[] = {
        {Py_tp_traverse, reinterpret_cast<void*>(+[](PyObject* self, visitproc visit, void* arg) {
             Py_VISIT(Py_TYPE(self));
             int stop = 0;
             if (nanobind::inst_ready(self))
                 nanobind::inst_ptr<Owner>(self)->held([&](nanobind::object& object) {
                     if (!stop && object) stop = visit(object.ptr(), arg);
                 });
             return stop;
         })},
        {Py_tp_clear, reinterpret_cast<void*>(+[](PyObject* self) {
             if (nanobind::inst_ready(self))
                 nanobind::inst_ptr<Owner>(self)->held([](nanobind::object& object) { object.reset(); });
             return 0;
         })},
        {0, nullptr}};
    return nanobind::type_slots(slots);
}

}  // namespace purl::python
