import Foundation
import StorefrontLoopbackServer
import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite(.timeLimit(.minutes(1)))
struct OutputFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  @Test("trying a file neither makes it nor changes it; writing replaces it")
  func writing() throws {
    let path = folder.appending(path: "out.json").path
    let file = try OutputFile(path: path)
    #expect(!FileManager.default.fileExists(atPath: path))
    try file.write(Data("long ago".utf8))
    _ = try OutputFile(path: path)
    #expect(FileManager.default.contents(atPath: path) == Data("long ago".utf8))
    try file.write(Data("new".utf8))
    #expect(FileManager.default.contents(atPath: path) == Data("new".utf8))
    try FileManager.default.removeItem(at: folder)
  }

  @Test("a folder, and a file in a folder that is not there, are refused by name before anything is measured")
  func refusals() throws {
    for path in [folder.path, folder.appending(path: "none/out.json").path] {
      #expect {
        try OutputFile(path: path)
      } throws: { error in
        guard case UsageError.unwritable(path, let reason) = error else { return false }
        return !reason.isEmpty
      }
    }
    try FileManager.default.removeItem(at: folder)
  }
}
