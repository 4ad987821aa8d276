import AsyncViewModelsSimulation
import Foundation
import Synchronization
import Testing

/// Checks the faults of networks and disks, which the seed chooses.
@Suite("Simulation: faults of networks and disks", .timeLimit(.minutes(5)))
struct FaultyBytesTests {
  @Test("over many seeds, every outcome of an HTTP request occurs: the unchanged answer and each fault")
  func answers() async throws {
    #expect(
      try await outcomes(of: Fault.answer.outcome) == [
        "unchanged", "429", "500", "503", "lost", "timed out", "cut short", "not JSON",
      ])
  }

  @Test("an answer without a body cannot be truncated, but another fault can give it a body")
  func emptyAnswers() async throws {
    let seen = try await outcomes { world in
      guard let (status, body) = try? world.faults.response(Data(), status: 204) else { return "none" }
      return "\(status) \(body.isEmpty)"
    }
    #expect(seen == ["204 true", "204 false", "429 true", "500 true", "503 true", "none"])
  }

  @Test("a file is read completely, partly, as empty data, or not at all")
  func reading() async throws {
    #expect(try await outcomes(of: Fault.read.outcome) == ["unchanged", "no file", "nothing", "cut short"])
  }

  @Test("reading a missing file always throws the error for a missing file")
  func readingNothing() async throws {
    let seen = try await outcomes { world in
      do throws(CocoaError) { return "\(try world.faults.read(nil))" } catch {
        return "\(error.code == .fileReadNoSuchFile)"
      }
    }
    #expect(seen == ["true"])
  }

  @Test("a write succeeds, or throws and leaves the old content or a part of the new content")
  func writing() async throws {
    #expect(try await outcomes(of: Fault.write.outcome) == ["unchanged", "out of space", "torn"])
  }

  @Test("a write of empty data succeeds, or throws and leaves the old content or an empty file")
  func writingNothing() async throws {
    let seen = try await outcomes { world in
      var file: Data? = Fault.body
      let threw = (try? world.faults.write(Data(), to: &file)) == nil
      return "\(threw) \(file?.count ?? -1)"
    }
    #expect(seen == ["false 0", "true 0", "true \(Fault.body.count)"])
  }

  @Test("a replay of the empty path injects no fault", arguments: Fault.allCases)
  func firstChoice(fault: Fault) async throws {
    let empty = try #require(SimulationPath("path:"))
    let seen = Mutex<[String]>([])
    try await simulate(replaying: empty) { world in seen.withLock { $0.append(fault.outcome(in: world)) } }
    #expect(Set(seen.withLock { $0 }) == ["unchanged"])
  }

  @Test("two simulations with the same seeds produce the same faults", arguments: Fault.allCases)
  func sameAgain(fault: Fault) async throws {
    var runs: [[String]] = []
    for _ in 1...2 {
      let run = Mutex<[String]>([])
      try await simulate(seeds: 1...200) { world in run.withLock { $0.append(fault.outcome(in: world)) } }
      runs.append(run.withLock { $0 })
    }
    #expect(runs[0] == runs[1])
  }

  @Test("a failing run is reduced to the one fault that matters, and its timeline names the fault")
  func reduced() async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...500) { world in
        for _ in 1...3 where Fault.answer.outcome(in: world) == "429" { world.fail("too many requests") }
        _ = Fault.read.outcome(in: world)
      }
    }
    let faults = failure.timeline.filter { $0.contains("is answered") || $0.contains("reads") }
    #expect(faults.count == 1 && faults[0].contains("is answered with 429"), "\(failure)")
  }

  private func outcomes(of draw: @escaping @Sendable (SimulatedWorld) -> String) async throws -> Set<String> {
    let seen = Mutex<Set<String>>([])
    try await simulate(seeds: 1...500) { world in _ = seen.withLock { $0.insert(draw(world)) } }
    return seen.withLock { $0 }
  }
}

/// A kind of fault, with a short name for its outcome.
enum Fault: CaseIterable, Sendable {
  case answer, read, write

  static let body = Data(#"{"items":[1,2,3]}"#.utf8)

  @Sendable func outcome(in world: SimulatedWorld) -> String {
    switch self {
    case .answer: Self.answer(world)
    case .read: Self.read(world)
    case .write: Self.write(world)
    }
  }

  private static func answer(_ world: SimulatedWorld) -> String {
    do throws(URLError) {
      let (status, body) = try world.faults.response(body)
      guard status == 200 else { return body.isEmpty ? "\(status)" : "\(status) with a body" }
      return comparison(of: body, otherwise: "not JSON")
    } catch {
      return [.networkConnectionLost: "lost", .timedOut: "timed out"][error.code] ?? "\(error)"
    }
  }

  private static func read(_ world: SimulatedWorld) -> String {
    do throws(CocoaError) {
      let bytes = try world.faults.read(body)
      return bytes.isEmpty ? "nothing" : comparison(of: bytes, otherwise: "other bytes")
    } catch {
      return error.code == .fileReadNoSuchFile ? "no file" : "\(error)"
    }
  }

  private static func write(_ world: SimulatedWorld) -> String {
    let old = Data("old content".utf8)
    var file: Data? = old
    do throws(CocoaError) {
      try world.faults.write(body, to: &file)
      return comparison(of: file ?? old, otherwise: "other bytes")
    } catch {
      guard error.code == .fileWriteOutOfSpace, let file else { return "\(error)" }
      if file == old { return "out of space" }
      return comparison(of: file, otherwise: "other bytes") == "cut short" ? "torn" : "other bytes"
    }
  }

  private static func comparison(of bytes: Data, otherwise: String) -> String {
    if bytes == body { return "unchanged" }
    return body.starts(with: bytes) ? "cut short" : otherwise
  }
}
