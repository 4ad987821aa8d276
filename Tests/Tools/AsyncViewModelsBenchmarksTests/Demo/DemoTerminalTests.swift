#if os(Linux)
  import AsyncViewModelsTesting
  import Foundation
  import Testing

  /// Runs the program in a real pseudo-terminal.
  @Suite(.timeLimit(.minutes(5)))
  @ChildProcesses
  struct DemoTerminalTests {
    private static let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "Benchmarks").path

    private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
    private static let restore = "\u{1B}[0m\u{1B}[?25h\u{1B}[?7h\u{1B}[?1049l"

    private func start(
      _ program: String = executable, _ arguments: [String] = ["demo"], environment: [String: String] = [:]
    ) throws -> PseudoTerminal {
      // The backtracer of a crash would wait for a key.
      let defaults = ["TERM": "xterm", "SWIFT_BACKTRACE": "enable=no"]
      return try PseudoTerminal(program, arguments, environment: defaults.merging(environment) { $1 })
    }

    enum Exit: CustomTestStringConvertible {
      case key(String, status: Int32)
      case signal(Int32)

      var testDescription: String {
        switch self {
        case .key(let key, _): "key \(key.debugDescription)"
        case .signal(let number): "signal \(number)"
        }
      }
    }

    @Test(
      "the terminal is restored after every exit",
      arguments: [
        Exit.key("q", status: 0), .key("\u{3}", status: -SIGINT), .key("\u{1C}", status: -SIGQUIT),
        .signal(SIGTERM), .signal(SIGHUP), .signal(SIGINT), .signal(SIGQUIT), .signal(SIGABRT),
        .signal(SIGILL),
        .signal(SIGTRAP), .signal(SIGSEGV), .signal(SIGBUS), .signal(SIGFPE),
      ])
    func restored(exit: Exit) throws {
      let terminal = try start()
      try terminal.expect(Self.enter)
      try terminal.expect("below")
      #expect(terminal.isRaw)
      switch exit {
      case .key(let key, let status):
        try terminal.send(key)
        #expect(try terminal.end() == status)
      case .signal(let number):
        terminal.signal(number)
        #expect(try terminal.end() == -number)
      }
      #expect(terminal.output.hasSuffix(Self.restore))
      #expect(terminal.description == terminal.initialDescription)
    }

    @Test("the program ends if its terminal is closed, even if it ignores the signal")
    func hangUp() throws {
      let terminal = try start("/bin/sh", ["-c", "trap '' HUP; exec \"$0\" demo", Self.executable])
      try terminal.expect("below")
      terminal.hangUp()
      #expect(try terminal.end() == 0)
    }

    @Test("Ctrl-Z restores the terminal, and the screen is drawn again after it")
    func stop() throws {
      let terminal = try start()
      try terminal.expect("below")
      // The session has no job control, so the system does not stop the program.
      try terminal.send("\u{1A}")
      try terminal.expect(Self.restore)
      try terminal.expect(Self.enter)
      try terminal.expect("below")
      #expect(terminal.isRaw)
      try terminal.send("q")
      #expect(try terminal.end() == 0)
    }

    @Test("a program that was stopped and continues draws the screen again")
    func resume() throws {
      let terminal = try start()
      try terminal.expect("below")
      terminal.signal(SIGSTOP)
      terminal.signal(SIGCONT)
      try terminal.expect(Self.enter)
      try terminal.expect("below")
      try terminal.send("q")
      #expect(try terminal.end() == 0)
    }

    @Test("a smaller terminal shows the needed size, and a larger one the screen again")
    func resize() throws {
      let terminal = try start()
      try terminal.expect("below")
      try terminal.resize(columns: 70, rows: 20)
      try terminal.expect("70x20")
      try terminal.resize(columns: 120, rows: 40)
      try terminal.expect("EVENTS")
      try terminal.send("q")
      #expect(try terminal.end() == 0)
    }

    @Test("keys reach the screens, and an escape sequence is one key")
    func keys() throws {
      let terminal = try start()
      try terminal.expect("below")
      try terminal.send("\t")
      try terminal.expect("Search:")
      try terminal.send("lamp")
      try terminal.expect("hits")
      try terminal.send("\u{1B}")
      try terminal.expect("Type")
      try terminal.send("\u{1B}[Zq")
      #expect(try terminal.end() == 0)
    }

    @Test("a terminal that cannot move the cursor is refused", arguments: ["dumb", ""])
    func dumbTerminal(type: String) throws {
      let terminal = try start(environment: ["TERM": type])
      #expect(try terminal.end() == 2)
      #expect(terminal.output.hasPrefix("error: the demo needs a terminal, but TERM is '\(type)'"))
      #expect(!terminal.output.contains("\u{1B}"))
    }

    @Test(
      "without a terminal, the program names the missing one",
      arguments: ["standard input", "standard output"])
    func noTerminal(name: String) throws {
      let redirection = name == "standard input" ? "< /dev/null" : "> /dev/null"
      let terminal = try start("/bin/sh", ["-c", "exec \"$0\" demo \(redirection)", Self.executable])
      #expect(try terminal.end() == 2)
      #expect(terminal.output.hasPrefix("error: the demo needs a terminal, but \(name) is not a terminal"))
    }
  }
#endif
