// Uniforms shared by all shaders: mirrors ViewUniforms in render/viewUniforms.h.
struct LightUniforms {
    vec4 position;  // directional: unit vector towards the light, w = 0; point: position, w = 1; ambient: w = 2; spot: 3
    vec4 color;  // colour times intensity; w: decay
    vec4 axis;    // spot: direction of the axis; w: exponent of the cosine falloff
    vec4 cone;   // spot: x, y: cosines of the outer and inner cone angles
};
layout(std140) uniform ViewUniforms {
    mat4 viewFromWorld, clipFromView, worldFromView;
    mat4 shadowFromWorld[4];          // one per cascade, nearest first
    vec4 cascadeEnds;                 // far view-space distance of each cascade
    vec4 cascadeTexels;               // world-space texel size of each
    vec4 cascadeAxis;                 // dot with (p, 1): distance of p along the main view's axis
    vec4 eye;                         // position; w: exposure
    vec4 focus;                       // centre of the view's contents; w: their radius
    vec4 zenith, horizon, floorLight; // sky colours; zenith.w: 1 if the sky is an environment map
    vec4 skyIrradiance[9];                 // spherical harmonics of that map's irradiance; w of the first: its intensity
    vec4 background;
    vec4 wallTop;                     // factor on the background high up
    vec4 waterTint;                   // transmittance of water in its shadow
    vec4 medium;                      // surrounding water: transmittance per length 1 / w; w = 0: air
    vec4 time;                      // x: time, s
    vec4 ground;                      // colour; w: height
    vec4 groundLines;                 // x: radius at which the ground has faded out; y: grid spacing
    vec4 viewport;                     // width, height in pixels; tangents of half the fields of view
    vec4 clipRange;                        // near and far distance
    vec4 shadow;                      // x: shadow-casting light, or -1; y: texels per side; z: penumbra width; w: water shadows
    vec4 panes[12];                   // walls of containers: outward normal, offset
    vec4 counts;                  // x: lights; y: panes
    LightUniforms lights[16];
};
