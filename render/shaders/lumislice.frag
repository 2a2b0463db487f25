// Lumislice shading: fibres in the cross-section of a yarn, with a hair model (Kajiya and Kay 1989) that depends on the
// fibre direction instead of a normal; attenuated on the side facing away from the light.
#include "viewUniforms.glsl"
#include "light.glsl"
uniform sampler2D slice;
in vec3 outward, along, color, position;
in vec2 sliceUv;
in float depth, wet;
in vec3 key;
out vec4 result;

const float kSliceDepth = 0.30;  // thickness (yarn radii) that the slice's alpha refers to

void main() {
    vec4 fibre = texture(slice, 0.5 * sliceUv + 0.5);
    float opacity = 1.0 - pow(1.0 - fibre.a, depth / kSliceDepth);
    if (opacity < 0.004) discard;
    vec3 n = normalize(outward + 1e-6 * along);
    vec3 hair = normalize(along + 0.45 * cross(along, outward));
    vec3 light = skyDiffuse(n) * (0.55 + 0.45 * dot(outward, outward));
    for (int i = 0; i < int(counts.x); ++i) {
        if (lights[i].position.w == 2.0) {
            light += lights[i].color.rgb;
            continue;
        }
        vec3 toLight;
        vec3 incoming = incidentLight(i, position, toLight);
        if (i == int(shadow.x)) incoming *= key;
        float across = sqrt(max(0.0, 1.0 - pow(dot(hair, toLight), 2.0)));
        float facing = clamp(0.5 + 0.6 * dot(n, toLight), 0.0, 1.0);
        light += incoming * across * facing;
    }
    light *= color * fibre.r * 1.5;
#ifdef WET
    light += wet * dot(outward, outward) * wetHighlight(along, position, key);
#endif
    result = vec4(applyMedium(light, position), opacity);
}
