// Where the eye's ray meets a ball.
flat in vec3 center;  // as the camera sees it
flat in float radius;
in vec3 ray;

// `inside`: the share of this pixel that the ball covers, from how many pixels the ray is inside of its rim.
// Also sets the fragment's depth.
vec3 meetBall(out float inside) {
    vec3 direction = normalize(ray);
    float along = dot(direction, center);
    vec3 nearest = along * direction - center;  // from the centre to the ray
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
