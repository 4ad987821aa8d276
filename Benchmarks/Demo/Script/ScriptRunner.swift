import AsyncViewModels
import AsyncViewModelsCommandLine

/// Runs a script: sends its keys to the app, and looks at the frames that the frame loop shows.
///
/// The runner never waits for a time. Each command begins when the frame loop has shown what the
/// commands before it changed.
@MainActor
final class ScriptRunner {
  private let app: DemoApp
  private(set) var recording: DemoRecording?
  /// The frame that is shown, and the number of frames so far.
  private let frames = StateStore<ScreenGrid?>(nil)

  private static let limit = Duration.seconds(30)

  /// - Parameter records: Whether to record the frames.
  init(_ app: DemoApp, records: Bool) {
    self.app = app
    recording = records ? DemoRecording() : nil
  }

  /// Runs all commands, until one quits the demo.
  ///
  /// - Parameter print: Receives the text of each named frame.
  /// - Throws: ``ScriptFailure``, or an error of `print`.
  func run(_ script: DemoScript, print: (String) throws -> Void) async throws {
    for line in script.lines where !app.hasQuit {
      await settle()
      do throws(Missing) {
        try await run(line.command)
      } catch {
        throw ScriptFailure(
          file: script.file, line: line.number, command: line.command, screen: frames.value?.text ?? [])
      }
      if case .frame(let name) = line.command {
        try print("== \(name)\n" + (frames.value?.text.joined(separator: "\n") ?? ""))
      }
    }
    await settle()
  }

  /// The screen does not show what a command waits for.
  private struct Missing: Error {}

  private func run(_ command: DemoScript.Command) async throws(Missing) {
    switch command {
    case .size(let size): app.size = size
    case .key(let key, let count): for _ in 0..<count where !app.hasQuit { app.handle(key) }
    case .type(let text):
      for character in text {
        app.handle(.character(character))
        await settle()
      }
    case .paste(let text): for character in text { app.handle(.character(character)) }
    case .wait(let text): try await wait { $0.shows(text) }
    case .gone(let text): try await wait { !$0.shows(text) }
    case .stage(let stage): app.setStage(stage)
    case .fault(let fault): app.setFault(fault)
    case .frame: break
    case .hold(let seconds): recording?.hold(.seconds(seconds))
    }
  }

  /// Waits until everything that has changed is shown.
  private func settle() async {
    let isSettled: @MainActor (ScreenGrid?) -> Bool = { [app] _ in !app.needsFrame }
    for await frame in frames.states() where isSettled(frame) { return }
  }

  private func wait(until condition: @escaping @Sendable (ScreenGrid) -> Bool) async throws(Missing) {
    let found = try? await withDeadline(Self.limit) { [frames] in
      try await frames.first { $0.map(condition) == true }
    }
    if found == nil { throw Missing() }
  }
}

extension ScriptRunner: FrameSink {
  func show(_ frame: ScreenGrid, completion: @escaping @Sendable (ContinuousClock.Instant) -> Void) {
    recording?.append(frame)
    frames.send(frame)
    completion(.now)
  }
}

extension ScreenGrid {
  fileprivate func shows(_ text: String) -> Bool { self.text.contains { $0.contains(text) } }
}

/// A command of a script whose condition was not met in time.
struct ScriptFailure: Error {
  let file: String
  let line: Int
  let command: DemoScript.Command
  /// The last frame.
  let screen: [String]
}

extension ScriptFailure: CustomStringConvertible {
  var description: String {
    let reason =
      switch command {
      case .wait(let text): "'\(text)' was not shown within 30 seconds"
      case .gone(let text): "'\(text)' was still shown after 30 seconds"
      default: "the command failed"
      }
    return "\(file):\(line): \(reason). The screen:\n\(screen.joined(separator: "\n"))"
  }
}
