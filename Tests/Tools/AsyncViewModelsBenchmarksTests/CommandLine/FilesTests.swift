import AsyncViewModelsCommandLine
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FilesTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  @Test("creating an OutputFile neither creates nor changes the file, and a write replaces the file")
  func writing() throws {
    let path = folder.appending(path: "out.json").path
    let file = try OutputFile(path: path)
    #expect(!FileManager.default.fileExists(atPath: path))
    try file.write("old")
    _ = try OutputFile(path: path)
    #expect(try InputFile.read(path) == Data("old".utf8))
    try file.write("new")
    #expect(try InputFile.read(path) == Data("new".utf8))
    try FileManager.default.removeItem(at: folder)
  }

  @Test("two outputs that name the same file are an error, even if their paths are spelled differently")
  func sameFile() throws {
    let path = folder.appending(path: "out.json").path
    let link = folder.appending(path: "link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
    let other = "\(link)/../\(folder.lastPathComponent)/./out.json"
    for isWritten in [false, true] {
      if isWritten { try OutputFile(path: path).write("old") }
      for same in [path, "\(link)/out.json", other] {
        #expect(throws: UsageError.sameFile(flag: "--json", other: "--html", path: same)) {
          try OutputFile.requireDifferent([("--json", path), ("--markdown", nil), ("--html", same)])
        }
      }
    }
    try OutputFile.requireDifferent([("--json", path), ("--html", path + "x"), ("--a", nil), ("--b", nil)])
    try FileManager.default.removeItem(at: folder)
  }

  @Test("the error for reading a folder says that the path is a folder")
  func readingFolder() throws {
    #expect(throws: UsageError.unreadable(path: folder.path, reason: "it is a folder")) {
      try InputFile.read(folder.path)
    }
    try FileManager.default.removeItem(at: folder)
  }

  @Test("the error for a missing file contains the reason of the system in plain words")
  func missingFile() throws {
    let path = folder.appending(path: "none").path
    #expect(throws: UsageError.unreadable(path: path, reason: "No such file or directory")) {
      try InputFile.read(path)
    }
    try FileManager.default.removeItem(at: folder)
  }

  @Test("an error names a file that cannot be written or read")
  func refusals() throws {
    for path in [folder.path, folder.appending(path: "none/out.json").path] {
      #expect {
        try OutputFile(path: path)
      } throws: { error in
        guard case UsageError.unwritable(path, let reason) = error else { return false }
        return !reason.isEmpty
      }
      #expect {
        try InputFile.read(path)
      } throws: { error in
        guard case UsageError.unreadable(path, let reason) = error else { return false }
        return !reason.isEmpty
      }
    }
    try FileManager.default.removeItem(at: folder)
  }
}
