import AsyncViewModelsSimulation
import Foundation
import StorefrontDomain
import Synchronization

/// Files whose reads, writes and replacements fail as the seed decides.
final class BadDisk: Sendable {
  private let world: SimulatedWorld
  private let files: Mutex<[String: Data]>

  init(_ world: SimulatedWorld, contents: [String: Data]) {
    self.world = world
    files = Mutex(contents)
  }

  /// The true contents of all files, by name.
  var contents: [String: Data] { files.withLock { $0 } }

  func read(_ name: String) throws(CocoaError) -> Data { try world.faults.read(contents[name]) }

  func write(_ data: Data, to name: String) throws(CocoaError) {
    var file = contents[name]
    defer { files.withLock { [file] in $0[name] = file } }
    try world.faults.write(data, to: &file)
  }

  /// Replaces a file atomically, like `rename`.
  func replace(_ name: String, with other: String) throws(CocoaError) {
    try world.faults.failure(CocoaError(.fileWriteOutOfSpace))
    files.withLock { $0[name] = $0.removeValue(forKey: other) }
  }

  func remove(_ name: String) { files.withLock { $0[name] = nil } }

  /// The JSON of a draft. Its keys are sorted, so that the part that a fault leaves depends only on the seed.
  static func bytes(of draft: Profile) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do {
      return try encoder.encode(draft)
    } catch {
      preconditionFailure("a draft does not encode: \(error)")
    }
  }
}
