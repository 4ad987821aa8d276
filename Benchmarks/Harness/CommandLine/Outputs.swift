import Foundation

/// The files that a run will write, each of which is known to be writable before anything is measured.
struct Outputs: Sendable {
  private let json: OutputFile?
  private let markdown: OutputFile?
  private let html: OutputFile?
  private let readme: (file: OutputFile, text: String)?

  /// - Throws: ``UsageError``, which names the file that cannot be written, or has no markers.
  init(_ options: Options) throws(UsageError) {
    json = try Self.file(options.json)
    markdown = try Self.file(options.markdown)
    html = try Self.file(options.html)
    readme = try Self.page(options.readme)
  }

  /// - Throws: ``UsageError/unwritable(path:reason:)``, and what the encoder throws.
  func write(_ report: Report) throws {
    try json?.write(report.json())
    try markdown?.write(Data(report.markdown().utf8))
    try html?.write(Data(report.html().utf8))
    if let readme, let page = MarkedSection.performance.page(readme.text, with: report.readmeSection()) {
      try readme.file.write(Data(page.utf8))
    }
  }

  private static func file(_ path: String?) throws(UsageError) -> OutputFile? {
    guard let path else { return nil }
    return try OutputFile(path: path)
  }

  private static func page(_ path: String?) throws(UsageError) -> (file: OutputFile, text: String)? {
    guard let path else { return nil }
    let text = String(decoding: try InputFile.read(path), as: UTF8.self)
    guard MarkedSection.performance.contents(of: text) != nil else {
      throw .unmarked(path: path, marker: MarkedSection.performance.begin)
    }
    return (try OutputFile(path: path), text)
  }
}
