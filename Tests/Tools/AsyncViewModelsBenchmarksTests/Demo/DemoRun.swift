#if os(Linux)
  import Foundation

  /// A run of the real program with a script, and so with the view models over the server.
  struct DemoRun {
    let status: Int32
    let output: String
    let errors: String

    init(_ script: String, _ arguments: [String] = []) throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let (file, output) = (folder.appending(path: "demo.script"), folder.appending(path: "output"))
      try Data(script.utf8).write(to: file)
      try Data().write(to: output)
      let (process, errors) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "Benchmarks")
      process.arguments = ["demo", "--script", file.path] + arguments
      process.standardOutput = try FileHandle(forWritingTo: output)
      process.standardError = errors
      try process.run()
      let data = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      status = process.terminationStatus
      self.output = String(decoding: try Data(contentsOf: output), as: UTF8.self)
      self.errors = String(decoding: data, as: UTF8.self)
    }
  }
#endif
