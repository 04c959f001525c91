#!/usr/bin/env python3
"""Writes the wheel of longmul-gmp: a package that attaches the drop-in when it is imported.

usage: make_wheel.py OUT.whl bigint.h __init__.py liblongmul_gmp.so
The platform tag is that of the machine that builds it.
"""

import base64
import hashlib
import re
import sys
import sysconfig
import zipfile

METADATA = """Metadata-Version: 2.1
Name: longmul-gmp
Version: {version}
Summary: Makes GMP inside gmpy2, python-flint and others faster
Requires-Python: >=3.8
"""
WHEEL = """Wheel-Version: 1.0
Generator: longmul
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""


def version_of(header):
    with open(header, encoding="utf-8") as f:
        return ".".join(re.findall(r"#define BIGINT_VERSION_[MP]\w+ (\d+)", f.read()))


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return "%s,sha256=%s,%d\n" % (name, digest, len(data))


def main(out, header, package, library):
    version = version_of(header)
    platform = re.sub(r"\W", "_", sysconfig.get_platform())
    info = "longmul_gmp-%s.dist-info/" % version
    files = {
        info + "METADATA": METADATA.format(version=version).encode(),
        info + "WHEEL": WHEEL.format(platform=platform).encode(),
    }
    for name, path in (("__init__.py", package), ("liblongmul_gmp.so", library)):
        with open(path, "rb") as f:
            files["longmul_gmp/" + name] = f.read()
    record = "".join(record_line(name, data) for name, data in files.items())
    files[info + "RECORD"] = (record + info + "RECORD,,\n").encode()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            wheel.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)


main(*sys.argv[1:])
