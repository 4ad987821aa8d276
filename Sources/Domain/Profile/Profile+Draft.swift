import AsyncViewModels

extension Profile {
  /// What stands in the form: what a person has typed, right or wrong.
  ///
  /// | field | rule |
  /// | --- | --- |
  /// | name | not empty, at most 80 characters |
  /// | email | one `@` between a name and a domain that has a dot; no spaces; at most 254 characters |
  ///
  /// Spaces around a value do not count: ``normalized`` leaves them out, and that is what is checked, compared and saved.
  public struct Draft: Sendable, Hashable, Codable {
    public var name: String
    public var email: String

    public init(name: String, email: String) {
      self.name = name
      self.email = email
    }

    /// The draft that a form begins with.
    public init(_ profile: Profile) { self.init(name: profile.name, email: profile.email) }

    public subscript(field: ProfileField) -> String {
      get { self[keyPath: Self.path(of: field)] }
      set { self[keyPath: Self.path(of: field)] = newValue }
    }

    /// The same without spaces around the values. O(length).
    public var normalized: Draft {
      Draft(name: name.trimmingWhitespace, email: email.trimmingWhitespace)
    }

    /// What is wrong, one error for each field that is; empty where the draft can be saved. O(length).
    public var errors: [ProfileField: ProfileValidationError] {
      let normalized = normalized
      return ProfileField.allCases.reduce(into: [:]) { errors, field in
        errors[field] = field.error(in: normalized[field])
      }
    }

    /// The draft as it is saved. O(length).
    ///
    /// - Throws: what is wrong in the first field that is.
    public func validated() throws(ProfileValidationError) -> Draft {
      let errors = errors
      for field in ProfileField.allCases {
        if let error = errors[field] { throw error }
      }
      return normalized
    }

    private static func path(of field: ProfileField) -> WritableKeyPath<Draft, String> {
      switch field {
      case .name: \.name
      case .email: \.email
      }
    }
  }

  /// The profile that this draft would make of this one, in the same edition.
  public func applying(_ draft: Draft) -> Profile {
    Profile(id: id, name: draft.name, email: draft.email, version: version)
  }
}

extension ProfileField {
  /// How many characters a value may have.
  public var limit: Int {
    switch self {
    case .name: 80
    case .email: 254
    }
  }

  fileprivate func error(in text: String) -> ProfileValidationError? {
    guard !text.isEmpty else { return .missing(self) }
    let length = text.count
    guard length <= limit else { return .tooLong(self, length: length, limit: limit) }
    return self == .email && !text.looksLikeEmail ? .malformedEmail(text) : nil
  }
}

extension String {
  /// Whether it can be one. Whether it *is* one, only a letter to it can tell.
  fileprivate var looksLikeEmail: Bool {
    let halves = split(separator: "@", omittingEmptySubsequences: false)
    guard halves.count == 2, !halves[0].isEmpty, !contains(where: \.isWhitespace) else { return false }
    let labels = halves[1].split(separator: ".", omittingEmptySubsequences: false)
    return labels.count >= 2 && !labels.contains { $0.isEmpty }
  }
}
