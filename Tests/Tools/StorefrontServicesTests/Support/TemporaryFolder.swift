import AsyncViewModelsTesting
import Foundation
import StorefrontServices

/// A folder for the files of one test. It is removed when it is released.
final class TemporaryFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "FileStoreTests-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The file of the store.
  var file: URL { url.appending(path: "note.json") }

  /// The names in the folder without the lock file, in alphabetical order.
  var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: url.path).filter { !$0.hasSuffix(".lock") }.sorted()
    }
  }

  func write(_ bytes: [UInt8], to name: String = "note.json") throws {
    try Data(bytes).write(to: url.appending(path: name))
  }

  func bytes(of name: String = "note.json") throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url.appending(path: name)))
  }

  /// The store of the file, which `tracker` tracks.
  func store<Value: Codable & Sendable>(
    _ tracker: LeakTracker, of type: Value.Type, schema: FileSchema<Value> = FileSchema(),
    access: StoreAccess = .failIfInUse, clock: VirtualClock = VirtualClock(),
    fileSystem: any StorageFileSystem = SystemFileSystem()
  ) throws -> FileStore<Value> {
    try tracker.track(
      FileStore(at: file, schema: schema, access: access, scheduler: clock, fileSystem: fileSystem))
  }
}
