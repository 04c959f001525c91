#!/bin/sh
# The head of .gpu-pack, which ./dev gpu --pack writes: unpacks what follows its last line into a
# folder for the time of the run, and runs it there with the options it was given.
set -eu
folder=$(mktemp -d "${TMPDIR:-/tmp}/gpu-pack.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
head=$(grep -an -m 1 '^# ---- archive ----$' "$0" | cut -d : -f 1)
tail -n +$((head + 1)) "$0" | {
    if command -v xz >/dev/null; then
        xz -dc
    else
        python3 -c 'import lzma, shutil, sys
shutil.copyfileobj(lzma.open(sys.stdin.buffer), sys.stdout.buffer)'
    fi
} | tar -x -C "$folder"
status=0
"$folder/run.sh" "$@" || status=$?
exit "$status"
# ---- archive ----
