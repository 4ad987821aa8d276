import Foundation

/// The operations of a file system that a store uses. A test replaces the file system to make operations fail.
///
/// A store calls these methods on its own serial queue, one at a time. The methods may block.
package protocol StorageFileSystem: Sendable {
  /// Creates the file if it does not exist, and locks it for one writer.
  ///
  /// - Returns: A descriptor that holds the lock until it is closed, or `nil` if another descriptor holds the lock, in this
  ///   process or in another one. The lock also ends with its process.
  func lock(_ path: String) throws(SystemCallError) -> Int32?

  /// Returns the names in a folder, in any order.
  func names(in folder: String) throws(SystemCallError) -> [String]

  /// Returns the bytes of a file, or `nil` if there is no such file. Follows symbolic links.
  ///
  /// - Throws: ``SystemCallError/notRegularFile`` at once if the name belongs to a folder, a pipe, a socket or a device.
  func contents(of path: String) throws(SystemCallError) -> [UInt8]?

  /// Creates a file for writing. Fails if the file exists.
  func create(_ path: String) throws(SystemCallError) -> Int32

  /// Appends all bytes.
  func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemCallError)

  /// Returns when the bytes of the file are on the disk.
  func sync(_ descriptor: Int32) throws(SystemCallError)

  /// Closes a descriptor of ``lock(_:)`` or ``create(_:)``.
  func close(_ descriptor: Int32)

  /// Renames a file. If the new name exists, replaces that file in one step.
  func rename(_ path: String, to newPath: String) throws(SystemCallError)

  /// Gives a file a second name. Fails if the name exists.
  func link(_ path: String, to newPath: String) throws(SystemCallError)

  /// Removes the name of a file.
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

  /// The name does not belong to a regular file. The code is `EFTYPE` of Darwin. On Linux, no operation on files has this
  /// code.
  package static let notRegularFile = SystemCallError(code: 79)

  /// Whether the file system does not have the operation, so that a weaker one has to do.
  package var meansUnsupported: Bool { [ENOTSUP, EINVAL, ENOTTY].contains(code) }
}
