/// The contents of a storage, with a report if the storage found a damaged file.
public struct StoredValue<Value: Sendable>: Sendable {
  /// The stored value, or `nil` if the storage is empty.
  public let value: Value?
  /// The damaged file that the storage has set aside, or `nil` if the file was readable or missing.
  public let damagedFile: DamagedFile?

  /// Creates the contents of a storage.
  public init(_ value: Value?, damagedFile: DamagedFile? = nil) {
    self.value = value
    self.damagedFile = damagedFile
  }
}

extension StoredValue: Equatable where Value: Equatable {}

/// A file that could not be decoded. It has a new name in the same folder, and its contents are unchanged.
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
