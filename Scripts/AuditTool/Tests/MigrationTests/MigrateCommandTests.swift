import Foundation
import Testing

@Suite("the command migrate", .timeLimit(.minutes(5)))
struct MigrateCommandTests {
  /// Runs the built tool, which stands beside the bundle of the tests, on a folder with some files.
  private func migrate(
    _ arguments: [String], _ files: [String: Data]
  ) throws -> (code: Int32, error: String, files: [String: Data]) {
    let bundle = try #require(CommandLine.arguments.first { $0.contains(".xctest") })
    let tool = URL(filePath: String(bundle.prefix(upTo: bundle.range(of: ".xctest")!.lowerBound)))
      .deletingLastPathComponent().appending(path: "migrate")
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, data) in files { try data.write(to: folder.appending(path: name)) }
    let process = Process(), error = Pipe()
    process.executableURL = tool
    process.currentDirectoryURL = folder
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = error
    try process.run()
    let message = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let after = try files.keys.map { ($0, try Data(contentsOf: folder.appending(path: $0))) }
    return (process.terminationStatus, message, Dictionary(uniqueKeysWithValues: after))
  }

  private let model = Data("final class CartViewModel {\n  private var count = 0\n}\n".utf8)

  @Test("a file that cannot be read is skipped, and the others are changed")
  func skipped() throws {
    let files = [
      "a.swift": model,
      "broken.swift": Data("final class ListViewModel {\n  private var items: [Int] =\n}\n".utf8),
      "data.swift": Data("let data = \"\(String(repeating: "a", count: 1_000_001))\"".utf8),
      "latin.swift": Data([0x2F, 0x2F, 0xE4, 0x0A]),
    ]
    let result = try migrate(["state-struct", ".", "--write"], files)
    #expect(result.code == 1)
    #expect(
      result.error == """
        skipped: ./data.swift: it is larger than 1 MB
        skipped: ./latin.swift: not UTF-8
        skipped: ./broken.swift:2:29: a syntax error, so the file stays as it is
        refused: ListViewModel: ./broken.swift has syntax errors
        state-struct: changed CartViewModel; 1 refused, 0 to decide, 3 files skipped

        """)
    #expect(result.files.filter { $0.value != files[$0.key] }.keys.sorted() == ["a.swift"])
  }

  @Test(
    "a named type that is in no file is bad usage, and a named type that the step does not change is said")
  func only() throws {
    let unknown = try migrate(
      ["state-struct", "--write", "--only", "CartViewModel", "--only", "Basket", "."], ["a.swift": model])
    #expect(unknown.code == 2)
    #expect(unknown.error.hasPrefix("Error: there is no type 'Basket' in ./a.swift\n"))
    #expect(unknown.files["a.swift"] == model)
    let unconcerned = try migrate(["debounce", ".", "--only", "CartViewModel"], ["a.swift": model])
    #expect(unconcerned.code == 0)
    #expect(
      unconcerned.error == """
        ./a.swift:1:1: nothing to do: CartViewModel: debounce looks for a class with a stored
          `DispatchWorkItem`
        debounce: would change nothing; 0 refused, 0 to decide

        """)
    #expect(try migrate(["debounce", "."], [:]).code == 2)
  }
}
