package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that the command line names, read before the program starts its work.
package enum InputFile {
  /// - Throws: ``UsageError/unreadable(path:reason:)``.
  package static func read(_ path: String) throws(UsageError) -> Data {
    do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      throw .unreadable(path: path, reason: error.localizedDescription)
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
      throw .unwritable(path: path, reason: error.localizedDescription)
    }
  }

  /// - Throws: ``UsageError/unwritable(path:reason:)``.
  package func write(_ text: String) throws(UsageError) { try write(Data(text.utf8)) }
}
