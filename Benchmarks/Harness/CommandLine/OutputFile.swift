import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file to which results will be written at the end of a run, and of which one wants to know at the beginning that
/// it can be.
struct OutputFile: Sendable {
  let path: String

  /// Tries whether the file can be written, and leaves it as it was.
  /// - Throws: ``UsageError/unwritable(path:reason:)``.
  init(path: String) throws(UsageError) {
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
  func write(_ data: Data) throws(UsageError) {
    do { try data.write(to: URL(fileURLWithPath: path)) } catch {
      throw .unwritable(path: path, reason: error.localizedDescription)
    }
  }
}
