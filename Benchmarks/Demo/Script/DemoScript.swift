import Foundation
import StorefrontTesting

/// A script of the demo: one command on each line.
struct DemoScript: Equatable {
  enum Command: Equatable {
    case size(TerminalSize)
    case key(Key, count: Int)
    case type(String)
    case paste(String)
    case wait(String)
    case gone(String)
    case stage(MigrationStage)
    case fault(DemoFault)
    case frame(String)
    case hold(Double)
  }

  struct Line: Equatable {
    /// The number of the line, from 1.
    let number: Int
    let command: Command
  }

  let file: String
  private(set) var lines: [Line] = []

  /// Reads a script.
  ///
  /// - Parameter file: The name of the file, for errors.
  /// - Throws: ``DemoScriptError``, which names the file, the line and the word.
  init(_ text: String, file: String) throws(DemoScriptError) {
    self.file = file
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.drop(while: \.isWhitespace)
      guard !line.isEmpty, line.first != "#" else { continue }
      do throws(DemoScriptError.Problem) {
        lines.append(Line(number: index + 1, command: try Command(line)))
      } catch {
        throw DemoScriptError(file: file, line: index + 1, problem: error)
      }
    }
  }
}

extension DemoScript.Command {
  fileprivate init(_ line: Substring) throws(DemoScriptError.Problem) {
    let word = line.prefix { !$0.isWhitespace }
    let rest = String(line.dropFirst(word.count)).trimmingCharacters(in: .whitespaces)
    switch word {
    case "size": self = .size(try Self.parse(rest, "a size such as 80x24") { TerminalSize($0[...]) })
    case "key": self = try Self.key(rest)
    case "type": self = .type(try Self.parse(rest, "a text") { $0 })
    case "paste": self = .paste(try Self.parse(rest, "a text") { $0 })
    case "wait": self = .wait(try Self.parse(rest, "a text") { $0 })
    case "gone": self = .gone(try Self.parse(rest, "a text") { $0 })
    case "stage": self = .stage(try Self.parse(rest, "closure, stream or async", MigrationStage.init))
    case "fault":
      let names = DemoFault.allCases.map(\.rawValue).joined(separator: ", ")
      self = .fault(try Self.parse(rest, "one of \(names)", DemoFault.init))
    case "frame": self = .frame(try Self.parse(rest, "a name") { $0 })
    case "hold":
      self = .hold(
        try Self.parse(rest, "a number of seconds up to 60") { text in
          Double(text).flatMap { (0...60).contains($0) ? $0 : nil }
        })
    default: throw .unknownCommand(String(word))
    }
  }

  private static func key(_ text: String) throws(DemoScriptError.Problem) -> Self {
    let words = text.split(separator: " ")
    let key = try parse(words.first.map(String.init) ?? "", "the name of a key", Key.init(named:))
    guard words.count > 1 else { return .key(key, count: 1) }
    let rest = words.dropFirst().joined(separator: " ")
    return .key(
      key,
      count: try parse(rest, "a number from 1 to 1000") { text in
        Int(text).flatMap { (1...1_000).contains($0) ? $0 : nil }
      })
  }

  private static func parse<Value>(
    _ text: String, _ expected: String, _ parse: (String) -> Value?
  ) throws(DemoScriptError.Problem) -> Value {
    guard !text.isEmpty else { throw .missing(expected) }
    guard let value = parse(text) else { throw .invalid(text, expected: expected) }
    return value
  }
}

/// Why a script cannot be read.
struct DemoScriptError: Error, Equatable {
  enum Problem: Error, Equatable {
    case unknownCommand(String)
    case missing(String)
    case invalid(String, expected: String)
  }

  let file: String
  let line: Int
  let problem: Problem
}

extension DemoScriptError: CustomStringConvertible {
  var description: String {
    let reason =
      switch problem {
      case .unknownCommand(let word): "unknown command '\(word)'"
      case .missing(let expected): "expected \(expected), found the end of the line"
      case .invalid(let text, let expected): "expected \(expected), found '\(text)'"
      }
    return "\(file):\(line): \(reason)"
  }
}
