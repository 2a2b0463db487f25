// purlDescribe: the node reference as text, for scripts and help pages.
//     purlDescribe [-json] [-nodeType purlFluid]
//     purlDescribe -nodeTypes                        names of all nodes
//     purlDescribe -rows -nodeType purlFluid         settings in editor order: "section|attribute|sentence|type"
//     purlDescribe -inputs -nodeType purlFluid       attributes that are connected rather than set
//     purlDescribe -paintable -nodeType purlCloth    those of them that can be painted
//     purlDescribe -command purlCreate               help of a command; -commands: Markdown of all
//     purlDescribe -text menu                        a UI text in the artist's language
#pragma once
#include "plugin/command.h"

namespace purl {

class DescribeCommand : public PurlCommand {
  public:
    static constexpr const char* kName = "purlDescribe";
    static void* creator() { return new DescribeCommand; }
    static CommandAbout about();

  private:
    const char* name() const override { return kName; }
    void run(const MArgDatabase& arguments) override;
};

}  // namespace purl
