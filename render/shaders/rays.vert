// Box around a liquid's field; its back faces start the rays.
#include "viewUniforms.glsl"
uniform vec3 fieldLow, fieldSize;
out vec3 farPoint;
void main() {
    const int kCorners[36] = int[36](0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,  //
                                     2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5);
    int corner = kCorners[gl_VertexID];
    farPoint = fieldLow + fieldSize * vec3(corner & 1, (corner >> 1) & 1, (corner >> 2) & 1);
    gl_Position = clipFromView * viewFromWorld * vec4(farPoint, 1.0);
}
