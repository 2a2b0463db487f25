// Ray marching of a liquid's colour field.
uniform sampler3D field;
uniform vec3 fieldLow, fieldSize, fieldCells;
uniform float reach;
in vec3 beyond;

const float kLevel = 0.5;

struct Ray {
    vec3 from, direction;
    float at, end;  // parameters of the current point and of the exit from the box
};

float fieldAt(vec3 p) { return texture(field, (p - fieldLow) / fieldSize).r; }
vec3 along(Ray ray) { return ray.from + ray.at * ray.direction; }

// Outward normal: the negative gradient.
vec3 outward(vec3 p) {
    vec3 cell = fieldSize / fieldCells;
    vec3 slope = vec3(fieldAt(p + vec3(cell.x, 0.0, 0.0)) - fieldAt(p - vec3(cell.x, 0.0, 0.0)),
                      fieldAt(p + vec3(0.0, cell.y, 0.0)) - fieldAt(p - vec3(0.0, cell.y, 0.0)),
                      fieldAt(p + vec3(0.0, 0.0, cell.z)) - fieldAt(p - vec3(0.0, 0.0, cell.z))) / cell;
    return normalize(-slope - vec3(0.0, 1e-9, 0.0));
}

// The fragment's ray, clipped to the box.
Ray rayHere() {
    vec3 from = eye.xyz, direction = normalize(beyond - eye.xyz);
    vec3 safe = mix(direction, vec3(1e-6), lessThan(abs(direction), vec3(1e-6)));
    vec3 a = (fieldLow - from) / safe, b = (fieldLow + fieldSize - from) / safe, first = min(a, b), last = max(a, b);
    return Ray(from, direction, max(max(first.x, first.y), max(first.z, 0.0)), min(last.x, min(last.y, last.z)));
}

// Advances to the next crossing of the level set, refined by bisection; false if there is none. In empty space steps
// are longer: the field cannot reach the level within half a support radius of a zero.
bool goOn(inout Ray ray) {
    float cell = fieldSize.x / fieldCells.x, before = fieldAt(along(ray));
    bool inside = before > kLevel;
    for (int i = 0; i < 4096 && ray.at < ray.end; ++i) {
        float step = before <= 0.0 ? 0.5 * reach : 0.6 * cell;
        ray.at += step;
        float here = fieldAt(along(ray));
        if ((here > kLevel) != inside) {
            float low = ray.at - step, high = ray.at;
            for (int k = 0; k < 8; ++k) {
                ray.at = 0.5 * (low + high);
                if ((fieldAt(along(ray)) > kLevel) == inside) low = ray.at;
                else high = ray.at;
            }
            ray.at = high;  // just past the crossing, so that the next call does not find it again
            return true;
        }
        before = here;
    }
    return false;
}

// Sets the fragment's depth from a world position.
void setDepth(vec3 p) {
    vec4 place = clipFromView * viewFromWorld * vec4(p, 1.0);
    gl_FragDepth = clamp(0.5 + 0.5 * place.z / place.w, 0.0, 1.0);
}
