import StorefrontDomain
import Synchronization

/// The profile of a server in its current version. Rejects invalid and outdated changes.
final class LoopbackProfile: Sendable {
  private let profile: Mutex<Profile>

  private struct Conflict: Encodable {
    let error: String
    let current: Profile
  }

  init(_ profile: Profile) { self.profile = Mutex(profile) }

  var current: Profile { profile.withLock { $0 } }

  func save(_ draft: Profile.Draft, basedOn version: Int) -> HTTPResponse {
    profile.withLock { profile in
      do throws(ProfileError) {
        profile = try profile.replaced(by: draft, basedOn: version)
        return .json(profile)
      } catch {
        switch error {
        case .invalid(let error): return .error(422, "\(error)", parameter: error.field.rawValue)
        case .conflict(let current):
          return .json(Conflict(error: "\(error)", current: current), status: 409)
        }
      }
    }
  }
}
