// Expands a line to a quad of constant width in pixels.
#include "viewUniforms.glsl"
layout(lines) in;
layout(triangle_strip, max_vertices = 4) out;
uniform float width;
void main() {
    vec3 a = gl_in[0].gl_Position.xyz, b = gl_in[1].gl_Position.xyz;
    float limit = -clipRange.x * 1.0001;  // clip to the near plane
    if (a.z > limit && b.z > limit) return;
    if (a.z > limit) a = mix(a, b, (a.z - limit) / (a.z - b.z));
    if (b.z > limit) b = mix(b, a, (b.z - limit) / (b.z - a.z));
    vec4 p = clipFromView * vec4(a, 1.0), q = clipFromView * vec4(b, 1.0);
    vec2 along = (q.xy / q.w - p.xy / p.w) * viewport.xy;
    if (dot(along, along) < 1e-12) return;
    vec2 across = normalize(vec2(-along.y, along.x)) * width / viewport.xy;
    for (int corner = 0; corner < 4; ++corner) {
        vec4 end = (corner & 2) == 0 ? p : q;
        end.xy += across * ((corner & 1) * 2 - 1) * end.w;
        end.z -= 2e-4 * end.w;  // depth bias, in front of the surface it lies on
        gl_Position = end;
        EmitVertex();
    }
}
