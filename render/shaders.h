// The files of render/shaders, embedded by the build.
#pragma once

namespace purl {

struct ShaderFile {
    const char* name;
    const char* text;
};

extern const ShaderFile kShaderFiles[];
extern const int kShaderFileCount;

}  // namespace purl
