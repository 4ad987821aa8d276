/// The unsaved text of the profile form as a device keeps it, with the profile on which it is
/// based.
///
/// A later run of the app compares both to find what was edited here and what was changed
/// elsewhere.
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
