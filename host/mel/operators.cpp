#include "host/mel/operators.h"

#include <algorithm>
#include <cmath>

#include "host/graph/object.h"

namespace purl::host::mel {

Vector cross(const Vector& a, const Vector& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

namespace {

double arithmetic(const std::string& op, double a, double b) {
    switch (op[0]) {
        case '+': return a + b;
        case '-': return a - b;
        case '*': return a * b;
        case '/':
            if (b == 0) throw Error("division by zero");
            return a / b;
        default:
            if (b == 0) throw Error("division by zero");
            return std::fmod(a, b);
    }
}

// Operators with a vector operand: * of two vectors is the dot product, ^ the cross product.
Value combinedVectors(const std::string& op, const Value& a, const Value& b) {
    const Vector u = vectorOf(a), v = vectorOf(b);
    const bool both = std::holds_alternative<Vector>(a) && std::holds_alternative<Vector>(b);
    if (op == "^") return cross(u, v);
    if (op == "*" && both) return dot(u, v);
    return Vector{arithmetic(op, u.x, v.x), arithmetic(op, u.y, v.y), arithmetic(op, u.z, v.z)};
}

Value combinedMatrices(const std::string& op, const Value& a, const Value& b) {
    const Matrix *m = std::get_if<Matrix>(&a), *n = std::get_if<Matrix>(&b);
    if (op == "*" && (!m || !n)) {
        Matrix scaled = m ? *m : *n;
        for (double& x : scaled.numbers) x *= numberOf(m ? b : a);
        return scaled;
    }
    if (!m || !n) throw Error("a matrix and a number can only be combined by *");
    if (op == "*") {
        if (m->columns != n->rows) throw Error("cannot multiply matrices of these sizes");
        Matrix product{m->rows, n->columns, std::vector<double>(size_t(m->rows) * size_t(n->columns))};
        for (int i = 0; i < m->rows; ++i)
            for (int j = 0; j < n->columns; ++j)
                for (int k = 0; k < m->columns; ++k)
                    product.numbers[i * n->columns + j] +=
                        m->numbers[i * m->columns + k] * n->numbers[k * n->columns + j];
        return product;
    }
    if (op != "+" && op != "-") throw Error("operator " + op + " is not defined for matrices");
    if (m->rows != n->rows || m->columns != n->columns) throw Error("the matrices have different sizes");
    Matrix sum = *m;
    for (size_t k = 0; k < sum.numbers.size(); ++k) sum.numbers[k] = arithmetic(op, sum.numbers[k], n->numbers[k]);
    return sum;
}

}  // namespace

Value combined(const std::string& op, const Value& a, const Value& b) {
    const auto either = [&](Base base) { return typeOf(a).base == base || typeOf(b).base == base; };
    if (either(Base::matrix)) return combinedMatrices(op, a, b);
    if (either(Base::vector) && !(op == "+" && either(Base::string))) return combinedVectors(op, a, b);
    if (op == "^") throw Error("^ requires two vectors");
    const bool strings = typeOf(a).base == Base::string || typeOf(b).base == Base::string;
    if (op == "+" && strings) {
        std::string text = textOf(a);
        append(text, textOf(b));
        return text;
    }
    const bool whole = typeOf(a).base != Base::real && typeOf(b).base != Base::real && !strings;
    const double x = arithmetic(op, numberOf(a), numberOf(b));
    if (!whole) return x;
    return int(std::trunc(std::min(std::max(x, -2147483648.0), 2147483647.0)));
}

Value compared(const std::string& op, const Value& a, const Value& b) {
    // Vectors are equal if all components are; < and > compare their lengths.
    const bool whole = isArray(a) || typeOf(a).base == Base::vector || typeOf(a).base == Base::matrix;
    const bool strings =
        (typeOf(a).base == Base::string && typeOf(b).base == Base::string) || (whole && (op == "==" || op == "!="));
    int order;
    if (strings) {
        order = textOf(a).compare(textOf(b));
    } else {
        const double x = numberOf(a), y = numberOf(b);
        order = x < y ? -1 : x > y;
    }
    if (op == "==") return int(order == 0);
    if (op == "!=") return int(order != 0);
    if (op == "<") return int(order < 0);
    if (op == ">") return int(order > 0);
    if (op == "<=") return int(order <= 0);
    return int(order >= 0);
}

}  // namespace purl::host::mel
