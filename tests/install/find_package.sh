#!/usr/bin/env bash
# Builds a program by CMake's find_package(longmul) and runs it.
# usage: find_package.sh PREFIX PROGRAM.c
# Catches a target that lacks the headers or the library, and a version that is not looked at.
set -euo pipefail
build=$(mktemp -d) && trap 'rm -rf "$build"' EXIT
cp "$2" "$build/program.c"
cat >"$build/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(user LANGUAGES C)
find_package(longmul 99 QUIET)
if(longmul_FOUND)
  message(FATAL_ERROR "version 99 is here")
endif()
find_package(longmul ${WANTED} REQUIRED)
add_executable(shared program.c)
target_link_libraries(shared longmul::bigint)
if(TARGET longmul::bigint_static)
  add_executable(static program.c)
  target_link_libraries(static longmul::bigint_static)
endif()
END
version=$(sed -n 's/^set(PACKAGE_VERSION "\(.*\)")/\1/p' \
    "$(find "$1" -name longmul-config-version.cmake)")
cmake -S "$build" -B "$build/out" -DCMAKE_PREFIX_PATH="$(realpath "$1")" -DWANTED="${version%.*}" >"$build/log" 2>&1 &&
    cmake --build "$build/out" >>"$build/log" 2>&1 || {
    cat "$build/log"
    exit 1
}
for kind in shared static; do
    [ ! -x "$build/out/$kind" ] || "$build/out/$kind"
done
