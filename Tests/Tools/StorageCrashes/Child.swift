import AsyncViewModelsGCD
import Foundation
import StorefrontDomain
import StorefrontServices
import Synchronization

/// The process that saves values until it is killed. It reports each step on standard output.
///
/// | line | meaning |
/// | --- | --- |
/// | `open` | the file is open |
/// | `begin 7` | the process is about to save value 7 |
/// | `saved 7` | the store has reported that value 7 or a newer one is on the disk |
/// | `failed 7: …` | the store has reported an error |
struct Child {
  /// The path of the file.
  let file: String
  /// The number of values.
  let saves: Int
  /// The number of values that are saved at the same time.
  let group: Int
  /// The number of the moment at which the process kills itself, from 0. `nil` for never.
  let killMoment: Int?

  /// Saves all values. Returns only if the process is not killed.
  func run() throws {
    let store = try FileStore<GrowingValue>(at: URL(fileURLWithPath: file), fileSystem: fileSystem)
    let first = (try blocking { store.load(completion: $0) }.value?.number ?? 0) + 1
    Self.report("open")
    for start in stride(from: first, to: first + saves, by: group) {
      let results = (start..<start + group).map { number in (number, save(number, in: store)) }
      for (number, result) in results {
        do { try result.wait() } catch { Self.report("failed \(number): \(error)") }
      }
    }
    try blocking { store.close(completion: $0) }
  }

  /// Keeps the file open until the parent closes the standard input.
  func hold() throws {
    let store = try FileStore<GrowingValue>(at: URL(fileURLWithPath: file))
    _ = try blocking { store.load(completion: $0) }
    Self.report("open")
    withExtendedLifetime(store) { _ = FileHandle.standardInput.readDataToEndOfFile() }
  }

  private func save(_ number: Int, in store: FileStore<GrowingValue>) -> PendingResult<Void> {
    Self.report("begin \(number)")
    let pending = PendingResult<Void>()
    runToCompletion {
      store.save(GrowingValue(number), completion: $0)
    } completion: { result in
      if case .success = result { Self.report("saved \(number)") }
      pending.end(result)
    }
    return pending
  }

  private var fileSystem: any StorageFileSystem {
    guard let killMoment else { return SystemFileSystem() }
    let moments = Atomic(0)
    return InterceptedFileSystem { _, _ in
      guard moments.add(1, ordering: .relaxed).oldValue == killMoment else { return }
      kill(getpid(), SIGKILL)
    }
  }

  /// Writes a line without a buffer, because a killed process loses its buffers.
  private static func report(_ line: String) {
    // If the parent has ended, the lines have no reader.
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }
}
