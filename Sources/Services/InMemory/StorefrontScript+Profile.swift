import StorefrontDomain
import Synchronization

extension StorefrontScript {
  /// The profile as it is by now.
  func profile(of contents: StorefrontContents) -> Profile {
    state.withLock { $0.profile ?? contents.profile }
  }

  func save(
    _ draft: Profile.Draft, basedOn version: Int, in contents: StorefrontContents
  ) throws(ProfileError) -> Profile {
    try state.withLock { state throws(ProfileError) in
      let saved = try (state.profile ?? contents.profile).replaced(by: draft, basedOn: version)
      state.profile = saved
      return saved
    }
  }
}
