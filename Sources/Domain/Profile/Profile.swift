public import Foundation

/// The signed-in user.
public struct Profile: Sendable, Hashable, Identifiable {
  /// The number that identifies the user.
  public let id: Int
  /// The user's name.
  public let name: String
  /// The user's email address.
  public let email: String
  /// The version, which the server increments with every change, and a save replaces.
  public let version: Int

  /// Creates a profile.
  public init(id: Int, name: String, email: String, version: Int = 1) {
    self.id = id
    self.name = name
    self.email = email
    self.version = version
  }
}

extension Profile: Codable {
  private enum CodingKeys: CodingKey {
    case id, name, email, version
  }

  /// Decodes a profile. A server can have other rules for the name and the email than the form.
  ///
  /// - Throws: `DecodingError`, also if the id or the version is below 1.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decode(Int.self, forKey: .id), name: try container.decode(String.self, forKey: .name),
      email: try container.decode(String.self, forKey: .email),
      version: try container.decode(Int.self, forKey: .version))
    try container.require(id >= 1, "invalid id: \(id)", of: .id)
    try container.require(version >= 1, "invalid version: \(version)", of: .version)
  }
}

/// The editable fields of a profile, in the order of the form.
public enum ProfileField: String, CaseIterable, Codable, Sendable {
  /// The user's name.
  case name
  /// The user's email address.
  case email
}

extension Profile {
  /// Returns the profile that a server saves for a draft: normalized, with the next version.
  ///
  /// - Throws: ``ProfileError/invalid(_:)`` if a value breaks a rule.
  ///   ``ProfileError/conflict(current:)`` if the draft is based on another version.
  public func replaced(by draft: Draft, basedOn version: Int) throws(ProfileError) -> Profile {
    let valid: Draft
    do throws(ProfileValidationError) {
      valid = try draft.validated()
    } catch {
      throw .invalid(error)
    }
    guard version == self.version else { throw .conflict(current: self) }
    return Profile(id: id, name: valid.name, email: valid.email, version: version &+ 1)
  }
}

/// The reason why a service did not save a profile. The service's profile is unchanged.
public enum ProfileError: Error, Hashable, Sendable {
  /// A value breaks a rule.
  case invalid(ProfileValidationError)
  /// The profile was saved elsewhere in the meantime.
  case conflict(current: Profile)
}

extension ProfileError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalid(let error): "\(error)"
    case .conflict(let current):
      "The profile was changed elsewhere: the current version is \(current.version)."
    }
  }

  public var errorDescription: String? { description }
}

/// The reason why a value of a profile is invalid.
public enum ProfileValidationError: Error, Hashable, Sendable {
  /// The field is empty.
  case missing(ProfileField)
  /// The value has `length` characters, but at most `limit` are allowed.
  case tooLong(ProfileField, length: Int, limit: Int)
  /// The text cannot be an email address.
  case malformedEmail(String)
  /// The server rejected the value.
  case refused(ProfileField, reason: String)

  /// The field with the invalid value.
  public var field: ProfileField {
    switch self {
    case .missing(let field), .tooLong(let field, _, _), .refused(let field, _): field
    case .malformedEmail: .email
    }
  }
}

extension ProfileValidationError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .missing(let field): "The \(field.rawValue) is missing."
    case .tooLong(let field, let length, let limit):
      "The \(field.rawValue) has \(length) characters, but only \(limit) are allowed."
    case .malformedEmail(let text): "\"\(text)\" is not an email address."
    case .refused(let field, let reason): "The \(field.rawValue) was refused: \(reason)"
    }
  }

  public var errorDescription: String? { description }
}
