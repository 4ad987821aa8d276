public import Foundation
public import StorefrontDomain

/// The folders in which an app keeps its files.
public enum StorageFolder {
  /// Returns a folder in the user's Application Support folder, and creates it if necessary.
  ///
  /// The folder lies in the container of a sandboxed app. On Linux, it lies in the user's data
  /// folder, usually `~/.local/share`. Set `isExcludedFromBackup` or the file protection of the
  /// folder before you create a store in it.
  ///
  /// - Isolation: Blocks the calling thread for file work. Call it once, before the first screen.
  /// - Parameter name: The name of the folder, without a slash or a NUL character.
  /// - Throws: ``/StorefrontDomain/StorageError/failed(_:file:code:reason:)`` with the step
  ///   ``/StorefrontDomain/StorageStep/createFolder``, or
  ///   ``/StorefrontDomain/StorageError/invalidLocation(_:)`` for an unusable name.
  public static func applicationSupport(_ name: String) throws(StorageError) -> URL {
    do {
      let parent = try FileManager.default.url(
        for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
      return try folder(name, in: parent)
    } catch let error as StorageError {
      throw error
    } catch {
      throw failure(error, of: name)
    }
  }

  /// Returns a folder in another one, and creates it if necessary. Its name is then on the disk.
  package static func folder(
    _ name: String, in parent: URL, fileSystem: any StorageFileSystem = SystemFileSystem()
  ) throws(StorageError) -> URL {
    guard !name.isEmpty, name != ".", name != "..",
      !name.utf8.contains(where: { [0, UInt8(ascii: "/")].contains($0) })
    else { throw .invalidLocation(name) }
    let folder = parent.appending(path: name, directoryHint: .isDirectory)
    do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
      throw failure(error, of: name)
    }
    do throws(SystemCallError) { try fileSystem.syncFolder(parent.path(percentEncoded: false)) } catch {
      throw .failed(.createFolder, file: name, code: error.code, reason: error.reason)
    }
    return folder
  }

  private static func failure(_ error: any Error, of name: String) -> StorageError {
    let error = SystemCallError(error)
    return .failed(.createFolder, file: name, code: error.code, reason: error.reason)
  }
}
