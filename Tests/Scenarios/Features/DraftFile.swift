import AsyncViewModels
import AsyncViewModelsSimulation
import Foundation
import StorefrontDomain

/// Keeps a profile that is being edited on a disk which may fail: each edition is written aside, then put in place of the one before.
///
/// A save that overtakes an older one wins: the older one ends as if it had come first, and its bytes are thrown away.
actor DraftFile {
  private nonisolated let host: ActorHost
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }

  private let world: SimulatedWorld
  private let disk: BadDisk
  private var begun = 0
  private var inPlace = 0

  init(_ world: SimulatedWorld, on disk: BadDisk) {
    self.world = world
    self.disk = disk
    host = ActorHost(world.isolation)
  }

  /// - Throws: what the disk throws, or `CancellationError`; nothing is changed then.
  func save(_ draft: Profile) async throws {
    begun += 1
    let number = begun
    // A name of its own: a save that begins meanwhile must not write into these bytes.
    let aside = "draft.\(number)"
    defer { disk.remove(aside) }
    try await world.faults.latency()
    try disk.write(BadDisk.bytes(of: draft), to: aside)
    try await world.faults.latency()
    guard number > inPlace else { return }
    try disk.replace("draft", with: aside)
    inPlace = number
  }

  /// The draft that is in place.
  ///
  /// - Throws: what the disk throws, or a `DecodingError` where not all of the bytes came.
  func load() async throws -> Profile {
    try await world.faults.latency()
    return try JSONDecoder().decode(Profile.self, from: disk.read("draft"))
  }
}
