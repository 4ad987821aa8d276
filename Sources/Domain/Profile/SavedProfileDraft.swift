/// The unsaved text of the profile form as a device keeps it, with the profile on which the text is based.
///
/// With the profile, a later run of the app finds the fields that were edited and those that were changed elsewhere.
public struct SavedProfileDraft: Sendable, Hashable, Codable {
  /// The text, valid or not.
  public let draft: Profile.Draft
  /// The newest profile that the service had confirmed.
  public let base: Profile

  /// Creates a saved draft.
  public init(_ draft: Profile.Draft, basedOn base: Profile) {
    self.draft = draft
    self.base = base
  }
}
