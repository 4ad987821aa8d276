#if os(Linux)
  import AsyncViewModelsTesting
  import StorefrontTesting
  import Testing

  @Suite(.timeLimit(.minutes(5)))
  @ChildProcesses
  struct DemoNavigationTests {
    @Test(
      "a page closes with Escape and with another tab, and is opened once by two keys",
      arguments: MigrationStage.allCases)
    func page(stage: MigrationStage) throws {
      let result = try DemoRun(
        """
        wait more below
        wait view models      6
        key enter 2
        wait opened from: list
        wait In cart   0
        wait view models      7
        key escape
        wait more below
        wait view models      6
        key enter
        wait opened from: list
        key 2
        wait Search:
        wait view models      6
        key shift-tab
        wait more below
        """, ["--stage", stage.rawValue])
      #expect(result.status == 0, "\(result.errors)")
    }

    @Test(
      "a sheet asks for a quantity: its result is set, and Escape, a tab and a second key set none",
      arguments: MigrationStage.allCases)
    func sheet(stage: MigrationStage) throws {
      let next: MigrationStage = stage == .stream ? .closure : .stream
      let result = try DemoRun(
        """
        wait more below
        key +
        wait Cart (1)
        key 3
        wait Total
        gone pending
        key n 2
        wait Quantity of
        type x12
        key backspace
        key backspace
        key enter
        type 3
        wait New quantity: 3
        key enter
        wait Cart (3)
        gone pending
        key n
        wait Quantity of
        type 9
        key escape
        wait Total
        key n
        wait New quantity: ▏
        type 2
        stage \(next)
        wait New quantity: 2
        wait Cart (3)
        key enter
        wait Cart (2)
        gone pending
        wait Total
        key n
        wait Quantity of
        key tab
        wait Recommended
        key shift-tab
        wait Total
        wait Cart (2)
        """, ["--stage", stage.rawValue])
      #expect(result.status == 0, "\(result.errors)")
    }
  }
#endif
