#!/usr/bin/env python3
"""Compares the patterns of Scripts/audit with the page Hazards.md.

usage: .ci/hazards.py

Fails if a pattern misses its legacy snippet or finds a repair, if the page names a part, test, scenario, mutant or row that does
not exist, or if the lexer of the script takes code for a literal. Prints each difference.
"""
import os
import re
import subprocess
import sys

from loading import ROOT, script

MODULES = ["AsyncViewModels", "AsyncViewModelsGCD", "AsyncViewModelsRequests", "AsyncViewModelsUI", "ListSnapshots"]
PAGE = os.path.join(ROOT, "Sources/AsyncViewModels/AsyncViewModels.docc/Hazards.md")
audit = script("Scripts/audit")

# Each `hidden` is in a comment or a literal, and no `shown` is.
LEXER_EXAMPLES = [
    '"hidden" shown // hidden " \nshown', "shown /* hidden /* hidden */ hidden */ shown", "shown /* hidden /* hidden */ hidden",
    r'"hidden \" hidden" shown', r'"hidden \(f("hidden \(g(")"))) hidden")) hidden" shown', '"" shown "hidden" shown """"""',
    '"""\nhidden " hidden "" hidden\n""" shown', '"""\nhidden \\""" hidden \\(x + "hidden") hidden\n""" shown',
    r'#"hidden " hidden \(hidden)"# shown', r'#"hidden \#(f("hidden")) hidden"# shown', '##"hidden "# hidden"## shown',
    '#"""# shown', '#"""\nhidden """ hidden\n"""# shown', '"hidden\nshown', '"hidden \\(f(hidden\r\nshown\r\nshown "hidden" shown',
    'shown """\nhidden', 'shown = /hidden"hidden/; shown', "shown(/[/'hidden]/) shown", 'shown = #/hidden"/hidden/#; shown',
    'return /hidden"/ ', "shown / shown / shown", "f(shown)/shown/shown", "#if shown", '"hidden \\(/* ) */ hidden) hidden" shown',
]

FENCE = re.compile(r"^```swift\n// (Legacy|Repair)\n(.*?)^```$", re.M | re.S)


def found_in(code, patterns):
    snippet = audit.Audit(patterns)
    snippet.search(audit.Source("snippet", code))
    return {finding.pattern for finding in snippet.findings}


def differences(page):
    """What differs between the page, the patterns and this package."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    sections = dict(re.findall(r"^### (.*)\n((?:(?!^##).*\n)*)", text, re.M))
    for pattern in audit.PATTERNS:
        if audit.anchor(pattern) and pattern.section not in sections:
            yield f"{pattern.id}: the page has no section '{pattern.section}'"
    for title, body in sections.items():
        yield from section_differences(title, body, [pattern for pattern in audit.PATTERNS if pattern.section == title])
    for example in LEXER_EXAMPLES:
        code, _ = audit.blanked(example)
        if "hidden" in code or code.count("shown") != example.count("shown") or len(code) != len(example):
            yield f"the lexer reads {example!r} as {code!r}"
    yield from part_differences()
    yield from proof_differences(text)


def section_differences(title, body, patterns):
    snippets = {"Legacy": [], "Repair": []}
    for kind, code in FENCE.findall(body):
        snippets[kind].append(code)
    line = re.search(r"^Patterns?: (.*)$", body, re.M)
    named = re.findall(r"`([a-z-]+)`", line[1]) if line else []
    if not line:
        yield f"{title}: needs a line 'Pattern: …'"
    elif not patterns and not re.match(r"none\. \w", line[1]):
        yield f"{title}: has no pattern, so the line must say 'Pattern: none.' and why"
    elif patterns and named != [pattern.id for pattern in patterns]:
        yield f"{title}: names the patterns {named}, but the script has {[pattern.id for pattern in patterns]}"
    for kind, found in snippets.items():
        if not found:
            yield f"{title}: has no snippet that begins with '// {kind}'"
    legacy = [found_in(code, patterns) for code in snippets["Legacy"]]
    for number, found in enumerate(legacy, 1):
        if patterns and not found:
            yield f"{title}: no pattern of the section finds legacy snippet {number}"
    for pattern in patterns:
        if not any(pattern.id in found for found in legacy):
            yield f"{title}: {pattern.id} finds no legacy snippet"
    for code in snippets["Repair"]:
        # A repair may keep a hazard that another section is about, such as a bridge that calls a completion handler.
        for name in sorted(found_in(code, patterns)):
            yield f"{title}: {name} finds the repair"
    if not re.search(r"^Proof: ", body, re.M):
        yield f"{title}: needs a line 'Proof: …'"


def swift_text(*folders):
    for folder in folders:
        for parent, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in sorted(names):
                if name.endswith(".swift"):
                    with open(os.path.join(parent, name), encoding="utf-8") as file:
                        yield file.read()


def part_differences():
    """Parts that the patterns name, but the toolkit does not declare."""
    toolkit = "\n".join(swift_text(*(f"Sources/{name}" for name in MODULES)))
    for pattern in audit.PATTERNS:
        for name in re.findall(r"`(\w+)", pattern.repair):
            if not re.search(rf"^\s*public (?:[\w()]+ )*(?:class|struct|actor|protocol|func) {name}\b", toolkit, re.M):
                yield f"{pattern.id}: the toolkit has no public {name}"


def proof_differences(text):
    """Tests, scenarios, mutants and probes that the page names, but the repository does not have."""
    tests = "\n".join(swift_text("Tests", "Benchmarks/Matrix"))
    for suite, function in re.findall(r"--filter \w+\.(\w+)(?:/(\w+))?", text):
        body = re.search(rf"^struct {suite}\b(.*?)^\}}", tests, re.M | re.S)
        if not body or (function and not re.search(rf"\bfunc {function}\(", body[1])):
            yield f"there is no test {suite}{'/' + function if function else ''}"
    for name in re.findall(r"--scenario (\S+?)`", text):
        if f'"{name}"' not in tests:
            yield f"there is no scenario {name}"
    listed = subprocess.run([os.path.join(ROOT, "Tests/Mutants/run"), "--list"], check=True, capture_output=True, text=True).stdout
    for name in re.findall(r"--only ([a-z-]+)`", text):
        if not re.search(rf"^{name}: ", listed, re.M):
            yield f"there is no mutant {name}"
    for title in re.findall(r'row "([^"]+)"', text):
        if f'"{title}"' not in tests:
            yield f"the decision matrix has no row {title}"


found = list(differences(PAGE))
for line in found:
    print(line)
sys.exit(1 if found else 0)
