import Foundation

/// The operations of a file system that a store uses. A test makes them fail.
///
/// A store calls these methods on its serial queue, one at a time. They may block.
package protocol StorageFileSystem: Sendable {
  /// Creates the file if it does not exist, and locks it for one writer.
  ///
  /// - Returns: A descriptor that holds the lock until it is closed or its process ends, or `nil`
  ///   if another descriptor holds the lock, in any process.
  func lock(_ path: String) throws(SystemCallError) -> Int32?

  func names(in folder: String) throws(SystemCallError) -> [String]

  /// Returns the bytes of a file, if it exists. Follows symbolic links.
  ///
  /// - Throws: ``SystemCallError/notRegularFile`` for a folder, a pipe, a socket or a device.
  func contents(of path: String) throws(SystemCallError) -> [UInt8]?

  /// Creates a file for writing. Fails if the file exists.
  func create(_ path: String) throws(SystemCallError) -> Int32

  func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemCallError)

  /// Returns when the bytes of the file are on the disk.
  func sync(_ descriptor: Int32) throws(SystemCallError)

  func close(_ descriptor: Int32)

  /// Renames a file, in place of a file with the new name, in one step.
  func rename(_ path: String, to newPath: String) throws(SystemCallError)

  /// Gives a file a second name. Fails if the name exists.
  func link(_ path: String, to newPath: String) throws(SystemCallError)

  func remove(_ path: String) throws(SystemCallError)

  /// Returns when the names in the folder are on the disk.
  func syncFolder(_ path: String) throws(SystemCallError)
}

/// The value of `errno` after a failed system call.
package struct SystemCallError: Error, Equatable, Sendable {
  package let code: Int32

  package init(code: Int32) {
    self.code = code
  }

  /// The name is no regular file: `EFTYPE` of Darwin. No file operation on Linux has this code.
  package static let notRegularFile = SystemCallError(code: 79)

  /// Whether the file system lacks the operation, so that a weaker one has to do.
  package var meansUnsupported: Bool { [ENOTSUP, EINVAL, ENOTTY].contains(code) }
}
