import Foundation

/// Calls the toolkit's inlinable operations from optimized async functions of another package.
///
///     swift run -c release --package-path Tests/Client StressClient [NAME ...]
///
/// The compiler inlines these operations into the functions that call them. After an `await`, such a function can continue on
/// another thread. So each program calls an operation, suspends while other tasks keep the threads busy, and calls it again.
/// The output names a program before it starts: the last name belongs to the program that crashed, or that hung for a minute.
@main
enum Main {
  private static let programs =
    states + readers + events + callbacks + observers + parallel + timing + deadlines

  static func main() async {
    let names = CommandLine.arguments.dropFirst()
    let chosen = programs.filter { names.isEmpty || names.contains($0.name) }
    guard !chosen.isEmpty else { end("there is no program \(names.joined(separator: ", "))") }
    for round in 1...3 {
      for tasksPerCore in [2, 8] {
        for program in chosen {
          write("round \(round), \(tasksPerCore) tasks per core: \(program.name)\n")
          alarm(60)
          do { try await program.run(Load(tasksPerCore: tasksPerCore)) } catch { end("\(error)") }
        }
      }
    }
  }

  /// Writes without the buffer of `print`, which a crash would lose.
  private static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

  private static func end(_ reason: String) -> Never {
    write("error: \(reason)\n")
    exit(1)
  }
}

/// A program that puts one part of the toolkit under load.
struct StressProgram: Sendable {
  let name: String
  let run: @Sendable (Load) async throws -> Void

  init(_ name: String, _ run: @escaping @Sendable (Load) async throws -> Void) {
    self.name = name
    self.run = run
  }
}
