// A session whose commands are run as MEL runs them.
#pragma once
#include <gtest/gtest.h>

#include "host/host.h"
#include "host/ma/save.h"

namespace purl::host {

using Strings = std::vector<std::string>;
using Doubles = std::vector<double>;

class CommandsTest : public ::testing::Test {
  protected:
    CommandsTest() {
        session.newScene();
        session.graph().sink = [this](Severity, const std::string& text) { said.push_back(text); };
    }
    CommandResult run(const std::string& name, const Strings& words = {}) { return session.command(name, words); }
    std::string text(const std::string& name, const Strings& words) { return std::get<std::string>(run(name, words)); }
    Strings list(const std::string& name, const Strings& words) { return std::get<Strings>(run(name, words)); }
    double number(const std::string& plug) { return std::get<double>(run("getAttr", {plug})); }
    std::string error(const std::string& name, const Strings& words) {
        try {
            run(name, words);
        } catch (const Error& e) { return e.what(); }
        return "";
    }
    std::string scene() { return sceneText(session.graph(), "scene"); }

    Session session;
    Strings said;
};

}  // namespace purl::host
