import AsyncViewModels
import AsyncViewModelsTesting
import ListSnapshots
import StorefrontDomain
import Synchronization
import Testing

@Suite("Storage ports", .timeLimit(.minutes(5)), .endsWaits)
struct StoragePortTests {
  /// A storage whose earlier saves take longer.
  private final class SlowStorage: ProfileDraftStorage {
    let saved = Mutex<[String]>([])
    let gate = Gate(isOpen: true)

    func load() async throws -> StoredValue<SavedProfileDraft> { StoredValue(nil) }

    func save(_ form: SavedProfileDraft) async throws {
      let name = form.draft.name
      await gate.wait()
      for _ in 0..<(100 - (Int(name) ?? 0)) { await Task.yield() }
      try Task.checkCancellation()
      saved.withLock { $0.append(name) }
    }

    func clear() async throws { saved.withLock { $0.append("clear") } }
  }

  private static func form(_ name: String) -> SavedProfileDraft {
    SavedProfileDraft(
      Profile.Draft(name: name, email: ""), basedOn: Profile(id: 1, name: "Ada", email: "ada@example.com"))
  }

  @Test("the completion-handler form of a storage saves in the order of the calls")
  func order() async throws {
    let storage = SlowStorage()
    let closures = storage.asClosure
    let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
    let tokens = (0..<100).map { number in
      closures.save(Self.form("\(number)")) { _ in }
    }
    let last = closures.clear { _ in continuation.finish() }
    for await _ in ended {}
    let calls = (0..<100).map { "\($0)" } + ["clear"]
    #expect(storage.saved.withLock { $0 } == calls)
    withExtendedLifetime((tokens, last)) {}
  }

  @Test("releasing a token ends only the wait for a save")
  func releasedToken() async throws {
    let storage = SlowStorage()
    storage.gate.close()
    let closures = storage.asClosure
    let result = await withCheckedContinuation { continuation in
      _ = closures.save(Self.form("99")) { continuation.resume(returning: $0) }
    }
    #expect(throws: CancellationError.self) { try result.get() }
    storage.gate.open()
    try await until { storage.saved.withLock { $0 } == ["99"] }
  }
}
