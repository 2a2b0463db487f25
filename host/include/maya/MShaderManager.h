// MShaderManager: the stock shaders of Viewport 2.0. The host has those that Purl uses.
#pragma once
#include <maya/MStatus.h>
#include <maya/MString.h>

#include <map>
#include <string>
#include <vector>

namespace purl::host {
struct ViewportAccess;
}

namespace Autodesk::Maya::OpenMayaHost::MHWRender {

class MShaderInstance {
  public:
    // Of "diffuseColor" and "solidColor" (four floats), "pointSize" and "lineWidth" (two).
    MStatus setParameter(const MString& parameterName, const float* value);

  private:
    friend class MShaderManager;
    friend struct purl::host::ViewportAccess;
    int stock_ = 0;
    std::map<std::string, std::vector<float>> parameters_;
};

class MShaderManager {
  public:
    enum MStockShader { k3dSolidShader, k3dBlinnShader, k3dCPVSolidShader, k3dCPVFatPointShader };
    MShaderInstance* getStockShader(MStockShader shaderId) const;
    void releaseShader(MShaderInstance* shader) const;
};

}  // namespace Autodesk::Maya::OpenMayaHost::MHWRender
