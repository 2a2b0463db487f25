// Ray-sphere intersection for ball impostors.
flat in vec3 center;  // view space
flat in float radius;
in vec3 ray;

// `inside`: coverage of this pixel, from the distance of the ray to the silhouette in pixels. Also sets the fragment's
// depth.
vec3 intersectBall(out float inside) {
    vec3 direction = normalize(ray);
    float along = dot(direction, center);
    vec3 nearest = along * direction - center;  // closest point of the ray, relative to the centre
    float distanceToAxis = length(nearest);
    float pixel = along * viewport.w * 2.0 / viewport.y;
    inside = clamp((radius - distanceToAxis) / pixel + 0.5, 0.0, 1.0);

    // |t d - c|^2 = r^2
    float t = along - sqrt(max(radius * radius - distanceToAxis * distanceToAxis, 0.0));
    vec3 hit = t * direction;
    vec4 clipPosition = clipFromView * vec4(hit, 1.0);
    gl_FragDepth = clamp(0.5 + 0.5 * clipPosition.z / clipPosition.w, 0.0, 1.0);
    return hit;
}
