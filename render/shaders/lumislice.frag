// Fibres in the cross-section of a yarn. Hair catches light by its direction, not by a
// surface (Kajiya and Kay 1989); what lies on the far side of the yarn gets less of it.
#include "stage.glsl"
#include "light.glsl"
uniform sampler2D slice;
in vec3 outward, along, color, position;
in vec2 place;
in float depth, wet;
in vec3 key;
out vec4 result;

const float kSliceDepth = 0.30;  // radii of yarn that let as much through as the slice says

void main() {
    vec4 fibre = texture(slice, 0.5 * place + 0.5);
    float opacity = 1.0 - pow(1.0 - fibre.a, depth / kSliceDepth);
    if (opacity < 0.004) discard;
    vec3 n = normalize(outward + 1e-6 * along);
    vec3 hair = normalize(along + 0.45 * cross(along, outward));
    vec3 light = skyOn(n) * (0.55 + 0.45 * dot(outward, outward));
    for (int i = 0; i < int(lightCount.x); ++i) {
        if (lights[i].place.w == 2.0) {
            light += lights[i].color.rgb;
            continue;
        }
        vec3 towards;
        vec3 arriving = lightFrom(i, position, towards);
        if (i == int(shadow.x)) arriving *= key;
        float across = sqrt(max(0.0, 1.0 - pow(dot(hair, towards), 2.0)));
        float facing = clamp(0.5 + 0.6 * dot(n, towards), 0.0, 1.0);
        light += arriving * across * facing;
    }
    light *= color * fibre.r * 1.5;
#ifdef WET
    light += wet * dot(outward, outward) * glossOf(along, position, key);
#endif
    result = vec4(hazed(light, position), opacity);
}
