import AsyncViewModels
import AsyncViewModelsSimulation
import Foundation
import StorefrontDomain

/// A service that keeps the profile in a file on a disk that may fail. It writes each profile to a new file, and then
/// moves that file to the place of the current profile.
struct ProfileFile: ProfileEditingService, ProfileEditingClosureService {
  private static let name = "profile"

  private let world: SimulatedWorld
  private let disk: BadDisk
  /// The profile in the file. The service reads it without the faults of the disk.
  private let stored: StateStore<Profile>

  init(_ world: SimulatedWorld, first: Profile) {
    self.world = world
    disk = BadDisk(world, contents: [Self.name: BadDisk.bytes(of: first)])
    stored = StateStore(first)
  }

  /// The true contents of the disk, by name. A profile that cannot be decoded is `nil`.
  var contents: [String: Profile?] {
    disk.contents.mapValues { try? JSONDecoder().decode(Profile.self, from: $0) }
  }

  /// The profile in the file, without the faults of reading. `nil` if the file is torn or missing.
  var profileOnDisk: Profile? { contents[Self.name] ?? nil }

  /// Reads the profile.
  ///
  /// - Throws: An error of the disk, or a `DecodingError` if bytes are missing.
  func profile() async throws -> Profile {
    try await world.faults.latency()
    return try JSONDecoder().decode(Profile.self, from: disk.read(Self.name))
  }

  /// - Throws: An error of the disk, or a `ProfileError`. The file then stays as it was.
  func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile {
    let new = try stored.value.replaced(by: draft, basedOn: version)
    let aside = "\(Self.name).\(new.version)"
    defer { disk.remove(aside) }
    await world.faults.deafLatency()
    try disk.write(BadDisk.bytes(of: new), to: aside)
    await world.faults.deafLatency()
    try disk.replace(Self.name, with: aside)
    stored.send(new)
    await world.faults.deafLatency()
    return new
  }

  func profile(completion: @escaping @Sendable (Result<Profile, any Error>) -> Void) -> CancellationToken {
    callBack(in: world, completion) { try await profile() }
  }

  func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    .run(completion: completion) { try await save(draft, basedOn: version) }
  }
}
