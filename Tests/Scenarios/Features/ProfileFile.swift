import AsyncViewModels
import AsyncViewModelsSimulation
import Foundation
import StorefrontDomain

/// Keeps drafts of a profile on a disk that may fail. It writes each draft to a new file, and then moves
/// that file to the place of the current draft.
///
/// If a save overtakes an older save, the older save succeeds without replacing the draft, and its file is removed.
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

  /// - Throws: An error of the disk, or `CancellationError`. The draft then stays as it was.
  func save(_ draft: Profile) async throws {
    begun += 1
    let number = begun
    // Another save at the same time must not write into this file.
    let aside = "draft.\(number)"
    defer { disk.remove(aside) }
    try await world.faults.latency()
    try disk.write(BadDisk.bytes(of: draft), to: aside)
    try await world.faults.latency()
    guard number > inPlace else { return }
    try disk.replace("draft", with: aside)
    inPlace = number
  }

  /// Reads the draft.
  ///
  /// - Throws: An error of the disk, or a `DecodingError` if bytes are missing.
  func load() async throws -> Profile {
    try await world.faults.latency()
    return try JSONDecoder().decode(Profile.self, from: disk.read("draft"))
  }
}
