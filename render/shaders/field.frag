// m/rho W: a particle's contribution to the colour field (Kelager 4.27), as in solver/surface/field.h.
in vec3 offset;
flat in float weight;
out vec4 result;
void main() {
    float left = max(1.0 - dot(offset, offset), 0.0);
    result = vec4(weight * left * left * left);
}
