#!/usr/bin/env bash
# A pack of one script: what ./dev gpu --pack writes unpacks itself and passes on options and status.
# usage: pack_test.sh UNPACK
# Catches a machine without xz, a head that the archive is cut behind the wrong line of, a lost status.
set -euo pipefail
head=$PWD/$1
cd "$TEST_TMPDIR"
mkdir -p pack tools
printf '#!/bin/sh\necho "ran with $*"\nexit 3\n' >pack/run.sh
chmod +x pack/run.sh
{
    cat "$head"
    tar -c -C pack . | python3 -c 'import lzma, sys
sys.stdout.buffer.write(lzma.compress(sys.stdin.buffer.read()))'
} >packed
chmod +x packed
for tool in cat chmod cut grep mktemp python3 rm sh tail tar; do
    ln -sf "$(command -v $tool)" tools/
done
for path in "$PATH" "$PWD/tools"; do
    status=0
    output=$(PATH=$path ./packed --quick "two words") || status=$?
    [ "$status" = 3 ] && [ "$output" = 'ran with --quick two words' ] || {
        printf 'FAILED with PATH=%s: status %s, %s\n' "$path" "$status" "$output"
        exit 1
    }
done
