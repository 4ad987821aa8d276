extension Profile {
  /// What a server makes of a draft: the next edition of this profile.
  ///
  /// - Throws: ``ProfileError/invalid(_:)`` where a value breaks a rule; ``ProfileError/conflict(current:)``, with this profile,
  ///   where the draft is based on another edition.
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
