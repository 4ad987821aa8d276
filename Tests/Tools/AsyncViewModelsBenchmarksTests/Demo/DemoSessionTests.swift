#if os(Linux)
  import AsyncViewModelsTesting
  import Foundation
  import StorefrontTesting
  import Testing

  /// Runs scripts with the real program, and so with the view models over the server.
  @Suite(.timeLimit(.minutes(5)))
  @ChildProcesses
  struct DemoSessionTests {
    @Test("a session works on every screen, in each stage", arguments: MigrationStage.allCases)
    func session(stage: MigrationStage) throws {
      let result = try DemoRun(
        """
        wait more below
        key down 3
        key +
        wait Cart (1)
        key +
        wait Cart (2)
        key 2
        type desk
        wait Search: desk
        gone searching
        wait hits
        key enter
        wait opened from: search
        key enter
        wait In cart   3
        key escape
        wait Search: desk
        key tab
        wait Cart (3)
        wait Total
        gone pending
        key +
        wait Cart (4)
        key tab
        wait Recommended
        wait @example.com
        key tab
        wait Saved, version 1
        type !
        wait Not saved
        key enter
        wait Saved, version 2
        key tab
        wait 20 posts
        key enter
        wait What to
        key delete
        wait 19 posts, more below
        wait was deleted
        key u
        wait 20 posts
        gone being restored
        key end
        wait 30 posts
        key 1
        key end
        wait 120 products
        frame end
        """, ["--stage", stage.rawValue])
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.hasPrefix("== end\n AsyncViewModels  \(stage) stage"))
    }

    @Test(
      "the alerts of the posts have buttons, and can be undone and retried",
      arguments: MigrationStage.allCases)
    func alerts(stage: MigrationStage) throws {
      let result = try DemoRun(
        """
        wait more below
        key 6
        wait 20 posts
        fault dropped
        key delete
        wait R Retry   C Cancel
        key enter
        wait R Retry   C Cancel
        wait 20 posts
        fault none
        key r
        wait 19 posts
        wait U Undo   C Close
        key c
        gone U Undo
        key down
        key delete
        wait 18 posts
        wait U Undo   C Close
        fault dropped
        key u
        wait was not restored
        wait 18 posts
        fault none
        key r
        gone was not
        wait 19 posts
        gone being restored
        key ctrl-r
        wait 20 posts, more below
        fault dropped
        key ctrl-r
        wait could not be refreshed
        key escape
        gone could not be refreshed
        frame end
        """, ["--stage", stage.rawValue])
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.contains("20 posts, more below"))
    }

    @Test(
      "a switch of the stage releases everything of the old stage, and the cart stays",
      arguments: MigrationStage.allCases)
    func switching(stage: MigrationStage) throws {
      let others = MigrationStage.allCases.filter { $0 != stage } + [stage]
      // The cart of the next stage is loaded once, so the server must have the product before.
      let start = ["wait more below", "key +", "key enter", "wait live", "wait In cart   1", "gone 1 ◌"]
      let script = others.reduce(start.joined(separator: "\n") + "\n") { script, next in
        // Line by line, so that an error names what is missing.
        script
          + "stage \(next)\nwait \(next) stage\nwait is released\nwait live\nwait Cart (1)\n"
          // The server notices the end of the old connection a little later.
          + "wait open feeds               1\nframe \(next)\n"
      }
      let result = try DemoRun(script, ["--stage", stage.rawValue])
      #expect(result.status == 0, "\(result.errors)")
      let frames = result.output.components(separatedBy: "== ").dropFirst()
      #expect(frames.count == 3)
      for (frame, next) in zip(frames, others) {
        let streams = next == .closure ? 0 : 8
        for line in [
          "view models      7       0", "streams          \(streams)       0", "observers        8       0",
        ] {
          #expect(frame.contains(line), "\(frame)")
        }
      }
    }

    @Test(
      "a pending change outlives its stage, and is counted until the server has answered",
      arguments: MigrationStage.allCases)
    func pending(stage: MigrationStage) throws {
      let next: MigrationStage = stage == .stream ? .closure : .stream
      let result = try DemoRun(
        """
        wait more below
        fault held
        key +
        wait Cart (1)
        stage \(next)
        wait \(stage) is ending
        fault none
        wait \(stage) is released
        key 3
        key ctrl-r
        wait Cart (1)
        """, ["--stage", stage.rawValue])
      #expect(result.status == 0, "\(result.errors)")
    }

    @Test(
      "each fault is shown as an error, and a reload after it succeeds", arguments: MigrationStage.allCases,
      [("busy", "503"), ("dropped", "was lost"), ("malformed", "response is malformed")])
    func faults(stage: MigrationStage, fault: (name: String, text: String)) throws {
      let result = try DemoRun(
        """
        wait more below
        fault \(fault.name)
        key 2
        type lamp
        wait Search: lamp
        gone searching
        wait ✗
        wait \(fault.text)
        fault none
        key ctrl-r
        wait hits
        """, ["--stage", stage.rawValue])
      #expect(result.status == 0, "\(result.errors)")
    }

    @Test(
      "typed text is complete even if it arrives faster than the states", arguments: MigrationStage.allCases)
    func fastTyping(stage: MigrationStage) throws {
      let result = try DemoRun(
        """
        wait more below
        key 5
        wait Saved
        key backspace 40
        wait missing
        key x 12
        wait xxxxxxxxxxxx
        """, ["--stage", stage.rawValue])
      #expect(result.status == 0, "\(result.errors)")
    }

    /// The number of the current stage in a row of the panel.
    private func count(_ label: String, in frame: String) throws -> Int {
      let row = try #require(frame.split(separator: "\n").first { $0.contains("│ \(label)") })
      let words = try #require(row.split(separator: "│").last).dropFirst(label.count + 1)
      return try #require(words.split(separator: " ").first.flatMap { Int($0) })
    }

    @Test(
      "a second screen of the closure stage takes the states of the first one, and a switch of the stage ends that",
      arguments: MigrationStage.allCases)
    func secondScreen(stage: MigrationStage) throws {
      let next: MigrationStage = stage == .stream ? .async : .stream
      let result = try DemoRun(
        """
        wait more below
        key 2
        type lamp
        wait Search: lamp
        gone searching
        key ctrl-o
        wait Second screen: lamp
        key escape
        paste oak
        wait Second screen: oak
        gone searching
        frame first
        stage \(next)
        wait \(stage) is released
        wait Second screen: oak
        gone typed:
        frame second
        key ctrl-o
        gone Second screen
        key backspace
        wait Search: oa
        gone typed:
        """, ["--stage", stage.rawValue])
      #expect(result.status == 0, "\(result.errors)")
      let frames = result.output.components(separatedBy: "== ").dropFirst().map { $0 }
      #expect(frames.count == 2)
      let isClosure = stage == .closure
      #expect(frames[0].contains("Search: lamp   ✗ typed: oak") == isClosure, "\(frames[0])")
      #expect(frames[0].contains("Search: oak") == !isClosure, "\(frames[0])")
      #expect(frames[0].contains("observers        \(isClosure ? 7 : 8)"), "\(frames[0])")
      #expect(frames[1].contains("Search: oak"), "\(frames[1])")
    }

    @Test(
      "after a switch to the closure stage, the first screen has its text, and says that the second one has replaced it",
      arguments: [MigrationStage.stream, .async])
    func replacedScreen(stage: MigrationStage) throws {
      let result = try DemoRun(
        """
        wait more below
        key 2
        type lamp
        key ctrl-o
        wait Second screen: lamp
        key tab
        stage closure
        wait \(stage) is released
        key shift-tab
        wait Second screen: lamp
        frame both
        key ctrl-o
        gone Second screen
        key s
        wait typed: lamps
        wait although it is
        """, ["--stage", stage.rawValue])
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.contains(" Search: lamp "))
      #expect(result.output.contains("receives no more states"))
      #expect(try count("1st screen", in: result.output) > 0, "\(result.output)")
    }

    @Test(
      "the closure stage draws each state of a text that is typed at once, and the other stages only the newest",
      arguments: MigrationStage.allCases)
    func pastedText(stage: MigrationStage) throws {
      let result = try DemoRun(
        """
        wait more below
        key 2
        key ctrl-d
        paste soft clay desk
        wait Search: soft clay desk
        gone searching
        wait hits
        wait 150 ms to draw
        frame end
        """, ["--stage", stage.rawValue])
      #expect(result.status == 0, "\(result.errors)")
      let (drawn, old) = (
        try count("1st screen", in: result.output), try count("old text", in: result.output)
      )
      if stage == .closure {
        // The first state, one for each character, and the hits.
        #expect(drawn == 16 && old == 13, "\(result.output)")
      } else {
        // A waiting observer has already received the state of the first character.
        #expect(drawn <= 4 && old <= 1, "\(result.output)")
      }
    }

    @Test(
      "a changed price is shown at once, also in the cart, and the server keeps it",
      arguments: MigrationStage.allCases)
    func price(stage: MigrationStage) throws {
      // The view models of another stage load the list again.
      let next: MigrationStage = stage == .stream ? .closure : .stream
      let result = try DemoRun(
        """
        wait 114.77 USD
        key +
        wait Cart (1)
        key ctrl-p
        wait changed the price
        gone 114.77 USD
        key 3
        wait Total
        gone pending
        gone 114.77 USD
        key 1
        stage \(next)
        wait \(stage) is released
        wait more below
        gone 114.77 USD
        """, ["--stage", stage.rawValue])
      #expect(result.status == 0, "\(result.errors)")
    }

    @Test("control characters of a catalog never reach the output, and wide characters keep the columns")
    func hostileCatalog() throws {
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
      defer { try? FileManager.default.removeItem(at: file) }
      let products = #"""
        [{"id": 1, "name": "\u001b[31mRed\u0007\u009b2J", "price": {"minorUnits": 1990, "currency": "EUR"}, "stock": 12},
         {"id": 2, "name": "光のランプ 👩‍👩‍👧", "price": {"minorUnits": 90, "currency": "EUR"}, "stock": 1}]
        """#
      try Data(products.utf8).write(to: file)
      let result = try DemoRun("wait 2 products\nframe list", ["--catalog", file.path])
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.contains("[31mRed2J"))
      #expect(
        !result.output.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
      #expect(result.output.contains("光のランプ 👩                  1    0.90 EUR │"))
    }

    @Test("a command that fails names its line, and the program exits with code 1")
    func failure() throws {
      let result = try DemoRun("wait more below\nwait no such text")
      #expect(result.status == 1)
      #expect(result.errors.contains("demo.script:2: 'no such text' was not shown within 30 seconds"))
      #expect(result.errors.contains("ALIVE"))
    }

    @Test(
      "a script that cannot be read is bad usage",
      arguments: [("key f13", "demo.script:1"), ("dance", "'dance'")])
    func badScript(script: String, reason: String) throws {
      let result = try DemoRun(script)
      #expect(result.status == 2)
      #expect(result.errors.hasPrefix("error: ") && result.errors.contains(reason))
    }
  }
#endif
