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
    """Returns {label: [status, [xml paths]]}; the last attempt of a test is the one that counts."""
    tests = {}
    with open(path) as stream:
        for line in stream:
            event = json.loads(line)
            if "testSummary" in event["id"]:
                label = event["id"]["testSummary"]["label"]
                status = event.get("testSummary", {}).get("overallStatus", "NO_STATUS")
                tests.setdefault(label, ["", {}])[0] = status
            elif "testResult" in event["id"] and "testResult" in event:
                key = event["id"]["testResult"]
                for output in event["testResult"].get("testActionOutput", []):
                    if output["name"] == "test.xml":
                        path = urllib.parse.unquote(urllib.parse.urlparse(output["uri"]).path)
                        place = tests.setdefault(key["label"], ["", {}])[1]
                        place[key.get("run"), key.get("shard")] = path
    return tests


def main():
    bazel_status = int(sys.argv[1])
    passed = failed = skipped = 0
    for label, (status, xmls) in sorted(read_events(sys.argv[2]).items()):
        counts = [0, 0, 0]
        for path in xmls.values():
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
