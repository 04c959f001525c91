#!/usr/bin/env bash
# What ./dev refuses, with which words, before it installs, builds or writes anything.
# usage: dev_test.sh DEV
# Catches a verb or an argument that is passed over in silence, an option that is taken for a folder.
set -u
dev=$PWD/$1
failed=0
expect() {  # expect STATUS TEXT ARGUMENTS...
    local output status=0
    output=$(cd "$TEST_TMPDIR" && "$dev" "${@:3}" 2>&1) || status=$?
    [[ $status = "$1" && $output == *"$2"* ]] || {
        printf 'FAILED: ./dev %s: status %s, %s\n' "${*:3}" "$status" "$output"
        failed=1
    }
}
expect 0 'usage: ./dev VERB' help
expect 2 'usage: ./dev VERB'
expect 1 'no verb is called no-such' no-such
expect 1 'setup takes nothing else' setup --help
expect 1 'fmt takes nothing else' fmt --help
expect 1 'usage: ./dev install PREFIX' install
expect 1 'usage: ./dev install PREFIX' install --help
expect 1 'usage: ./dev install PREFIX' install a b
expect 1 'usage: ./dev deb FOLDER' deb
expect 1 'usage: ./dev deb FOLDER' deb --config=asan
expect 1 'gpu --pack takes nothing else' gpu --pack all
expect 1 'nothing is packed: ' gpu --quick
exit $failed
