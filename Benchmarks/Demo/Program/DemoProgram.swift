import AsyncViewModelsCommandLine
import Foundation

/// The `demo` command.
@MainActor
enum DemoProgram {
  /// - Returns: The exit code.
  static func run(_ arguments: [String]) async -> Int32 {
    do {
      try requireStandardOutput()
      let options = try DemoOptions(arguments)
      if options.isHelp {
        try writeToStandardOutput(DemoOptions.usage)
      } else if let script = options.script {
        try await run(script, options)
      } else {
        try await show(options)
      }
      return ExitCode.success
    } catch {
      return ExitCode.explaining(error, usage: DemoOptions.usage)
    }
  }

  /// Runs the demo in the terminal until the user quits it.
  private static func show(_ options: DemoOptions) async throws {
    let catalog = try ServerProgram.catalog(at: options.catalog)
    let terminal = try Terminal()
    defer { terminal.leave() }
    let app = try DemoApp(stage: options.stage, size: terminal.size, catalog: catalog)
    let loop = FrameLoop(app, sink: terminal)
    defer { loop.stop() }
    await withCheckedContinuation { (quit: CheckedContinuation<Void, Never>) in
      var waiting: CheckedContinuation<Void, Never>? = quit
      terminal.listen { key in
        app.handle(key)
        if app.hasQuit { waiting.take()?.resume() }
      } onEnd: {
        waiting.take()?.resume()
      } onResize: {
        app.size = terminal.size
      }
    }
  }

  private static func run(_ path: String, _ options: DemoOptions) async throws {
    let text = String(decoding: try InputFile.read(path), as: UTF8.self)
    let script: DemoScript
    do { script = try DemoScript(text, file: path) } catch {
      throw UsageError.invalidFile(reason: "\(error)")
    }
    let recording = try options.recording.map { path in try OutputFile(path: path) }
    let app = try DemoApp(
      stage: options.stage, size: .smallest, catalog: try ServerProgram.catalog(at: options.catalog))
    let runner = ScriptRunner(app, records: recording != nil)
    let loop = FrameLoop(app, sink: runner)
    defer { loop.stop() }
    try await runner.run(script, print: writeToStandardOutput)
    if let svg = runner.recording?.svg { try recording?.write(svg) }
  }
}
