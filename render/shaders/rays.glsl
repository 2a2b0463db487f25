// Ray marching of a liquid's colour field.
uniform sampler3D field;
uniform vec3 fieldLow, fieldSize, fieldCells;
uniform float supportRadius;
in vec3 farPoint;

const float kLevel = 0.5;

struct Ray {
    vec3 from, direction;
    float t, tEnd;  // parameters of the current point and of the exit from the box
};

float fieldAt(vec3 p) { return texture(field, (p - fieldLow) / fieldSize).r; }
vec3 pointOn(Ray ray) { return ray.from + ray.t * ray.direction; }

// Outward normal: the negative gradient.
vec3 surfaceNormal(vec3 p) {
    vec3 cell = fieldSize / fieldCells;
    vec3 gradient = vec3(fieldAt(p + vec3(cell.x, 0.0, 0.0)) - fieldAt(p - vec3(cell.x, 0.0, 0.0)),
                      fieldAt(p + vec3(0.0, cell.y, 0.0)) - fieldAt(p - vec3(0.0, cell.y, 0.0)),
                      fieldAt(p + vec3(0.0, 0.0, cell.z)) - fieldAt(p - vec3(0.0, 0.0, cell.z))) / cell;
    return normalize(-gradient - vec3(0.0, 1e-9, 0.0));
}

// The fragment's ray, clipped to the box.
Ray fragmentRay() {
    vec3 from = eye.xyz, direction = normalize(farPoint - eye.xyz);
    vec3 safe = mix(direction, vec3(1e-6), lessThan(abs(direction), vec3(1e-6)));
    vec3 a = (fieldLow - from) / safe, b = (fieldLow + fieldSize - from) / safe, first = min(a, b), last = max(a, b);
    return Ray(from, direction, max(max(first.x, first.y), max(first.z, 0.0)), min(last.x, min(last.y, last.z)));
}

// Advances to the next crossing of the level set, refined by bisection; false if there is none. In empty space steps
// are longer: the field cannot reach the level within half a support radius of a zero.
bool marchToSurface(inout Ray ray) {
    float cell = fieldSize.x / fieldCells.x, previous = fieldAt(pointOn(ray));
    bool inside = previous > kLevel;
    for (int i = 0; i < 4096 && ray.t < ray.tEnd; ++i) {
        float step = previous <= 0.0 ? 0.5 * supportRadius : 0.6 * cell;
        ray.t += step;
        float here = fieldAt(pointOn(ray));
        if ((here > kLevel) != inside) {
            float low = ray.t - step, high = ray.t;
            for (int k = 0; k < 8; ++k) {
                ray.t = 0.5 * (low + high);
                if ((fieldAt(pointOn(ray)) > kLevel) == inside) low = ray.t;
                else high = ray.t;
            }
            ray.t = high;  // just past the crossing, so that the next call does not find it again
            return true;
        }
        previous = here;
    }
    return false;
}

// Sets the fragment's depth from a world position.
void setDepth(vec3 p) {
    vec4 position = clipFromView * viewFromWorld * vec4(p, 1.0);
    gl_FragDepth = clamp(0.5 + 0.5 * position.z / position.w, 0.0, 1.0);
}
