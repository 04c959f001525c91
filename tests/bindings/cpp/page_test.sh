#!/usr/bin/env bash
# The program of docs/cpp.md prints what the page says. usage: page_test.sh PROGRAM OUTPUT
# Catches a page that does not compile, and output that has changed.
set -euo pipefail
[ -s "$2" ]
diff <("$1") "$2"
