#include "solver/params/wet.h"

#include "solver/params/checks.h"

namespace purl {

void checkPores(const std::string& owner, const Pores& pores, size_t points) {
    checkParams(owner, pores.params);
    checkMap(owner, "wetnessMap", pores.wetnessMap, points, 1);
    checkMap(owner, "porosityMap", pores.porosityMap, points, 1e6f);
    checkMap(owner, "permeabilityMap", pores.permeabilityMap, points, 1e6f);
    for (size_t i = 0; i < pores.porosityMap.size(); ++i) {
        const double porosity = double(pores.params.porosity) * double(pores.porosityMap[i]);
        if (!(porosity > 0 && porosity < 1))
            throw Error(owner + ": porosity times porosityMap at point " + std::to_string(i) + " is " +
                        std::to_string(porosity) + ", must be above 0 and below 1");
    }
    for (size_t i = 0; i < pores.permeabilityMap.size(); ++i)
        if (!(pores.permeabilityMap[i] > 0))
            throw Error(owner + ": permeabilityMap at point " + std::to_string(i) +
                        " is 0, must be above 0; to keep a region dry, paint a small porosity");
}

}  // namespace purl
