#!/usr/bin/env python3
"""Prints the region coverage of the files that must be covered, and every region that no test executed.

usage: uncovered.py COVERAGE.json PATTERNS
"""
import collections
import fnmatch
import json
import os
import sys

CODE = 0  # The kind of regions with code. The other kinds are gaps, expansions and branches.


def regions(coverage):
    """Returns how often each region was executed. All instances of a generic function count as one."""
    runs = collections.Counter()
    for function in coverage["data"][0]["functions"]:
        for line, column, end_line, end_column, count, file, _, kind in (r[:8] for r in function["regions"]):
            if kind == CODE:
                path = os.path.relpath(function["filenames"][file])
                runs[path, line, column, end_line, end_column] += count
    return runs


def text(path, line, column, end_line, end_column):
    with open(path, encoding="utf-8") as file:
        content = file.read().splitlines()[line - 1].encode()
    end = end_column - 1 if line == end_line else len(content)
    return content[column - 1 : end].decode().strip()


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        runs = regions(json.load(file))
    with open(sys.argv[2], encoding="utf-8") as file:
        patterns = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    idle = [pattern for pattern in patterns if not fnmatch.filter({region[0] for region in runs}, pattern)]
    files = collections.defaultdict(list)
    for region, count in runs.items():
        if any(fnmatch.fnmatch(region[0], pattern) for pattern in patterns):
            files[region[0]].append((region, count))

    missed = []
    for path in sorted(files):
        uncovered = sorted(region for region, count in files[path] if count == 0)
        missed += uncovered
        covered = len(files[path]) - len(uncovered)
        print(f"{100 * covered / len(files[path]):6.1f} %  {covered:4} of {len(files[path]):4}  {path}")
    total = sum(map(len, files.values()))
    print(f"{total - len(missed)} of {total} regions of {len(files)} files are covered")
    for region in missed:
        print(f"never run: {region[0]}:{region[1]}:{region[2]}: {text(*region)}")
    for pattern in idle:
        print(f"no code matches {pattern}, a pattern in {sys.argv[2]}")
    sys.exit(1 if missed or idle else 0)


main()
