import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import Synchronization
import Testing

/// What a file store guarantees while it waits for a file that another store uses.
@Suite("File store: waiting for a file in use", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct FileStoreWaitingTests {
  private let folder: TemporaryFolder
  private let clock = VirtualClock()
  private let fileSystem = SystemFileSystem()

  init() throws { folder = try TemporaryFolder() }

  private func stored(_ text: String) -> [UInt8] {
    StoredFile(schema: 1, payload: Array("\"\(text)\"".utf8)).bytes
  }

  private func waitingStore(_ tracker: LeakTracker) throws -> FileStore<String> {
    try folder.store(
      tracker, of: String.self, access: .waitUntilFree(checkingEvery: .seconds(1)), clock: clock)
  }

  private var lockPath: String { folder.file.path + ".lock" }

  private func lock() throws -> Int32 { try #require(try fileSystem.lock(lockPath)) }

  /// Lets the store try again until the condition holds.
  private func advance(until condition: () -> Bool) async throws {
    try await until {
      clock.advance(by: .seconds(1))
      return condition()
    }
  }

  @Test("a value is written when the file is free, even if its caller was cancelled and its store released")
  func cancelledSave() async throws {
    try await LeakTracker.check { tracker in
      let lock = try lock()
      let ending = Monitor<Result<Void, any Error>?>(nil)
      do {
        let store = try waitingStore(tracker)
        store.save("new") { result in ending.update { $0 = result } }.cancel()
      }
      await ending.wait { $0 != nil }
      #expect(throws: CancellationError.self) { try ending.snapshot?.get() }
      await clock.waitForSleepers(1)
      // The queue of the store processes the cancellation before this attempt, which starts the next wait.
      clock.advance(by: .seconds(1))
      await clock.waitForSleepers(1)
      fileSystem.close(lock)
      clock.advance(by: .seconds(1))
      let expected = stored("new")
      try await until { (try? folder.bytes()) == expected }
    }
    #expect(clock.sleeperCount == 0)
    try await until { (try? fileSystem.lock(lockPath)) != nil }
  }

  @Test(
    "a call that opens the file also writes the value of a cancelled save", arguments: ServiceForm.allCases)
  func cancelledSaveAndLoad(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let lock = try lock()
      let client = StoreClient(form, try waitingStore(tracker))
      let save = Task { try await client.save("new") }
      await clock.waitForSleepers(1)
      save.cancel()
      await #expect(throws: CancellationError.self) { try await save.value }
      fileSystem.close(lock)
      #expect(try await client.load() == StoredValue("new"))
      // The second call begins after the file work of the first one.
      #expect(try await client.load() == StoredValue("new"))
      #expect(try folder.bytes() == stored("new"))
      try await client.close()
    }
  }

  @Test("a close continues if its caller is cancelled")
  func cancelledClose() async throws {
    try await LeakTracker.check { tracker in
      let lock = try lock()
      let store = try waitingStore(tracker)
      let save = Task { try await store.save("new") }
      await clock.waitForSleepers(1)
      store.close { _ in }.cancel()
      clock.advance(by: .seconds(1))
      await clock.waitForSleepers(1)
      fileSystem.close(lock)
      clock.advance(by: .seconds(1))
      try await save.value
      await #expect(throws: StorageError.closed(file: "note.json")) { _ = try await store.load() }
      #expect(try folder.bytes() == stored("new"))
      fileSystem.close(try self.lock())
    }
  }

  @Test("every call ends once, and a value is written or refused", arguments: 0..<100)
  func everyOrder(seed: Int) async throws {
    try await LeakTracker.check { tracker in
      let disk = SimulatedDisk()
      let lock = try #require(try disk.lock(lockPath))
      let store = tracker.track(
        try FileStore<Int>(
          at: folder.file, access: .waitUntilFree(checkingEvery: .seconds(1)), scheduler: clock,
          fileSystem: disk))
      var numbers = SplitMix64(seed: UInt64(seed))
      let count = 1 + numbers.next(in: 0...7)
      let freeing = numbers.next(in: 0...count)
      let endings = Monitor<[Int: [Result<Void, any Error>]]>([:])
      var tokens: [CancellationToken] = []
      var closing: Int?
      var values: [Int: Bool] = [:]
      for call in 0..<count {
        if call == freeing { disk.close(lock) }
        let completion: @Sendable (Result<Void, any Error>) -> Void = { result in
          endings.update { $0[call, default: []].append(result) }
        }
        let token: CancellationToken
        let isCancelled = numbers.next(in: 0...2) == 0
        switch numbers.next(in: 0...5) {
        case 0: token = store.load { completion($0.map { _ in }) }
        case 1: token = store.flush(completion: completion)
        case 2:
          token = store.close(completion: completion)
          closing = closing ?? call
        default:
          token = store.save(call, completion: completion)
          values[call] = isCancelled
        }
        if isCancelled { token.cancel() }
        tokens.append(token)
      }
      if freeing == count { disk.close(lock) }
      try await advance { endings.snapshot.count == count }
      let close = Monitor(false)
      let last = store.close { result in close.update { $0 = (try? result.get()) != nil } }
      try await advance { close.snapshot }
      #expect(endings.snapshot.values.allSatisfy { $0.count == 1 })
      let stored = try disk.contents(of: folder.file.path).map { try StoredFile($0) }
      let number = stored.flatMap { Int(String(decoding: $0.payload, as: UTF8.self)) } ?? -1
      for (call, isCancelled) in values {
        switch endings.snapshot[call]?.first {
        case .success: #expect(number >= call, "call \(call) was reported as saved")
        case .failure(is CancellationError):
          #expect(isCancelled)
          if call < closing ?? count { #expect(number >= call, "call \(call) began before the close") }
        case .failure(let error):
          #expect(error as? StorageError == .closed(file: "note.json"))
          #expect(call > closing ?? count, "call \(call) began before the close")
        case nil: Issue.record("call \(call) has not ended")
        }
      }
      withExtendedLifetime((tokens, last)) {}
    }
  }
}
