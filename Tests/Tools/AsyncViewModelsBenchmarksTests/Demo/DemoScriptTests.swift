import AsyncViewModelsCommandLine
import StorefrontTesting
import Testing

@testable import Benchmarks

@Suite(.timeLimit(.minutes(5)))
struct DemoScriptTests {
  @Test("every command is read, and comments and empty lines are skipped")
  func commands() throws {
    let text = """
      # The tour.
      size 120x40

        key enter
      key down 3
      key ctrl-s
      key 7
      type oak lamp
      paste desk
      wait in stock
      gone Loading
      stage closure
      fault slow
      frame cart
      hold 1.5
      """
    let script = try DemoScript(text, file: "tour")
    #expect(
      script.lines.map(\.command) == [
        .size(TerminalSize(columns: 120, rows: 40)), .key(.enter, count: 1), .key(.down, count: 3),
        .key(.control("s"), count: 1), .key(.character("7"), count: 1), .type("oak lamp"), .paste("desk"),
        .wait("in stock"),
        .gone("Loading"), .stage(.closure), .fault(.slow), .frame("cart"), .hold(1.5),
      ])
    #expect(script.lines.map(\.number) == [2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
  }

  @Test(
    "an error names the file, the line and the word",
    arguments: [
      ("pause 3", "unknown command 'pause'"), ("size 80", "'80'"), ("size 0x24", "'0x24'"),
      ("size 80x24x1", "'80x24x1'"), ("size 9999x24", "'9999x24'"), ("key", "the name of a key"),
      ("key f13", "'f13'"), ("key ctrl-1", "'ctrl-1'"), ("key down 0", "'0'"), ("key down two", "'two'"),
      ("type", "a text"), ("paste", "a text"), ("wait  ", "a text"), ("stage combine", "'combine'"),
      ("fault fire", "'fire'"),
      ("frame", "a name"), ("hold -1", "'-1'"), ("hold soon", "'soon'"),
    ])
  func errors(line: String, reason: String) {
    let error = #expect(throws: DemoScriptError.self) {
      try DemoScript("wait List\n\(line)", file: "a.script")
    }
    #expect(error?.line == 2)
    #expect(error?.description.hasPrefix("a.script:2: ") == true)
    #expect(error?.description.contains(reason) == true)
  }
}

@Suite(.timeLimit(.minutes(5)))
struct DemoOptionsTests {
  @Test("every flag is read and named in the usage, and an unknown flag is an error")
  func flags() throws {
    let options = try DemoOptions([
      "--stage", "stream", "--script=tour", "--record", "tour.svg", "--catalog", "shop.json",
    ])
    #expect(options.stage == .stream && options.script == "tour" && options.recording == "tour.svg")
    #expect(options.catalog == "shop.json" && !options.isHelp)
    #expect(try DemoOptions([]).stage == .async)
    #expect(try DemoOptions(["-h"]).isHelp)
    #expect(throws: UsageError.unknownFlag("--quick")) { try DemoOptions(["--quick"]) }
    #expect(
      throws: UsageError.invalidValue(flag: "--stage", value: "rx", expected: "closure, stream or async")
    ) {
      try DemoOptions(["--stage", "rx"])
    }
    #expect(throws: UsageError.missingFlag("--script", for: "--record")) {
      try DemoOptions(["--record", "tour.svg"])
    }
    for flag in ["--stage", "--catalog", "--script", "--record", "--help"] {
      #expect(DemoOptions.usage.contains("\n  \(flag) "))
    }
  }
}
