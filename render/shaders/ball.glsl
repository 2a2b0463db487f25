// Ray-sphere intersection for ball impostors.
flat in vec3 center;  // view space
flat in float radius;
in vec3 ray;

// `inside`: coverage of this pixel, from the distance of the ray to the silhouette in pixels. Also sets the fragment's
// depth.
vec3 meetBall(out float inside) {
    vec3 direction = normalize(ray);
    float along = dot(direction, center);
    vec3 nearest = along * direction - center;  // closest point of the ray, relative to the centre
    float gap = length(nearest);
    float pixel = along * picture.w * 2.0 / picture.y;
    inside = clamp((radius - gap) / pixel + 0.5, 0.0, 1.0);

    // |t d - c|^2 = r^2
    float t = along - sqrt(max(radius * radius - gap * gap, 0.0));
    vec3 hit = t * direction;
    vec4 place = clipFromView * vec4(hit, 1.0);
    gl_FragDepth = clamp(0.5 + 0.5 * place.z / place.w, 0.0, 1.0);
    return hit;
}
