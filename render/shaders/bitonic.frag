// One compare-exchange step of a bitonic sort: each entry is compared with the one `step` away; `run` gives the
// direction.
uniform usampler2D entries;
uniform int run, step;
out uvec2 result;
void main() {
    int width = textureSize(entries, 0).x;
    int own = int(gl_FragCoord.x) + width * int(gl_FragCoord.y), other = own ^ step;
    uvec2 a = texelFetch(entries, ivec2(own % width, own / width), 0).rg;
    uvec2 b = texelFetch(entries, ivec2(other % width, other / width), 0).rg;
    bool less = a.x < b.x || (a.x == b.x && a.y < b.y);
    bool ascends = (own & run) == 0;
    result = less == ((own < other) == ascends) ? a : b;
}
