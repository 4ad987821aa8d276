import AsyncViewModels
import AsyncViewModelsTesting
import ToolkitTestSupport

/// Feeds a line of input to a sequence on virtual time, and records what the sequence emits and when.
///
/// Each character of the input is one tick of 100 ms: a letter is an element, `|` the end, `!` a failure, and
/// `-` nothing. The output has the form `["b@3", "|@5"]`. Do not send an element in a tick in which the timer
/// is due: the order of the element and the timer is undefined.
struct Diagram {
  static let tick = Duration.milliseconds(100)

  let clock = VirtualClock()
  let source = ManualSource<Character>()

  /// Returns the output. Time advances only after all output that is expected so far has arrived.
  func output<Output: AsyncSequence & Sendable>(
    of input: String, expecting expected: [String], through output: Output
  ) async throws -> [String] where Output.Element == Character {
    let recorder = StateRecorder(annotate(output))
    await source.waitForReader()
    for (tick, event) in input.enumerated() {
      if tick > 0 { clock.advance(by: Self.tick) }
      switch event {
      case "-": break
      case "|": source.finish()
      case "!": source.fail()
      default: await source.send(event)
      }
      try await recorder.waitForStates(expected.count { Self.tick(of: $0) <= tick })
    }
    return try await recorder.waitForEnd()
  }

  private func annotate<Output: AsyncSequence & Sendable>(
    _ output: Output
  ) -> AsyncStream<String> where Output.Element == Character {
    let (stream, notes) = AsyncStream.makeStream(of: String.self)
    let note: @Sendable (Character) -> Void = { [clock] in
      notes.yield("\($0)@\(Int(clock.now.offset / Self.tick))")
    }
    let task = Task {
      do {
        for try await element in output { note(element) }
        note("|")
      } catch {
        note("!")
      }
      notes.finish()
    }
    notes.onTermination = { _ in task.cancel() }
    return stream
  }

  private static func tick(of note: String) -> Int {
    note.split(separator: "@").last.flatMap { Int($0) } ?? 0
  }
}
