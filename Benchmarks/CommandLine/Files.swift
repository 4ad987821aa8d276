package import Foundation

/// A file that the command line names, read before the program starts its work.
package enum InputFile {
  /// - Throws: ``UsageError/unreadable(path:reason:)``.
  package static func read(_ path: String) throws(UsageError) -> Data {
    var isFolder: ObjCBool = false
    if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw .unreadable(path: path, reason: "it is a folder")
    }
    guard unsafe access(path, R_OK) == 0 else {
      throw .unreadable(path: path, reason: unsafe String(cString: unsafe strerror(errno)))
    }
    do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      throw .unreadable(path: path, reason: systemReason(of: error))
    }
  }
}

/// A file for the results of a run. A program creates the `OutputFile` before it starts its work, to fail early.
package struct OutputFile: Sendable {
  private let path: String

  /// Checks that the file can be written, and leaves it unchanged.
  ///
  /// - Throws: ``UsageError/unwritable(path:reason:)``.
  package init(path: String) throws(UsageError) {
    self.path = path
    let existed = FileManager.default.fileExists(atPath: path)
    let file = unsafe open(path, O_WRONLY | O_CREAT, 0o644)
    guard file >= 0 else {
      throw .unwritable(path: path, reason: unsafe String(cString: unsafe strerror(errno)))
    }
    close(file)
    if !existed { unsafe unlink(path) }
  }

  /// - Throws: ``UsageError/unwritable(path:reason:)``.
  package func write(_ data: Data) throws(UsageError) {
    do { try data.write(to: URL(fileURLWithPath: path)) } catch {
      throw .unwritable(path: path, reason: systemReason(of: error))
    }
  }

  /// - Throws: ``UsageError/unwritable(path:reason:)``.
  package func write(_ text: String) throws(UsageError) { try write(Data(text.utf8)) }

  /// Checks that no two flags name the same file, because the later output would replace the earlier one.
  ///
  /// - Parameter outputs: Each flag with its value; `nil` for a flag that the command line does not have.
  /// - Throws: ``UsageError/sameFile(flag:other:path:)``.
  package static func requireDifferent(
    _ outputs: [(flag: String, path: String?)]
  ) throws(UsageError) {
    var flags: [String: String] = [:]
    for (flag, path) in outputs {
      guard let path else { continue }
      if let other = flags.updateValue(flag, forKey: location(of: path)) {
        throw .sameFile(flag: other, other: flag, path: path)
      }
    }
  }

  /// The absolute path without symbolic links. The file itself does not have to exist.
  private static func location(of path: String) -> String {
    if let location = realPath(path) { return location }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : "./"
    return (realPath(folder) ?? folder) + "/" + (parts.last ?? "")
  }

  private static func realPath(_ path: String) -> String? {
    guard let location = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(location) }
    return unsafe String(cString: location)
  }
}
