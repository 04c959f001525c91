"""tune_table.py: what the programs share that write a table of the library from records, or hold the
one in the tree against them.
"""

import argparse
import json
import os
import sys
import textwrap


def about(records):
    """The comment's lines that say where the table was measured."""
    text = "Measured on %s, commit %s." % (", ".join(sorted({r["cpu"] for r in records})),
                                           ", ".join(sorted({r["commit"][:12] for r in records})))
    return "\n".join("// " + line for line in textwrap.wrap(text, 97))


def read(paths):
    """All records of these files; a sentence about one that holds none."""
    records = []
    for path in paths:
        try:
            with open(path, encoding="utf-8") as lines:
                records += [json.loads(line) for line in lines]
        except (OSError, ValueError) as error:
            sys.exit("%s: %s: %s" % (os.path.basename(sys.argv[0]), path, error))
    if not records:
        sys.exit("%s: no records" % os.path.basename(sys.argv[0]))
    return records


def run(doc, path, table):
    """[--table FILE] [--check] RECORDS ...: writes table(records) to FILE, by default `path` from the
    repository's root; with --check writes nothing and fails unless FILE is that."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--table", default=os.path.join(root, path))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("records", nargs="+")
    arguments = parser.parse_args()
    text = table(read(arguments.records))
    if not arguments.check:
        with open(arguments.table, "w", encoding="utf-8") as out:
            out.write(text)
    elif open(arguments.table, encoding="utf-8").read() != text:
        sys.exit("%s: %s is not what the records say:\n%s" % (sys.argv[0], arguments.table, text))
