import AsyncViewModels
public import Foundation

/// The version of the encoded form of a value, and a migration from older versions.
///
/// Increase the version if other versions of the app cannot decode the new form.
public struct FileSchema<Value: Codable & Sendable>: Sendable {
  /// The version of the encoded form that this version of the app writes.
  public let version: Int
  private let migrate: @Sendable (_ payload: Data, _ version: Int) throws -> Value

  /// Creates a schema without a migration. An older file counts as damaged: it gets another name.
  ///
  /// - Precondition: `version` is at least 1.
  public init(version: Int = 1) {
    self.init(version: version) { _, older in
      throw FileDamage(reason: "There is no migration from format \(older).")
    }
  }

  /// Creates a schema with a migration.
  ///
  /// - Precondition: `version` is at least 1.
  /// - Parameters:
  ///   - version: The version of the encoded form that `Value` has now.
  ///   - migrate: Decodes the JSON of an older version. It must be a pure function: it runs on the
  ///     queue of the store, each time that the file is opened until the next save. If it throws,
  ///     the file counts as damaged.
  public init(
    version: Int, migrating migrate: @escaping @Sendable (_ payload: Data, _ version: Int) throws -> Value
  ) {
    precondition(version >= 1, "FileSchema: the version must be at least 1, but is \(version)")
    self.version = version
    self.migrate = migrate
  }

  func encode(_ value: Value?) throws -> [UInt8] {
    let payload = try value.map { try [UInt8](JSONEncoder().encode($0)) } ?? []
    return StoredFile(schema: version, payload: payload).bytes
  }

  enum Contents {
    case value(Value?)
    case damaged(FileDamage)
    case newer(version: Int)
  }

  func decode(_ bytes: [UInt8]) -> Contents {
    do {
      let file = try StoredFile(bytes)
      guard file.schema <= version else { return .newer(version: file.schema) }
      guard !file.payload.isEmpty else { return .value(nil) }
      let payload = Data(file.payload)
      guard file.schema == version else { return .value(try migrate(payload, file.schema)) }
      return .value(try JSONDecoder().decode(Value.self, from: payload))
    } catch let damage as FileDamage {
      return .damaged(damage)
    } catch {
      return .damaged(FileDamage(reason: error.decodingReason))
    }
  }
}
