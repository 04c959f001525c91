#!/usr/bin/env python3
"""rival_python.py: Python's integers as an outside rival: bench --rival bench/rival_python.py mul

The shortest program that speaks the protocol of schema.md, "Outside rivals".
"""

import json
import platform
import sys
import time


def load(path):
    with open(path, "rb") as f:
        return int.from_bytes(f.read(), "little")


def store(path, x):
    with open(path, "wb") as f:
        f.write(x.to_bytes((x.bit_length() + 63) // 64 * 8, "little"))


def main():
    a = b = r = 0
    path = ""
    for line in sys.stdin:
        request = json.loads(line)
        answer = {"ok": True}
        if request["op"] == "hello":
            answer["name"] = "Python " + platform.python_version()
        elif request["op"] == "load" and request["case"] in ("mul", "sqr"):
            path = request["r"]
            a = load(request["a"])
            b = load(request["b"]) if "b" in request else a
        elif request["op"] == "run":
            if request["count"] > 1:
                r = a * b
            begin = time.monotonic_ns()
            for _ in range(request["count"]):
                r = a * b
            answer["ns"] = time.monotonic_ns() - begin
        elif request["op"] == "result":
            store(path, r)
        else:
            answer = {"ok": False, "reason": "only mul and sqr"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
