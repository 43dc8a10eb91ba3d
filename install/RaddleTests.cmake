# Campaigns of raddle as tests of ctest, beside the ordinary ones.
#
#   raddle_add_test(NAME name COMMAND target|program [args...]
#                   [BOUND k] [MAX_TIME 5m] [OPTIONS ...] [LABELS ...] [INCOMPLETE_FAILS])
#       raddle run on one program.
#
#   raddle_discover_tests(target [ARGS ...] [BOUND k] [MAX_TIME 5m] [FILTER pattern...] [EXCLUDE pattern...]
#                         [TEST_PREFIX prefix] [OPTIONS ...] [LABELS ...] [INCOMPLETE_FAILS])
#       raddle test on each test of a test program (GoogleTest, Catch2, doctest, Boost.Test, libtest). ctest asks the program
#       for its tests when it runs.
#
# Each test has the label "raddle". It fails if a schedule fails, and counts as skipped if its campaign is incomplete (exit
# status 3), unless INCOMPLETE_FAILS is given. BOUND is 2 and MAX_TIME 1m by default; `ctest` ends a test after twice that time
# and a minute. The campaigns are kept in raddle.out of the binary directory, so that the next ctest goes on with them.
set(_raddle_module_dir "${CMAKE_CURRENT_LIST_DIR}")

# "500ms", "30s", "5m", "2h" as whole seconds.
function(_raddle_seconds text out)
    if(NOT text MATCHES "^([0-9]+)(ms|s|m|h|d)?$")
        message(FATAL_ERROR "raddle: MAX_TIME: expected a duration such as 30s, 5m or 2h, found '${text}'")
    endif()
    set(count ${CMAKE_MATCH_1})
    set(unit "${CMAKE_MATCH_2}")
    if(unit STREQUAL "ms")
        math(EXPR count "(${count} + 999) / 1000")
    elseif(unit STREQUAL "m")
        math(EXPR count "${count} * 60")
    elseif(unit STREQUAL "h")
        math(EXPR count "${count} * 3600")
    elseif(unit STREQUAL "d")
        math(EXPR count "${count} * 86400")
    endif()
    set(${out} ${count} PARENT_SCOPE)
endfunction()

# Options of raddle, and properties of ctest, from the parsed arguments of the caller.
macro(_raddle_settle caller)
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${caller}: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT DEFINED arg_BOUND)
        set(arg_BOUND 2)
    endif()
    if(NOT DEFINED arg_MAX_TIME)
        set(arg_MAX_TIME 1m)
    endif()
    _raddle_seconds("${arg_MAX_TIME}" seconds)
    math(EXPR timeout "2 * ${seconds} + 60")
    set(options --quiet --jobs 1 --bound ${arg_BOUND} --max-time ${arg_MAX_TIME} ${arg_OPTIONS})
    set(labels raddle ${arg_LABELS})
endmacro()

function(raddle_add_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "INCOMPLETE_FAILS" "NAME;BOUND;MAX_TIME" "COMMAND;OPTIONS;LABELS")
    if(NOT arg_NAME OR NOT arg_COMMAND)
        message(FATAL_ERROR "raddle_add_test: expected NAME name COMMAND program [args...]")
    endif()
    _raddle_settle(raddle_add_test)
    list(POP_FRONT arg_COMMAND program)
    if(TARGET ${program})
        set(program $<TARGET_FILE:${program}>)
    endif()
    string(MAKE_C_IDENTIFIER "${arg_NAME}" folder)
    add_test(NAME "${arg_NAME}" COMMAND ${raddle_EXECUTABLE} run ${options}
        -C ${CMAKE_CURRENT_BINARY_DIR}/raddle.out/${folder} --rebase -- ${program} ${arg_COMMAND})
    set_tests_properties("${arg_NAME}" PROPERTIES LABELS "${labels}" TIMEOUT ${timeout})
    if(NOT arg_INCOMPLETE_FAILS)
        set_tests_properties("${arg_NAME}" PROPERTIES SKIP_RETURN_CODE 3)
    endif()
endfunction()

function(raddle_discover_tests target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "INCOMPLETE_FAILS" "BOUND;MAX_TIME;TEST_PREFIX"
        "ARGS;FILTER;EXCLUDE;OPTIONS;LABELS")
    if(NOT TARGET ${target})
        message(FATAL_ERROR "raddle_discover_tests: there is no target ${target}")
    endif()
    _raddle_settle(raddle_discover_tests)
    if(NOT DEFINED arg_TEST_PREFIX)
        set(arg_TEST_PREFIX "raddle.")
    endif()
    set(selection "")
    foreach(pattern IN LISTS arg_FILTER)
        list(APPEND selection --filter ${pattern})
    endforeach()
    foreach(pattern IN LISTS arg_EXCLUDE)
        list(APPEND selection --exclude ${pattern})
    endforeach()
    set(script ${CMAKE_CURRENT_BINARY_DIR}/raddle.out/${target}-tests.cmake)
    set(properties LABELS "${labels}" TIMEOUT ${timeout})
    if(NOT arg_INCOMPLETE_FAILS)
        list(APPEND properties SKIP_RETURN_CODE 3)
    endif()
    # ctest reads this file whenever it starts, and the program may have other tests by then.
    file(GENERATE OUTPUT ${script} CONTENT
"set(raddle [==[${raddle_EXECUTABLE}]==])
set(program [==[$<TARGET_FILE:${target}>]==])
set(arguments [==[${arg_ARGS}]==])
set(options [==[${options}]==])
set(selection [==[${selection}]==])
set(prefix [==[${arg_TEST_PREFIX}]==])
set(labels [==[${labels}]==])
set(timeout ${timeout})
set(incomplete_fails [==[${arg_INCOMPLETE_FAILS}]==])
set(campaigns [==[${CMAKE_CURRENT_BINARY_DIR}/raddle.out/${target}]==])
include([==[${_raddle_module_dir}/RaddleDiscoverTests.cmake]==])
")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()
