import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import Testing

@testable import StorageCrashes

/// What a file store does if an operation fails, if values arrive during a write, and if the file is in use.
@Suite("File store: failures and concurrent calls", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct FileStoreFailureTests {
  private let folder: TemporaryFolder
  private let script = StepScript()
  private let clock = VirtualClock()

  init() throws { folder = try TemporaryFolder() }

  private static let saving = ServiceForm.allCases.flatMap { form in
    [StorageStep.create, .write, .sync, .replace].map { (form, $0) }
  }

  private func stored(_ text: String) -> [UInt8] {
    StoredFile(schema: 1, payload: Array("\"\(text)\"".utf8)).bytes
  }

  @Test(
    "a failed operation keeps the old file, removes the temporary file, and loses no value", arguments: saving
  )
  func failedSave(form: ServiceForm, step: StorageStep) async throws {
    try await LeakTracker.check { tracker in
      let client = StoreClient(
        form, try folder.store(tracker, of: String.self, fileSystem: script.fileSystem))
      try await client.save("old")
      script.fail(step, step == .write ? .during : .before)
      let reason = "No space left on device"
      let error = StorageError.failed(step, file: "note.json", code: ENOSPC, reason: reason)
      await #expect(throws: error) { try await client.save("new") }
      #expect(try folder.bytes() == stored("old"))
      #expect(try folder.names == ["note.json"])
      #expect(try await client.load() == StoredValue("new"))
      try await client.flush()
      #expect(try folder.bytes() == stored("new"))
      try await client.close()
    }
  }

  @Test(
    "a damaged file is renamed if the file system cannot give it a second name",
    arguments: ServiceForm.allCases, [EPERM, ENOTSUP])
  func withoutLinks(form: ServiceForm, code: Int32) async throws {
    try await LeakTracker.check { tracker in
      try folder.write([1, 2, 3])
      script.fail(.setAside, count: 2, code: code)
      let client = StoreClient(
        form, try folder.store(tracker, of: String.self, fileSystem: script.fileSystem))
      #expect(try await client.load().damagedFile?.name == "note.json.damaged-1")
      #expect(try folder.names == ["note.json.damaged-1"])
      #expect(try folder.bytes(of: "note.json.damaged-1") == [1, 2, 3])
      #expect(script.steps.suffix(2) == [.replace, .syncFolder])
      try await client.close()
    }
  }

  @Test(
    "if the folder cannot be flushed, the save fails, and the file is complete",
    arguments: ServiceForm.allCases)
  func failedFolderSync(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let client = StoreClient(
        form, try folder.store(tracker, of: String.self, fileSystem: script.fileSystem))
      script.fail(.syncFolder, code: EIO)
      await #expect(throws: StorageError.self) { try await client.save("new") }
      #expect(try folder.bytes() == stored("new"))
      #expect(try folder.names == ["note.json"])
      try await client.close()
      #expect(script.steps.count { $0 == .syncFolder } == 2, "close has flushed the value again")
    }
  }

  @Test(
    "a store that cannot be opened tries again with the next call",
    arguments: [StorageStep.lock, .list, .read])
  func failedOpening(step: StorageStep) async throws {
    try await LeakTracker.check { tracker in
      try folder.write(stored("old"))
      let client = StoreClient(
        .async, try folder.store(tracker, of: String.self, fileSystem: script.fileSystem))
      script.fail(step, code: EACCES)
      let error = StorageError.failed(step, file: "note.json", code: EACCES, reason: "Permission denied")
      await #expect(throws: error) { _ = try await client.load() }
      #expect(try await client.load() == StoredValue("old"))
      try await client.close()
    }
  }

  @Test("a missing folder is an error of the system, and later calls succeed when it exists")
  func missingFolder() async throws {
    try await LeakTracker.check { tracker in
      let missing = folder.url.appending(path: "missing")
      let store = tracker.track(try FileStore<String>(at: missing.appending(path: "note.json")))
      let error = StorageError.failed(
        .lock, file: "note.json", code: ENOENT, reason: "No such file or directory")
      await #expect(throws: error) { try await store.save("new") }
      try FileManager.default.createDirectory(at: missing, withIntermediateDirectories: false)
      try await store.close()
      #expect(try folder.bytes(of: "missing/note.json") == stored("new"))
    }
  }

  @Test(
    "only the newest of the waiting values is written, and every caller receives a result",
    arguments: ServiceForm.allCases)
  func coalescing(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let store = try folder.store(tracker, of: String.self, fileSystem: script.fileSystem)
      let client = StoreClient(form, store)
      script.block(.write)
      let first = Task { try await client.save("first") }
      await script.waitUntilBlocked()
      let told = Tally()
      // The calls of one thread have an order, which tasks do not have.
      for number in 1...50 {
        runToCompletion {
          store.save("\(number)", completion: $0)
        } completion: { result in
          if case .success = result { told.increment() }
        }
      }
      script.unblock()
      try await first.value
      try await client.close()
      try await until { told.count == 50 }
      #expect(try folder.bytes() == stored("50"))
      #expect(script.steps.count { $0 == .write } == 2)
    }
  }

  @Test("a cancelled caller stops waiting at once, and its value is saved", arguments: ServiceForm.allCases)
  func cancellation(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let client = StoreClient(
        form, try folder.store(tracker, of: String.self, fileSystem: script.fileSystem))
      script.block(.write)
      let save = Task { try await client.save("new") }
      await script.waitUntilBlocked()
      save.cancel()
      await #expect(throws: CancellationError.self) { try await save.value }
      script.unblock()
      try await client.close()
      #expect(try folder.bytes() == stored("new"))
    }
  }

  @Test("a second store gets an error until the first is closed or released", arguments: ServiceForm.allCases)
  func inUse(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let first = StoreClient(form, try folder.store(tracker, of: String.self))
      let second = StoreClient(form, try folder.store(tracker, of: String.self))
      try await first.save("first")
      let error = StorageError.inUse(file: "note.json")
      await #expect(throws: error) { _ = try await second.load() }
      await #expect(throws: error) { try await second.save("second") }
      #expect(try folder.bytes() == stored("first"))
      try await first.close()
      try await second.flush()
      #expect(try folder.bytes() == stored("second"))
      try await second.close()
    }
  }

  @Test("a store that may wait opens the file when it is free", arguments: ServiceForm.allCases)
  func waiting(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let first = StoreClient(form, try folder.store(tracker, of: String.self))
      try await first.save("first")
      let access = StoreAccess.waitUntilFree(checkingEvery: .seconds(1))
      let second = StoreClient(form, try folder.store(tracker, of: String.self, access: access, clock: clock))
      let load = Task { try await second.load() }
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(1))
      await clock.waitForSleepers(1)
      try await first.close()
      clock.advance(by: .seconds(1))
      #expect(try await load.value == StoredValue("first"))
      try await second.close()
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test("if all callers are cancelled, a store stops waiting for the file", arguments: ServiceForm.allCases)
  func cancelledWait(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let first = StoreClient(form, try folder.store(tracker, of: String.self))
      try await first.save("first")
      let access = StoreAccess.waitUntilFree(checkingEvery: .seconds(1))
      let second = StoreClient(form, try folder.store(tracker, of: String.self, access: access, clock: clock))
      let load = Task { try await second.load() }
      await clock.waitForSleepers(1)
      load.cancel()
      await #expect(throws: CancellationError.self) { _ = try await load.value }
      try await until { clock.sleeperCount == 0 }
      try await first.close()
      try await second.close()
    }
  }

  @Test("a released store releases its lock")
  func released() async throws {
    try await LeakTracker.check { tracker in
      try await folder.store(tracker, of: String.self).save("first")
      try await tracker.assertAllReleased()
      let access = StoreAccess.waitUntilFree(checkingEvery: .milliseconds(1))
      let second = tracker.track(try FileStore<String>(at: folder.file, access: access))
      #expect(try await second.load() == StoredValue("first"))
      try await second.close()
    }
  }
}
