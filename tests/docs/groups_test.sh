#!/usr/bin/env bash
# The program of docs/groups.md prints what the page is about. usage: groups_test.sh PROGRAM TEXT...
set -euo pipefail
program=$1
shift
said=$("$program")
[[ $said == "$*" ]] || { echo "$program said: $said; right: $*"; exit 1; }
