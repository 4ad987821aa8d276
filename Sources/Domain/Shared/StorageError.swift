public import Foundation

/// The reason why a value could not be loaded from a file or saved to it.
///
/// The associated value `file` is the name of the storage's file, without its folder.
public enum StorageError: Error, Hashable, Sendable {
  /// The URL does not name a file. The text is the URL.
  case invalidLocation(String)
  /// Another storage uses the file, in this process or in another one.
  case inUse(file: String)
  /// A newer version of the app has written the file. The file is unchanged.
  case newerSchema(file: String, found: Int, supported: Int)
  /// The name belongs to a folder, a pipe, a socket or a device instead of a file.
  case notRegularFile(file: String)
  /// The value cannot be encoded. The text contains the field and the reason.
  case unencodable(file: String, reason: String)
  /// The system reported an error. `code` is the value of `errno`, and `reason` is its text.
  case failed(StorageStep, file: String, code: Int32, reason: String)
  /// The storage is closed.
  case closed(file: String)
}

/// A step of loading or saving a file.
public enum StorageStep: String, CaseIterable, Hashable, Sendable {
  /// Creates the folder.
  case createFolder
  /// Locks the file against other storages.
  case lock
  /// Lists the folder, to find temporary files of processes that have ended.
  case list
  /// Reads the file.
  case read
  /// Creates a temporary file for the new contents.
  case create
  /// Writes the new contents to the temporary file.
  case write
  /// Flushes the temporary file to the disk.
  case sync
  /// Renames the temporary file to the name of the file.
  case replace
  /// Flushes the names in the folder to the disk.
  case syncFolder
  /// Gives a damaged file another name.
  case setAside
  /// Removes the old name of a damaged file.
  case remove
}

extension StorageError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalidLocation(let url): "\(url) is not the URL of a file."
    case .inUse(let file): "The file \(file) is in use by another copy of the app."
    case .newerSchema(let file, let found, let supported):
      """
      The file \(file) has format \(found), but this version of the app reads only formats up to \
      \(supported).
      """
    case .notRegularFile(let file): "The name \(file) does not belong to a regular file."
    case .unencodable(let file, let reason): "The contents of \(file) cannot be encoded: \(reason)"
    case .failed(let step, let file, _, let reason): "\(step.failure(of: file)): \(reason)"
    case .closed(let file): "The file \(file) is already closed."
    }
  }

  public var errorDescription: String? { description }
}

extension StorageStep {
  fileprivate func failure(of file: String) -> String {
    switch self {
    case .createFolder: "The folder \(file) could not be created"
    case .lock: "The file \(file) could not be locked"
    case .list: "The folder of \(file) could not be listed"
    case .read: "The file \(file) could not be read"
    case .create: "A new version of \(file) could not be created"
    case .write: "The new version of \(file) could not be written"
    case .sync: "The new version of \(file) could not be flushed to the disk"
    case .replace: "The file \(file) could not be replaced by its new version"
    case .syncFolder: "The folder of \(file) could not be flushed to the disk"
    case .setAside: "The damaged file \(file) could not be renamed"
    case .remove: "An old version of \(file) could not be removed"
    }
  }
}
