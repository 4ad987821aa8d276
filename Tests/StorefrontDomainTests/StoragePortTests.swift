import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import Synchronization
import Testing

@Suite("Storage ports", .timeLimit(.minutes(5)))
struct StoragePortTests {
  /// A storage whose earlier saves take longer.
  private final class SlowStorage: ProfileDraftStorage {
    let saved = Mutex<[String]>([])
    let gate = Gate(isOpen: true)

    func load() async throws -> StoredValue<Profile.Draft> { StoredValue(nil) }

    func save(_ draft: Profile.Draft) async throws {
      await gate.wait()
      for _ in 0..<(100 - (Int(draft.name) ?? 0)) { await Task.yield() }
      try Task.checkCancellation()
      saved.withLock { $0.append(draft.name) }
    }

    func clear() async throws { saved.withLock { $0.append("clear") } }
  }

  @Test("the completion-handler form of a storage saves in the order of the calls")
  func order() async throws {
    let storage = SlowStorage()
    let closures = storage.asClosure
    let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
    let tokens = (0..<100).map { number in
      closures.save(Profile.Draft(name: "\(number)", email: "")) { _ in }
    }
    let last = closures.clear { _ in continuation.finish() }
    for await _ in ended {}
    #expect(storage.saved.withLock { $0 } == (0..<100).map(String.init) + ["clear"])
    withExtendedLifetime((tokens, last)) {}
  }

  @Test("releasing a token ends only the wait for a save")
  func releasedToken() async throws {
    let storage = SlowStorage()
    storage.gate.close()
    let closures = storage.asClosure
    let result = await withCheckedContinuation { continuation in
      _ = closures.save(Profile.Draft(name: "99", email: "")) { continuation.resume(returning: $0) }
    }
    #expect(throws: CancellationError.self) { try result.get() }
    storage.gate.open()
    try await until { storage.saved.withLock { $0 } == ["99"] }
  }
}
