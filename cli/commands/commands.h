// Every command: its function, description and examples, for the table in main.cpp. One file for each command.
#pragma once

#include "cli/command.h"

namespace raddle::cli {

int run_run(const Arguments& arguments);
extern const std::vector<Example> run_examples;
extern const char* const run_description;

int run_predict(const Arguments& arguments);
extern const std::vector<Example> predict_examples;
extern const char* const predict_description;

int run_test(const Arguments& arguments);
extern const std::vector<Example> test_examples;
extern const char* const test_description;

int run_replay(const Arguments& arguments);
extern const std::vector<Example> replay_examples;
extern const char* const replay_description;

int run_minimize(const Arguments& arguments);
extern const std::vector<Example> minimize_examples;

int run_show(const Arguments& arguments);
extern const std::vector<Example> show_examples;

int run_report(const Arguments& arguments);
extern const std::vector<Example> report_examples;
extern const char* const report_description;

int run_serve(const Arguments& arguments);
extern const std::vector<Example> serve_examples;
extern const char* const serve_description;

int run_status(const Arguments& arguments);
extern const std::vector<Example> status_examples;

int run_campaign(const Arguments& arguments);
std::vector<std::string> campaign_actions();
extern const std::vector<Example> campaign_examples;

int run_doctor(const Arguments& arguments);
extern const std::vector<Example> doctor_examples;

int run_strategies(const Arguments& arguments);
extern const std::vector<Example> strategies_examples;

int run_version(const Arguments& arguments);
extern const std::vector<Example> version_examples;

int run_help(const Arguments& arguments);
extern const std::vector<Example> help_examples;

int run_completion(const Arguments& arguments);
extern const std::vector<Example> completion_examples;

int run_man(const Arguments& arguments);
extern const std::vector<Example> man_examples;

}  // namespace raddle::cli
