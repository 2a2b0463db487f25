// What every shader knows of the view: the twin of Stage in render/stage.h.
struct StageLight {
    vec4 place;  // directional: unit vector towards the light, w = 0; point: position, w = 1; ambient: w = 2; spot: 3
    vec4 color;  // colour times intensity; w: decay
    vec4 aim;    // spot: the way it shines; w: power of the cosine to it
    vec4 cone;   // spot: x, y: cosines to its axis where its light has ended, and where it is whole
};
layout(std140) uniform Stage {
    mat4 viewFromWorld, clipFromView, worldFromView;
    mat4 shadowFromWorld[4];          // one a cascade, nearest first
    vec4 cascadeEnds;                 // distance before the eye up to which each holds
    vec4 cascadeTexels;               // length of a texel in each
    vec4 cascadeAxis;                 // with (p, 1): how far p is before the eye that they were made for
    vec4 eye;                         // position; w: exposure
    vec4 focus;                       // centre of what is shown; w: its radius
    vec4 zenith, horizon, floorLight; // of the sky; zenith.w: 1 where it is a picture
    vec4 skyLight[9];                 // what such a sky gives a matte surface; w of the first: its intensity
    vec4 background;
    vec4 wallTop;                     // share of the background high up
    vec4 waterTint;                   // share of light that water lets through in its shadow
    vec4 medium;                      // water around everything: what is left of light after 1 / w; w = 0: air
    vec4 moment;                      // x: seconds
    vec4 ground;                      // colour; w: height
    vec4 groundLines;                 // x: radius where the ground has faded, y: distance between lines
    vec4 picture;                     // width, height; tangents of half the angles of view
    vec4 clip;                        // nearest, farthest
    vec4 shadow;                      // x: the light that casts it, or -1; y: texels a side; z: width of half-shadows; w: 1 if water casts one too
    vec4 panes[12];                   // of containers: outward normal, offset
    vec4 lightCount;                  // x; y: panes
    StageLight lights[16];
};
