import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import Foundation
import SimulatedQueues
import Testing

/// The table of the page WhatASimulationControls. A world with only the hooks of Apple's runtime runs on Linux, too, so each row
/// is checked for both platforms.
@Suite("Simulation: what it controls", .timeLimit(.minutes(5)), .endsWaits)
struct ControlTableTests {
  @Test("each row of the table has a program, and each program a row")
  func rows() throws {
    let rows = try Self.table().map(\.code)
    #expect(rows == ControlledProgram.all.map(\.code))
  }

  #if !canImport(Darwin)
    @Test("the table is right for Linux", arguments: ControlledProgram.all)
    func linux(program: ControlledProgram) async throws {
      try await check(program, hooks: .linux, says: \.linux)
    }
  #endif

  @Test("the table is right for Apple platforms", arguments: ControlledProgram.all)
  func apple(program: ControlledProgram) async throws {
    try await check(program, hooks: .apple, says: \.apple)
  }

  private func check(
    _ program: ControlledProgram, hooks: RuntimeHooks, says column: KeyPath<Row, String>
  ) async throws {
    let row = try #require(try Self.table().first { $0.code == program.code })
    let expected = row[keyPath: column]
    let first = await program.outcome(with: hooks)
    #expect(first.word == expected, "\(first)")
    switch first {
    case .controlled(let orders):
      // The same seeds lead to the same runs.
      #expect(await program.outcome(with: hooks) == .controlled(orders))
    case .refused(let text): #expect(text.contains(hooks == .apple ? "Linux" : program.name), "\(text)")
    case .real: break
    }
  }

  struct Row {
    let code: String
    let linux: String
    let apple: String
  }

  /// The first table of the page.
  private static func table() throws -> [Row] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let page = root.appending(
      path: "Repository/Sources/AsyncViewModelsSimulation/AsyncViewModelsSimulation.docc/"
        + "WhatASimulationControls.md")
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    let table = lines.drop { !$0.hasPrefix("| ---") }.dropFirst().prefix { $0.hasPrefix("|") }
    return try table.map { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      try #require(cells.count == 3, "\(line)")
      return Row(code: cells[0], linux: cells[1], apple: cells[2])
    }
  }
}

extension ControlledProgram: CustomTestStringConvertible {
  var testDescription: String { code }
}
