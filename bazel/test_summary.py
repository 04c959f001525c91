#!/usr/bin/env python3
"""Counts the test cases of one `bazel test` and closes with `N passed, N failed`.

usage: test_summary.py BAZEL_EXIT_STATUS BUILD_EVENT_JSON_FILE

Cases are read from the XML of every test that ran, cached results included. A test that failed
without a failing case (crash, time-out, no build) and a test that holds no case count as one
failure each, and so does a failed build. Exits 0 only if something passed and nothing failed.
"""
import json
import sys
import urllib.parse
import xml.etree.ElementTree as ET


def count(path):
    """Returns [passed, failed, skipped] of one test.xml."""
    counts = [0, 0, 0]
    for case in ET.parse(path).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            counts[1] += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            counts[2] += 1
        else:
            counts[0] += 1
    return counts


def read_events(path):
    """Returns {label: (status, [xml paths])} of every test that ran or could not be built."""
    status, xmls, tests = {}, {}, set()
    with open(path) as stream:
        for line in stream:
            event = json.loads(line)
            kind, key = next(iter(event["id"].items()))
            body = event.get(kind.replace("target", "").lower(), event.get(kind, {}))
            label = key.get("label") if isinstance(key, dict) else None
            if kind == "targetConfigured" and "testSize" in body:
                tests.add(label)
            elif kind == "targetCompleted" and label in tests and not body.get("success"):
                status[label] = "FAILED TO BUILD"
            elif kind == "testSummary":
                status[label] = body.get("overallStatus", "NO STATUS")
            elif kind == "testResult":
                for output in body.get("testActionOutput", []):
                    if output["name"] == "test.xml":
                        # One path for each run and shard; of several attempts the last one counts.
                        path = urllib.parse.unquote(urllib.parse.urlparse(output["uri"]).path)
                        xmls.setdefault(label, {})[key.get("run"), key.get("shard")] = path
    return {label: (status[label], list(xmls.get(label, {}).values())) for label in status}


def main():
    bazel_status = int(sys.argv[1])
    passed = failed = skipped = 0
    for label, (status, xmls) in sorted(read_events(sys.argv[2]).items()):
        counts = [0, 0, 0]
        for path in xmls:
            try:
                counts = [a + b for a, b in zip(counts, count(path))]
            except (OSError, ET.ParseError):
                status = "NO RESULT" if status == "PASSED" else status
        if status != "PASSED" and counts[1] == 0:
            print("%s: %s" % (label, status))
            counts[1] = 1
        elif sum(counts) == 0:
            print("%s: holds no test case" % label)
            counts[1] = 1
        passed, failed, skipped = passed + counts[0], failed + counts[1], skipped + counts[2]
    if bazel_status != 0 and failed == 0:
        print("bazel stopped with status %d" % bazel_status)
        failed = 1
    tail = ", %d skipped" % skipped if skipped else ""
    print("%d passed, %d failed%s" % (passed, failed, tail))
    sys.exit(0 if passed and not failed else 1)


main()
