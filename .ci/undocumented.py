#!/usr/bin/env python3
"""Prints every public symbol without documentation. The exit code is 1 if there is such a symbol.

usage: undocumented.py SYMBOL_GRAPH...
"""
import json
import sys

# Members whose meaning is defined by the protocol that they witness.
WITNESSES = {"description", "errorDescription", "==(_:_:)", "hash(into:)", "Element", "Failure", "makeAsyncIterator()"}


def undocumented(path):
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)
    # Members that the compiler or the standard library adds, and default implementations of documented requirements.
    inherited = {
        r["source"] for r in graph["relationships"] if "sourceOrigin" in r or r["kind"] == "defaultImplementationOf"
    }
    for symbol in graph["symbols"]:
        identifier = symbol["identifier"]["precise"]
        if symbol["kind"]["identifier"] == "swift.extension" or "::SYNTHESIZED::" in identifier or identifier in inherited:
            continue
        if symbol["pathComponents"][-1] in WITNESSES or symbol.get("docComment", {}).get("lines"):
            continue
        position = symbol.get("location", {})
        file = position.get("uri", "?").removeprefix("file://")
        yield f"{file}:{position.get('position', {}).get('line', 0) + 1}: {'.'.join(symbol['pathComponents'])}"


found = sorted({line for path in sys.argv[1:] for line in undocumented(path)})
for line in found:
    print("no documentation:", line)
print(f"{len(found)} public symbols without documentation")
sys.exit(1 if found else 0)
