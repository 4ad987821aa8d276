/// The unsaved text of the profile form as a device keeps it, with the profile on which the text is based.
///
/// The profile tells later which fields have been edited, and which have been changed elsewhere.
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
