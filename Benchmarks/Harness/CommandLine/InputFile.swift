import Foundation

/// A file that somebody names on the command line, read before anything is measured.
enum InputFile {
  /// - Throws: ``UsageError/unreadable(path:reason:)``.
  static func read(_ path: String) throws(UsageError) -> Data {
    do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      throw .unreadable(path: path, reason: error.localizedDescription)
    }
  }

  /// The results of an earlier run.
  /// - Throws: ``UsageError/unreadable(path:reason:)``.
  static func report(_ path: String) throws(UsageError) -> Report {
    let data = try read(path)
    do { return try Report(json: data) } catch {
      throw .unreadable(path: path, reason: "no results of this version's --json: \(error)")
    }
  }
}
