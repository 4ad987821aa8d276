import Foundation
import StorefrontDomain

extension Endpoint where Response == Profile {
  static var profile: Endpoint { Endpoint("/profile") }

  static func saveProfile(_ draft: Profile.Draft, basedOn version: Int) -> Endpoint {
    Endpoint(
      "PUT", "/profile",
      body: ProfileWire.Edition(name: draft.name, email: draft.email, version: version).encoded(),
      decode: { try JSONDecoder().decode(Profile.self, from: $0) },
      failure: { refusal in
        switch refusal.status {
        case 409: ProfileWire.conflict(in: refusal.body)
        case 422: ProfileWire.invalidField(in: refusal.body, reason: refusal.message)
        default: nil
        }
      })
  }
}

/// What goes over the wire when a profile is saved. Pure.
private enum ProfileWire {
  struct Edition: Encodable {
    let name: String
    let email: String
    let version: Int

    func encoded() -> Data {
      do {
        return try JSONEncoder().encode(self)
      } catch {
        preconditionFailure("a profile does not encode: \(error)")
      }
    }
  }

  private struct Conflict: Decodable {
    let current: Profile
  }

  private struct InvalidField: Decodable {
    let parameter: ProfileField
  }

  static func conflict(in body: Data) -> (any Error)? {
    (try? JSONDecoder().decode(Conflict.self, from: body)).map { ProfileError.conflict(current: $0.current) }
  }

  static func invalidField(in body: Data, reason: String) -> (any Error)? {
    (try? JSONDecoder().decode(InvalidField.self, from: body)).map {
      ProfileError.invalid(.refused($0.parameter, reason: reason))
    }
  }
}
