/// What is wrong with a value of a profile.
public enum ProfileValidationError: Error, Hashable, Sendable {
  case missing(ProfileField)
  case tooLong(ProfileField, length: Int, limit: Int)
  /// This is no address that a letter could go to.
  case malformedEmail(String)
  /// The server would not have it.
  case refused(ProfileField, reason: String)

  /// The field that is to blame.
  public var field: ProfileField {
    switch self {
    case .missing(let field), .tooLong(let field, _, _), .refused(let field, _): field
    case .malformedEmail: .email
    }
  }
}

extension ProfileValidationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .missing(let field): "the \(field.rawValue) is missing"
    case .tooLong(let field, let length, let limit):
      "the \(field.rawValue) has \(length) characters, \(limit) are allowed"
    case .malformedEmail(let text): "\"\(text)\" is not an email address"
    case .refused(let field, let reason): "the \(field.rawValue) was refused: \(reason)"
    }
  }
}
