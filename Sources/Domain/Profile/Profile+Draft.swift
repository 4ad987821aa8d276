extension Profile {
  /// The text in the fields of the profile form, valid or not.
  ///
  /// | field | rule |
  /// | --- | --- |
  /// | name | not empty, at most 80 characters |
  /// | email | a name, one `@`, and a domain of at least two labels; no whitespace; at most 254 characters |
  ///
  /// ``errors`` and ``validated()`` ignore whitespace around a value, `==` does not. The view
  /// models compare and save ``normalized`` drafts.
  public struct Draft: Sendable, Hashable, Codable {
    /// The text of the name field.
    public var name: String
    /// The text of the email field.
    public var email: String

    /// Creates a draft with these texts.
    public init(name: String, email: String) {
      self.name = name
      self.email = email
    }

    /// Creates a draft with the values of a profile.
    public init(_ profile: Profile) { self.init(name: profile.name, email: profile.email) }

    /// The text of a field.
    public subscript(field: ProfileField) -> String {
      get { self[keyPath: Self.path(of: field)] }
      set { self[keyPath: Self.path(of: field)] = newValue }
    }

    /// The draft without whitespace around its values.
    public var normalized: Draft {
      Draft(name: name.trimmingWhitespace, email: email.trimmingWhitespace)
    }

    /// One error for each invalid field.
    public var errors: [ProfileField: ProfileValidationError] {
      let normalized = normalized
      return ProfileField.allCases.reduce(into: [:]) { errors, field in
        errors[field] = field.error(in: normalized[field])
      }
    }

    /// The normalized draft, ready to be saved.
    ///
    /// - Throws: The error of the first invalid field.
    public func validated() throws(ProfileValidationError) -> Draft {
      let errors = errors
      for field in ProfileField.allCases {
        if let error = errors[field] { throw error }
      }
      return normalized
    }

    /// Whether `profile` contains these values, without whitespace around them.
    package func isConfirmed(by profile: Profile) -> Bool {
      let (expected, saved) = (normalized, Draft(profile))
      return ProfileField.allCases.allSatisfy { $0.isConfirmed(expected[$0], by: saved[$0]) }
    }

    private static func path(of field: ProfileField) -> WritableKeyPath<Draft, String> {
      switch field {
      case .name: \.name
      case .email: \.email
      }
    }
  }

  /// Returns this profile with the values of the draft and the same version.
  public func applying(_ draft: Draft) -> Profile {
    Profile(id: id, name: draft.name, email: draft.email, version: version)
  }
}

extension ProfileField {
  /// The maximum number of characters.
  public var limit: Int {
    switch self {
    case .name: 80
    case .email: 254
    }
  }

  /// Whether a service saves `text` as `saved`. It may change the case of an email.
  package func isConfirmed(_ text: String, by saved: String) -> Bool {
    switch self {
    case .name: saved == text
    case .email: saved.lowercased() == text.lowercased()
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
  /// Whether the string has the form of an email address, which may not exist.
  fileprivate var looksLikeEmail: Bool {
    let halves = split(separator: "@", omittingEmptySubsequences: false)
    guard halves.count == 2, !halves[0].isEmpty, !contains(where: \.isWhitespace) else { return false }
    let labels = halves[1].split(separator: ".", omittingEmptySubsequences: false)
    return labels.count >= 2 && !labels.contains { $0.isEmpty }
  }
}
