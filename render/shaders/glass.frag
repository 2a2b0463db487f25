// Thin colourless glass: Fresnel reflection, slightly darker at grazing angles where the path in the glass is longer.
#include "viewUniforms.glsl"
#include "light.glsl"
uniform float roughness;
in vec3 position, normal;
out vec4 result;  // premultiplied alpha
void main() {
    vec3 toEye = normalize(eye.xyz - position);
    vec3 n = normalize(normal);
    if (dot(n, toEye) < 0.0) n = -n;
    float cosine = max(dot(n, toEye), 0.0);
    // Two interfaces: 2 F / (1 + F).
    float f = fresnel(0.04, cosine), mirror = 2.0 * f / (1.0 + f);
    // Back faces are seen through the front ones and reflect the interior rather than the lamps.
    vec3 light = mirror * environmentReflection(reflect(-toEye, n)) * (gl_FrontFacing ? 1.0 : 0.35);
    for (int i = 0; i < int(counts.x); ++i) {
        if (lights[i].position.w == 2.0) continue;
        vec3 toLight;
        vec3 incident = incidentLight(i, position, toLight);
        light += incident * max(dot(n, toLight), 0.0) * f * highlight(n, toLight, toEye, roughness);
    }
    float edge = 0.25 * pow(1.0 - cosine, 3.0);
    result = vec4(light, mirror + (1.0 - mirror) * edge);
}
