// A directory for a sequence of commands, with the programs they run.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/command_line.h"

namespace raddle::testing {

class Place {
public:
    Ended raddle(std::vector<std::string> words, Conditions conditions = {}) const {
        conditions.directory = own_.path();
        return testing::raddle(std::move(words), conditions);
    }
    // Runs `raddle run` on a program and stores the campaign in c.
    Ended run(const std::string& program, std::vector<std::string> options) const {
        options.insert(options.begin(), {"run", "-C", "c"});
        options.insert(options.end(), {"--", program});
        return raddle(options);
    }
    nlohmann::json status() const { return json_of(raddle({"status", "--json"})); }
    std::filesystem::path operator/(const std::string& name) const { return std::filesystem::path(own_.path()) / name; }
    // A copy of a sample, named prog.
    std::string program(const std::string& from) const {
        const std::filesystem::path path = *this / "prog";
        std::filesystem::remove(path);
        std::filesystem::copy_file(sample(from), path);
        return path;
    }
    // A program compiled from this source, stored next to it as prog.c.
    std::string compiled(const std::string& source, std::vector<std::string> options = {"-O1", "-g"}) const {
        const std::string path = *this / "prog", file = *this / "prog.c";
        std::ofstream(file) << source;
        options.insert(options.begin(), "gcc");
        options.insert(options.end(), {"-pthread", "-o", path, file});
        execute(options);
        return path;
    }

private:
    PrivateDirectory own_;
};

}  // namespace raddle::testing
