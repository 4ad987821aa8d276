/// The contents of a storage, with a report of the old files that it found.
public struct StoredValue<Value: Sendable>: Sendable {
  /// The stored value, or `nil` if the storage is empty.
  public let value: Value?
  /// The damaged file that the storage has set aside, if any.
  public let damagedFile: DamagedFile?
  /// The names of old files that the storage could not remove, and that only need space.
  public let unremovedFiles: [String]

  /// Creates the contents of a storage.
  public init(_ value: Value?, damagedFile: DamagedFile? = nil, unremovedFiles: [String] = []) {
    self.value = value
    self.damagedFile = damagedFile
    self.unremovedFiles = unremovedFiles
  }
}

extension StoredValue: Equatable where Value: Equatable {}

/// A file that could not be decoded. It has a new name in the same folder, and its contents are
/// unchanged.
public struct DamagedFile: Hashable, Sendable {
  /// The new name of the file, without its folder.
  public let name: String
  /// The reason why the file could not be decoded.
  public let reason: String

  /// Creates a report of a damaged file.
  public init(name: String, reason: String) {
    self.name = name
    self.reason = reason
  }
}
