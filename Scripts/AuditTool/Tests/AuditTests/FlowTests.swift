import SwiftParser
import SwiftSyntax
import Testing

@testable import Audit

/// Which numbers of calls of `hit()` the paths of a body can have.
private struct Counts: Equatable, CustomStringConvertible {
  var normal: Set<Int> = [], returns: Set<Int> = [], throwing: Set<Int> = []
  var description: String {
    "normal \(normal.sorted()) returns \(returns.sorted()) throws \(throwing.sorted())"
  }
}

private func counts(_ body: String) -> Counts {
  let file = SourceFile(
    path: "test.swift",
    text: """
      final class Subject {
        func test() { \(body) }
        func helper() { hit() }
        func inPlace(_ body: () -> Void) { body() }
        func later(_ body: @escaping () -> Void) { stored = body }
      }
      """)
  let project = Project([file])
  let flow = Flow<Int>(project) { event, count in
    if case .call(let call) = event, call.callee == "hit" { return min(3, count + 1) }
    return count
  }
  let function = file.all(FunctionDeclSyntax.self)[0]
  let exits = flow.run(function.body!.statements, from: 0)
  return Counts(
    normal: exits.normal, returns: Set(exits.returns.map(\.state)), throwing: Set(exits.throwing.map(\.state))
  )
}

@Suite("All paths through a body")
struct FlowTests {
  @Test(
    "each statement leads to the right ends",
    arguments: [
      ("hit(); hit()", Counts(normal: [2])),
      ("if a { hit() }", Counts(normal: [0, 1])),
      ("if a { hit() } else { hit(); hit() }", Counts(normal: [1, 2])),
      ("guard a else { return }; hit()", Counts(normal: [1], returns: [0])),
      ("guard a else { hit(); return }; hit()", Counts(normal: [1], returns: [1])),
      ("switch a { case .x: hit(); case .y: break; default: hit(); hit() }", Counts(normal: [0, 1, 2])),
      ("switch a { case .x: hit(); fallthrough; default: hit() }", Counts(normal: [1, 2])),
      ("for x in xs { hit() }", Counts(normal: [0, 1, 2, 3])),
      ("for x in xs { if x { continue }; hit(); break }", Counts(normal: [0, 1])),
      ("while true { hit(); if a { break } }", Counts(normal: [1, 2, 3])),
      ("repeat { hit() } while a", Counts(normal: [1, 2, 3])),
      ("outer: for x in xs { for y in ys { hit(); break outer } }", Counts(normal: [0, 1])),
      ("defer { hit() }; if a { return }; hit()", Counts(normal: [2], returns: [1])),
      ("do { try f(); hit() } catch { hit(); hit() }", Counts(normal: [1, 2])),
      ("do { try f(); hit() } catch is E { hit() }", Counts(normal: [1], throwing: [0])),
      ("let x = try? f(hit())", Counts(normal: [1])),
      ("try f(); hit()", Counts(normal: [1], throwing: [0])),
      ("hit(); throw e", Counts(throwing: [1])),
      ("guard a else { fatalError() }; hit()", Counts(normal: [1])),
      ("if a { lock() }; hit(); if a { unlock() }", Counts(normal: [1])),
      ("if a { hit() }; if !a { hit() }", Counts(normal: [1])),
      ("if let x { hit() }; if x == nil { hit() }", Counts(normal: [1])),
      ("a && f(hit())", Counts(normal: [0, 1])),
      ("lock.withLock { if a { return }; hit() }; hit()", Counts(normal: [1, 2])),
      ("xs.forEach { _ in hit() }", Counts(normal: [0, 1, 2, 3])),
      ("queue.async { hit() }", Counts(normal: [0])),
      ("helper(); self.helper()", Counts(normal: [2])),
      ("func finish() { hit() }; finish()", Counts(normal: [1])),
      ("inPlace { hit() }; later { hit() }", Counts(normal: [1])),
    ])
  private func paths(body: String, expected: Counts) {
    #expect(counts(body) == expected, "\(body)")
  }

  @Test("ends with equal states are kept, in the order of the text")
  func ends() {
    let file = SourceFile(
      path: "test.swift", text: "func test() { if a { return }\nif b { return }\ntry f()\nthrow e }")
    let flow = Flow<Int>(Project([file])) { _, count in count }
    let exits = flow.run(file.all(FunctionDeclSyntax.self)[0].body!.statements, from: 0)
    #expect(exits.returns.map { file.line(of: $0.node.position) } == [1, 2])
    #expect(exits.throwing.map { file.place($0.node).line } == [3, 4])
  }

  @Test("a body with too many states is incomplete, also if a function that it calls has them")
  func incomplete() {
    let branches = (0..<8).map { "if a\($0) { hit\($0)() }" }.joined(separator: "\n")
    let file = SourceFile(
      path: "test.swift",
      text: "struct Subject { func direct() { \(branches)\n rest() }\nfunc called() { direct() } }")
    let flow = Flow<[String]>(Project([file])) { event, calls in
      if case .call(let call) = event { calls + [call.name] } else { calls }
    }
    for function in file.all(FunctionDeclSyntax.self) {
      #expect(flow.run(function.body!.statements, from: []).isIncomplete)
    }
  }
}
