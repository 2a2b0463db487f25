#include "render/context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>

#include <cstring>
#include <string>
#include <vector>

#include "solver/core/error.h"

namespace purl {

namespace {

class EglContext : public Context {
  public:
    // Displays are never terminated: the whole process shares them, including Maya's viewport.
    explicit EglContext(EGLDisplay display) : display_(display) {
        if (display == EGL_NO_DISPLAY) throw Error("no display");
        if (!eglInitialize(display, nullptr, nullptr)) throw Error("the display cannot be initialised");
        const EGLenum apiBefore = eglQueryAPI();
        eglBindAPI(EGL_OPENGL_API);
        const EGLint configAttributes[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                           EGL_NONE};
        const EGLint version[] = {
            EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
        const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
        EGLConfig config = nullptr;
        EGLint count = 0;
        if (eglChooseConfig(display, configAttributes, &config, 1, &count) && count > 0) {
            context_ = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
            if (context_) surface_ = eglCreatePbufferSurface(display, config, size);
        }
        if (apiBefore != EGL_NONE) eglBindAPI(apiBefore);
        if (!context_) throw Error("no OpenGL 3.3 on this display");
    }

    ~EglContext() override {
        if (surface_) eglDestroySurface(display_, surface_);
        eglDestroyContext(display_, context_);
    }

    void* function(const char* name) const override { return reinterpret_cast<void*>(eglGetProcAddress(name)); }

    std::unique_ptr<Current> makeCurrent() const override { return std::make_unique<EglCurrent>(*this); }

  private:
    class EglCurrent : public Current {
      public:
        explicit EglCurrent(const EglContext& ours)
            : ours_(ours.display_),
              api_(eglQueryAPI()),
              bound_(eglBindAPI(EGL_OPENGL_API)),
              display_(eglGetCurrentDisplay()),
              draw_(eglGetCurrentSurface(EGL_DRAW)),
              read_(eglGetCurrentSurface(EGL_READ)),
              context_(eglGetCurrentContext()) {
            if (!bound_ || !eglMakeCurrent(ours.display_, ours.surface_, ours.surface_, ours.context_)) {
                throw Error("OpenGL: the context cannot be made current; is another thread drawing with it?");
            }
        }
        ~EglCurrent() override {
            if (context_) {
                eglMakeCurrent(display_, draw_, read_, context_);
            } else {
                eglMakeCurrent(ours_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
            }
            if (api_ != EGL_NONE) eglBindAPI(api_);
        }

      private:
        EGLDisplay ours_;
        EGLenum api_;
        EGLBoolean bound_;
        EGLDisplay display_;
        EGLSurface draw_, read_;
        EGLContext context_;
    };

    EGLDisplay display_;
    EGLContext context_ = EGL_NO_CONTEXT;
    EGLSurface surface_ =
        EGL_NO_SURFACE;  // EGL_NO_SURFACE on platforms without pbuffers: we render to our own framebuffers
};

// OSMesa is loaded at run time, so that neither the build nor the binary depends on it.
class OsMesaContext : public Context {
  public:
    OsMesaContext() {
        for (const char* name : {"libOSMesa.so.8", "libOSMesa.so.6", "libOSMesa.so"}) {
            if (!library_) library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        }
        if (!library_) throw Error("libOSMesa is not installed");
        const auto create = symbol<void* (*)(const int*, void*)>("OSMesaCreateContextAttribs");
        destroy_ = symbol<void (*)(void*)>("OSMesaDestroyContext");
        makeCurrent_ = symbol<MakeCurrent>("OSMesaMakeCurrent");
        function_ = symbol<void* (*)(const char*)>("OSMesaGetProcAddress");
        if (!create || !destroy_ || !makeCurrent_ || !function_) throw Error("libOSMesa is too old");
        const int attributes[] = {kFormat, kRgba, kProfile, kCoreProfile, kMajor, 3, kMinor, 3, 0};
        context_ = create(attributes, nullptr);
        if (!context_) throw Error("libOSMesa has no OpenGL 3.3");
    }

    // The library stays loaded: its threads outlive the context.
    ~OsMesaContext() override { destroy_(context_); }

    void* function(const char* name) const override { return function_(name); }

    std::unique_ptr<Current> makeCurrent() const override { return std::make_unique<OsMesaCurrent>(*this); }

  private:
    using MakeCurrent = unsigned char (*)(void* context, void* pixels, unsigned type, int width, int height);
    static constexpr int kFormat = 0x22, kRgba = 0x1908, kProfile = 0x33, kCoreProfile = 0x34, kMajor = 0x36,
                         kMinor = 0x37, kUnsignedByte = 0x1401;  // constants from GL/osmesa.h

    template <class Function>
    Function symbol(const char* name) const {
        return reinterpret_cast<Function>(dlsym(library_, name));
    }

    class OsMesaCurrent : public Current {
      public:
        explicit OsMesaCurrent(const OsMesaContext& ours) : ours_(ours) {
            if (!ours.makeCurrent_(ours.context_, ours.pixel_, kUnsignedByte, 1, 1)) {
                throw Error("OpenGL: the OSMesa context cannot be made current");
            }
        }
        ~OsMesaCurrent() override { ours_.makeCurrent_(nullptr, nullptr, kUnsignedByte, 0, 0); }

      private:
        const OsMesaContext& ours_;
    };

    void* library_ = nullptr;
    void* context_ = nullptr;
    mutable unsigned char pixel_[4] = {};  // OSMesa requires a colour buffer
    void (*destroy_)(void*) = nullptr;
    MakeCurrent makeCurrent_ = nullptr;
    void* (*function_)(const char*) = nullptr;
};

std::unique_ptr<Context> openSurfaceless() {
    return std::make_unique<EglContext>(
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
}

std::unique_ptr<Context> openDevice() {
    const auto queryDevices = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    if (!queryDevices || !queryDevices(16, devices, &count)) throw Error("no devices");
    std::string reason = "no devices";
    for (EGLint i = 0; i < count; ++i) {
        try {
            return std::make_unique<EglContext>(eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
        } catch (const Error& error) { reason = error.what(); }
    }
    throw Error(reason);
}

std::unique_ptr<Context> openDefaultDisplay() {
    return std::make_unique<EglContext>(eglGetDisplay(EGL_DEFAULT_DISPLAY));
}

std::unique_ptr<Context> openOsMesa() { return std::make_unique<OsMesaContext>(); }

// Desktop applications use GLX or EGL; the loaded library tells which. We link EGL only.
class ForeignContext : public Context {
  public:
    using Lookup = void (*(*)(const unsigned char*))();
    explicit ForeignContext(Lookup lookup) : lookup_(lookup) {}
    void* function(const char* name) const override {
        return reinterpret_cast<void*>(lookup_(reinterpret_cast<const unsigned char*>(name)));
    }
    std::unique_ptr<Current> makeCurrent() const override { return std::make_unique<Current>(); }

  private:
    Lookup lookup_;
};

struct Backend {
    const char* name;
    ContextKind kind;
    std::unique_ptr<Context> (*open)();
};

constexpr Backend kBackends[] = {
    {"EGL without a surface", ContextKind::egl, openSurfaceless},
    {"EGL on a device", ContextKind::egl, openDevice},
    {"EGL on the default display", ContextKind::egl, openDefaultDisplay},
    {"OSMesa", ContextKind::osmesa, openOsMesa},
};

}  // namespace

std::unique_ptr<Context> openContext(ContextKind kind) {
    std::string reasons;
    for (const Backend& backend : kBackends) {
        if (kind != ContextKind::any && kind != backend.kind) continue;
        try {
            return backend.open();
        } catch (const Error& error) {
            reasons += std::string(reasons.empty() ? "" : "; ") + backend.name + ": " + error.what();
        }
    }
    throw Error("OpenGL: cannot create a context (" + reasons +
                "); install Mesa's software renderer (libegl1, libgl1-mesa-dri)");
}

std::unique_ptr<Context> currentContext() {
    const auto current = reinterpret_cast<void* (*)()>(dlsym(RTLD_DEFAULT, "glXGetCurrentContext"));
    const auto lookup = reinterpret_cast<ForeignContext::Lookup>(dlsym(RTLD_DEFAULT, "glXGetProcAddressARB"));
    if (current && lookup && current()) return std::make_unique<ForeignContext>(lookup);
    if (!eglGetCurrentContext()) return nullptr;
    return std::make_unique<ForeignContext>(
        [](const unsigned char* name) { return eglGetProcAddress(reinterpret_cast<const char*>(name)); });
}

}  // namespace purl
