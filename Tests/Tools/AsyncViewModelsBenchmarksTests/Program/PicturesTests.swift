import AsyncViewModelsCommandLine
import Foundation
import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite("--pictures", .timeLimit(.minutes(5)))
struct PicturesTests {
  private let folder = URL.temporaryDirectory.appending(path: "pictures-\(UUID())")
  private let suite = BenchmarkSuite(
    groups: [1, 10].map { count in
      BenchmarkGroup(
        section: "S", title: "\(count) parts", unit: "u", reference: "a",
        point: CurvePoint("work, per part", "parts", count),
        benchmarks: [
          Benchmark("a") { iterations in
            for number in 0..<iterations { blackHole(number) }
            return iterations
          }
        ])
    }, targets: [])

  private func session(_ options: String...) throws -> Session {
    try Session(
      Options(["--quick", "--pictures", folder.path] + options), command: "", suite: suite)
  }

  @Test("a run writes a picture of each curve, and nothing before its end")
  func written() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = try session()
    let files = { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
    #expect(try files() == [])
    try session.write(await session.measure())
    #expect(try files() == ["work-per-part.svg"])
  }

  @Test("a folder that does not exist, and a picture that is also another output, are errors before the run")
  func badFolders() throws {
    #expect(throws: UsageError.self) { try session() }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["stages.svg", "work-per-part.svg"] {
      #expect {
        try session("--json", folder.appending(path: name).path)
      } throws: { error in
        guard case .sameFile(flag: "--json", other: "--pictures", _) = error as? UsageError else {
          return false
        }
        return true
      }
    }
    // A picture whose file cannot be written, although the folder can.
    try FileManager.default.createDirectory(
      at: folder.appending(path: "work-per-part.svg"), withIntermediateDirectories: false)
    #expect(throws: UsageError.self) { try session() }
  }
}
