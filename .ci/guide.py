#!/usr/bin/env python3
"""Checks Scripts/guide with planted errors, that the guide keeps its tests and counts its lines, that the tutorials can be followed,
and that all scripts explain themselves.

Compiles nothing: `Scripts/guide replay` builds the package and runs the tests.

usage: .ci/guide.py

Prints each difference, and fails if there is one.
"""
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile

from loading import ROOT, script

guide = script("Scripts/guide")
problems = []


def expect(condition, message):
    if not condition:
        problems.append(message)


def expect_error(text, function, *arguments):
    """Expects an error that contains all of these texts, which are separated by ' … '."""
    try:
        function(*arguments)
    except guide.GuideError as error:
        missing = [part for part in text.split(" … ") if part not in str(error)]
        expect(not missing, f"the error '{error}' does not contain {missing}")
    else:
        problems.append(f"no error '{text}'")


def command(*arguments):
    """Runs the script in this process. Returns its exit code and its output."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            code = guide.main(list(arguments))
        except SystemExit as exit:
            code = exit.code
    return code, output.getvalue()


# The changes on the pages of the tutorials apply.
tutorials = script(".ci/tutorials")
for page in tutorials.TUTORIALS:
    try:
        list(tutorials.versions(page))
    except tutorials.guide.GuideError as error:
        problems.append(str(error))

pages = guide.pages()
with open(guide.GUIDE + ".md", encoding="utf-8") as file:
    overview = file.read()
steps, legacy = guide.parsed(pages), guide.legacy_files()
finished = guide.after(steps, len(steps), legacy)


def planted(number, before, replacement):
    page = pages[number - 1]
    expect(before in page, f"step {number} does not contain '{before}'")
    changed = guide.parsed(pages[: number - 1] + [page.replace(before, replacement, 1)] + pages[number:])
    guide.after(changed, len(changed), legacy)


# Errors of the guide.
expect_error("step 1 (Look … the lines that begin with 'private let centre: NotificationCenter' are not found", planted, 1, "   private let center", "   private let centre")
expect_error("page 2 begins with '# Step 3: ", planted, 2, "# Step 2: ", "# Step 3: ")
expect_error("no paragraph before the block says to which file it belongs", planted, 2, "Create `Sources/Shop/CartState.swift`:", "The state:")
expect_error("does not understand 'Create `Sources/Shop/CartState.swift`'", planted, 2, "CartState.swift`:", "CartState.swift`")
expect_error("step 2 … CartView.swift already exists", planted, 2, "Create `Sources/Shop/CartState", "Create `Sources/Shop/CartView")
expect_error("step 9 … Sources/Shop/Missing.swift does not exist", planted, 9, "Delete `Tests/ShopTests/CartService", "Delete `Sources/Shop/Missing.swift`.\n\nDelete `Tests/ShopTests/CartService")
expect_error("the declaration 'private func begin()' is not found", planted, 2, "replace `private func load()`", "replace `private func begin()`")
expect_error("step 1 does not end with a check", planted, 1, "**Check:** `swift test` fails only in `loadKeepsChange`", "The test fails: `loadKeepsChange`")
expect_error("the lines that begin with 'b' are found 2 times", guide.patched, "a\nb\nb\n", ["-b", "+c"])
expect_error("changes nothing", guide.patched, "a\n", [" a"])
expect_error("begins with neither", guide.patched, "a\n", ["a"])

# Diffs of Scripts/migrate.
expect_error("step 4 … CartViewModel.swift has other lines at line ", planted, 4, "   private let service: CartService\n   private let scheduler", "   private let server: CartService\n   private let scheduler")
expect_error("does not understand 'Run `Scripts/migrate", planted, 4, "Sources --write`:", "Sources`:")
expect_error("the diff is empty", guide.migrated, {"a": "b\n"}, ["--- ../Shop/a", "+++ ../Shop/a"])
expect_error("c does not exist", guide.migrated, {"a": "b\n"}, ["--- ../Shop/c", "+++ ../Shop/c"])
expect_error("no line of a diff … 'b'", guide.migrated, {"a": "b\n"}, ["b"])
two = ["--- ../Shop/a", "+++ ../Shop/a", "@@ -1,2 +1,3 @@", "+0", " 1", "", "@@ -4,1 +5,1 @@", "-4", "+5"]
expect(guide.migrated({"a": "1\n\n3\n4\n"}, two) == {"a": "0\n1\n\n3\n5\n"}, "a diff with two places is not applied")
migrations = [step.number for step in steps for action in step.actions if action.kind == "migrate"]
expect(migrations == [2, 4, 6], f"the steps {migrations} run Scripts/migrate")

# Results of checks.
expect_error("quick passes, but the guide says that it fails", guide.compare_failures, {"quick"}, set(), {"quick"}, "")
expect_error("late fails … Test late recorded an issue", guide.compare_failures, set(), {"late"}, {"late"}, "x\nTest late recorded an issue")
expect_error("there is no test lost", guide.compare_failures, {"lost"}, set(), {"quick"}, "")
expect_error("the package compiles", guide.compare_rejection, ["error: wrong"], 0, "")
expect_error("does not print 'error: wrong'", guide.compare_rejection, ["error: wrong"], 1, "error: other")
expect_error("-old\n+new", guide.compare_output, ["old"], "new\n")
guide.compare_failures({"late"}, {"late"}, {"late", "quick"}, "")

# The steps keep the tests. Only the files that create the screen and that find its views change, and the tests of the adapter are deleted with it.
for step in steps:
    for action in step.actions:
        path = action.arguments[0] if action.kind in guide.CHANGES and action.kind != "create" else ""
        expect(
            not path.startswith("Tests/") or path.endswith(("/Shop.swift", "/Shop+Views.swift", "/CartServiceAdapterTests.swift")),
            f"step {step.number} changes the tests in {path}")

# Directories of readers.
with tempfile.TemporaryDirectory() as parent:
    shop = os.path.join(parent, "Shop")
    expect(command("start", shop)[0] == 0, "start fails")
    expect(command("diff", "0", shop) == (0, ""), "a new directory differs from step 0")
    code, output = command("start", shop)
    expect(code == 2 and "already exists" in output, "start overwrites a directory")
    expect(command("diff", "1", shop)[0] == 1, "step 1 does not differ from step 0")
    screen = os.path.join(shop, "Sources/Shop/CartViewController.swift")
    with open(screen, "w", encoding="utf-8") as file:
        file.write("// mine\n")
    expect(command("apply", "3", shop)[0] == 0 and command("diff", "3", shop) == (0, ""), "apply does not bring a directory to its step")
    with open(os.path.join(shop, ".replaced/1/Sources/Shop/CartViewController.swift"), encoding="utf-8") as file:
        expect(file.read() == "// mine\n", "apply does not keep the reader's file")
    expect(command("apply", str(len(steps)), shop)[0] == 0 and guide.existing(shop) == finished, "apply does not reach the last step")
    for arguments in [("diff", "99", shop), ("apply", "1", parent), ("diff", "one", shop), ("replay", "--from", "7", "--to", "3"), ()]:
        expect(command(*arguments)[0] == 2, f"{arguments} is no bad usage")

# All scripts explain themselves, and refuse unknown options. The commands that Scripts/audit builds have tests of their own.
tests = os.path.join(ROOT, "Tests/AsyncViewModelsDocumentationTests")
for name in sorted(os.listdir(os.path.join(ROOT, "Scripts"))):
    path = os.path.join(ROOT, "Scripts", name)
    if os.path.isfile(path) and os.path.realpath(path) != os.path.join(ROOT, "Scripts/audit"):
        asked, wrong = (subprocess.run([path, option], capture_output=True, text=True) for option in ("--help", "--wrong"))
        for text in (f"usage: Scripts/{name}", "Exit codes: "):
            expect(asked.returncode == 0 and text in asked.stdout, f"Scripts/{name} --help does not print '{text}'")
        expect(wrong.returncode == 2 and "error: " in wrong.stderr, f"Scripts/{name} --wrong is no bad usage")
# `swift test` succeeds if a filter matches no test, so the suite of each title has the name that Scripts/try expects.
unknown = subprocess.run([os.path.join(ROOT, "Scripts/try"), "Find.*"], capture_output=True, text=True)
titles = re.findall(r"^\w+$", unknown.stderr, re.M)
expect(unknown.returncode == 2 and "FindTheRace" in titles, "Scripts/try does not list its titles")
for title in titles:
    with open(os.path.join(tests, f"{title}Tests.swift"), encoding="utf-8") as file:
        expect(re.search(rf"^ *(?:struct|enum) {title}Tests\b", file.read(), re.M), f"{title}Tests.swift has no suite {title}Tests")
# The command for a container, with an engine that prints its arguments.
with tempfile.TemporaryDirectory() as folder:
    for tool in ("bash", "dirname", "env", "grep", "sed"):
        os.symlink(shutil.which(tool), os.path.join(folder, tool))
    simulate = os.path.join(ROOT, "Scripts/simulate-in-container")

    def in_container(*arguments):
        environment = {"PATH": folder, "SIMULATION_REPLAY": "path:2=1,3=1", "OTHER": "secret"}
        result = subprocess.run([simulate, "--package", guide.LEGACY, *arguments], capture_output=True, text=True, env=environment)
        return result.returncode, result.stdout, result.stderr

    status, _, errors = in_container()
    expect(status == 1 and "found no container engine" in errors, "without an engine, Scripts/simulate-in-container does not say so")
    engine = os.path.join(folder, "podman")
    with open(engine, "w", encoding="utf-8") as file:
        file.write('#!/usr/bin/env bash\nprintf "[%s]" "$@"\n[[ $* != *fails* ]] || exit 125\n')
    os.chmod(engine, 0o755)
    status, printed, errors = in_container("--filter", "A b", "--", "-v")
    wanted = f"[run][--rm][--volume][{ROOT}:{ROOT}][--env][SIMULATION_REPLAY=path:2=1,3=1][--workdir][{guide.LEGACY}]" \
        "[swift:6.3][swift][test][--scratch-path][.build-linux][--filter][A b][-v]"
    expect(status == 0 and printed.endswith(wanted), f"Scripts/simulate-in-container runs {printed}{errors}")
    expect(in_container("--filter", "fails")[0] == 1, "Scripts/simulate-in-container hides a failure of the engine")
    status, printed, _ = in_container("--print", "--filter", "fails")
    expect(status == 0 and printed.startswith(f"cd {guide.LEGACY}\npodman run"), f"--print prints {printed}")
    status, printed, _ = in_container("--print", "--native", "--filter", "A")
    expect(printed.rstrip().endswith("\nswift test --scratch-path .build-linux --filter A"), f"--native --print prints {printed}")
    for arguments in (["A"], ["--filter"], ["--engine", "lxc"], ["--package", folder]):
        expect(in_container(*arguments)[0] == 2, f"{arguments} is no bad usage of Scripts/simulate-in-container")
with contextlib.redirect_stderr(io.StringIO()):
    expect(tutorials.main(["Nowhere"]) == 2, ".ci/tutorials takes an unknown page")

# The overview.
rows = re.findall(r"^\| `(\w+\.swift)` \| [^|]+ \| ?(\d*) \| (\d*) ?\|$", overview, re.M)
for name, before, after in rows:
    for files, written in ((legacy, before), (finished, after)):
        lines = files.get(f"Sources/Shop/{name}", "").count("\n")
        expect(lines == int(written or 0), f"the overview says that {name} has {written or 0} lines instead of {lines}")
named = {f"Sources/Shop/{name}" for name, _, _ in rows}
present = {path for path in {*legacy, *finished} if path.startswith("Sources/Shop/")}
expect(named == present, f"the overview and the package have different files: {sorted(named ^ present)}")
failing = [int(count) for count in re.findall(r"^\| <doc:Step\d\w+> \| [^|]+ \| (\d) \|$", overview, re.M)]
for step, count in zip(steps, failing, strict=True):
    names = [name for action in step.actions if action.kind == "fails" for name in re.findall(guide.NAMED, action.arguments[0])]
    expect(len(names) == count, f"the overview says that {count} tests fail after step {step.number} instead of {len(names)}")

for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
