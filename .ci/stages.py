#!/usr/bin/env python3
"""Compares the order of the members in the three stages of each feature.

usage: .ci/stages.py

Fails if two members stand in one order in a stage and in the other order in another stage. Prints the file and both members.
A missing stage fails, too. Overloads are told apart by their positions. Members that only one of the two stages has may stand anywhere.
"""
import itertools
import os
import re
import sys
from collections import Counter

from loading import ROOT

FEATURES = os.path.join(ROOT, "Sources/ViewModels")
STAGES = ["ClosureViewModel.swift", "StreamViewModel.swift", "ViewModel.swift"]
MEMBER = re.compile(r"^  (?:@\w+(?:\([^)]*\))? )*(?:[a-z]+(?:\([a-z]+\))? )*?(?:(?:func|var|let) (\w+)|(init|deinit)\b)")


def members(path):
    """The members of a file in their order. The second overload of `f` is `f (2)`."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    counts = Counter()
    for line in lines:
        if match := MEMBER.match(line):
            name = match[1] or match[2]
            counts[name] += 1
            yield name if counts[name] == 1 else f"{name} ({counts[name]})"


def differences():
    features = 0
    for folder, _, names in sorted(os.walk(FEATURES)):
        for name in sorted(name for name in names if name.endswith(STAGES[0])):
            features += 1
            files = [name.removesuffix(STAGES[0]) + stage for stage in STAGES]
            missing = [file for file in files if not os.path.exists(os.path.join(folder, file))]
            if missing:
                yield from (f"{os.path.join(folder, file)}: the stage is missing" for file in missing)
                continue
            orders = [list(members(os.path.join(folder, file))) for file in files]
            for (left, first), (right, second) in itertools.combinations(zip(files, orders), 2):
                expected = [member for member in first if member in second]
                found = [member for member in second if member in first]
                for member, other in zip(expected, found):
                    if member != other:
                        yield f"{right}: `{other}` stands before `{member}`, but after it in {left}"
                        break
    if features != 9:
        yield f"{FEATURES}: expected nine features, found {features}"


found = list(differences())
for line in found:
    print(line)
sys.exit(1 if found else 0)
