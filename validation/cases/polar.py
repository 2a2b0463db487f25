"""Polar decomposition of difficult matrices
Shape matching needs the rotation R closest to a matrix A, i.e. with the largest tr(RᵀA). With the singular value decomposition A = U S Vᵀ it is U diag(1, 1, det UVᵀ) Vᵀ (LAPACK, double precision). 2000 matrices of each kind: random, reflected,
flat to one part in 10⁸, nearly one-dimensional, and of magnitudes from 10⁻¹⁵ to 10¹⁵. Where the closest rotation is not unique, the loss in tr(RᵀA) counts. The tested code is solver/soft/polar.h, compiled alone, in single precision.
"""
import os
import pathlib
import subprocess
import tempfile
import numpy

REFERENCE = "singular value decomposition (LAPACK)"

HERE = pathlib.Path(__file__).resolve().parents[1]


def turns(matrices):
    """Purl's polar decomposition of single-precision matrices."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "polar"
        subprocess.run([os.environ.get("CXX", "c++"), "-std=c++17", "-O2", "-ffp-contract=off", f"-I{HERE.parent}", str(HERE / "polar.cpp"), "-o", str(program)], check=True)
        text = "\n".join(" ".join(f"{value:.9g}" for value in matrix.ravel()) for matrix in matrices)
        output = subprocess.run([str(program)], input=text, capture_output=True, text=True, check=True).stdout
    return numpy.array(output.split(), float).reshape(-1, 3, 3)


def run(case):
    count = 200 if case.quick else 2000
    random = numpy.random.default_rng(1)
    plain = random.uniform(-1, 1, (count, 3, 3))
    mirrored = plain * numpy.where(numpy.linalg.det(plain) > 0, -1, 1)[:, None, None]
    thin = 10.0**(-8 * random.uniform(0, 1, (count, 1)))
    flat, straight = plain.copy(), plain.copy()
    flat[:, :, 2] = 0.3 * plain[:, :, 0] + 0.7 * plain[:, :, 1] + thin * plain[:, :, 2]
    straight[:, :, 1] = 2 * plain[:, :, 0] + thin * plain[:, :, 1]
    straight[:, :, 2] = -plain[:, :, 0] + thin * plain[:, :, 2]
    sized = plain * 10.0**(15 * random.uniform(-1, 1, (count, 1, 1)))
    for name, matrices in {"as they come": plain, "mirrored": mirrored, "flat": flat, "nearly straight": straight, "tiny and huge": sized}.items():
        matrices = matrices.astype(numpy.float32).astype(float)
        found = turns(matrices)
        u, s, vt = numpy.linalg.svd(matrices)
        sign = numpy.sign(numpy.linalg.det(u @ vt))
        best = s[:, 0] + s[:, 1] + sign * s[:, 2]
        case.below(f"largest entry of RᵀR − I, {name}", abs(found.transpose(0, 2, 1) @ found - numpy.eye(3)).max(), 1e-6)
        case.below(f"largest error of det R, {name}", abs(numpy.linalg.det(found) - 1).max(), 1e-6)
        case.below(f"largest relative loss of tr(RᵀA), {name}", ((best - (found * matrices).sum(axis=(1, 2))) / s.sum(axis=1)).max(), 1e-6)
