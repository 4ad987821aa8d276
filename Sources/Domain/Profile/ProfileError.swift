/// Why a service has not saved a profile. It is as it was before.
public enum ProfileError: Error, Hashable, Sendable {
  /// A value breaks a rule.
  case invalid(ProfileValidationError)
  /// Somebody else has saved since: this is what there is now.
  case conflict(current: Profile)
}

extension ProfileError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalid(let error): "\(error)"
    case .conflict(let current):
      "the profile has been changed elsewhere: version \(current.version) is there now"
    }
  }
}
