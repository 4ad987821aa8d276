import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsCommandLine
import StorefrontTesting

/// What the command line of `demo` asks for.
struct DemoOptions: Equatable {
  static let command = "demo"

  private(set) var isHelp = false
  private(set) var stage = MigrationStage.async
  /// The file of the script to run instead of reading keys.
  private(set) var script: String?
  /// The file for the recording of the script.
  private(set) var recording: String?
  /// The file with the products of the server.
  private(set) var catalog: String?

  /// - Parameter arguments: The arguments without the command.
  /// - Throws: ``AsyncViewModelsCommandLine/UsageError``, which names the argument.
  init(_ arguments: [String]) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    while let flag = try reader.nextFlag() {
      switch flag {
      case "--stage": stage = try reader.value("closure, stream or async", MigrationStage.init)
      case "--script": script = try reader.value()
      case "--record": recording = try reader.value()
      case ServerProgram.catalogFlag: catalog = try reader.value()
      case "--help", "-h": isHelp = true
      default: throw .unknownFlag(flag)
      }
    }
    if recording != nil, script == nil { throw .missingFlag("--script", for: "--record") }
  }

  static let usage = """
    USAGE: swift run -c release Benchmarks demo [OPTIONS]

    Shows a storefront in the terminal: a list, search as you type, a cart, a dashboard, a product, a profile and posts. The
    view models of one stage drive it over a server in this process. The panel beside the screen counts what is alive: view
    models, and the streams, observers and tasks of the screens, without the tasks that a view model starts for its own
    requests. It also counts the states that the search has drawn, and the frames that were late, of this stage and of the
    stage before it. The terminal needs 80 columns and 24 rows.

    See a gain in 20 seconds: start with --stage closure, go to the search with 2, press Ctrl-O and type. Only the second
    screen follows. Press Ctrl-D and paste a text: the screen draws each old state, and freezes. Ctrl-S, and try again.

    OPTIONS:
      --stage STAGE     start with the stage closure, stream or async (default: async)
      --catalog FILE    serve the products in FILE instead of the seeded catalog
      --script FILE     run the commands in FILE, without a terminal
      --record FILE     write what the script shows to FILE, as an animated SVG
      --help            print this help and exit

    KEYS:
      Tab, Shift-Tab    the next and the previous screen; also 1 to 6, except in a text field
      arrows, Page Up, Page Down, Home, End
                        move
      Enter             open, add to the cart, save
      Ctrl-S            the next stage: the old view models are released, the new ones load
      Ctrl-F            the next fault: \(DemoFault.allCases.map(\.rawValue).joined(separator: ", "))
      Ctrl-R            load the screen again
      Ctrl-O            in the search: open or close a second screen that observes the same view model
      Ctrl-D            in the search: take \(SessionOutput.slowDrawing) ms to draw each state, or not
      Ctrl-P            change the price and the stock of a product on the server
      Ctrl-C            quit; also q, except in a text field

    SCRIPT, one command on each line, # for a comment:
      size 80x24        the size of the screen, also for the next frames
      key NAME [COUNT]  a key: enter, tab, shift-tab, up, page-down, escape, delete, ctrl-s, 7
      type TEXT         one key for each character, each after the frame of the last one
      paste TEXT        one key for each character, all at once
      wait TEXT         wait until the screen shows TEXT, at most 30 seconds
      gone TEXT         wait until the screen does not show TEXT
      stage STAGE       switch to the stage closure, stream or async
      fault NAME        turn a fault on, or all off with none
      frame NAME        print the screen under this name
      hold SECONDS      the time for which the recording shows this screen

    Exit codes: 0 the user or the script quit · 1 a command of the script failed · 2 bad usage, or no terminal ·
    130 Ctrl-C.
    """
}
