import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Synchronization
import Testing

/// A storage that completes each write before it returns.
@Suite("Profile: a storage that completes at once", .timeLimit(.minutes(5)), .endsWaits)
struct ImmediateStorageTests {
  @Test(
    "text that is typed during each write is saved without a deeper stack",
    arguments: [MigrationStage.closure, .stream])
  func stackDepth(stage: MigrationStage) async throws {
    let (service, storage) = (ScriptedProfileEditingService(), ImmediateStorage())
    try await LeakTracker.check { tracker in
      let model = stage.makeProfile(service: service, storage: storage)
      tracker.track(model.subject)
      try await loadProfile(model, service)
      let edits = Atomic(0)
      storage.typing { [weak subject = model.subject] in
        let number = edits.add(1, ordering: .relaxed).newValue
        guard number <= 300 else { return }
        switch subject {
        case let model as ProfileClosureViewModel: try? model.edit(.name, to: "Ada \(number)")
        case let model as ProfileStreamViewModel: try? model.edit(.name, to: "Ada \(number)")
        default: break
        }
      }
      try model.edit(.name, to: "Ada")
      try await model.flush().value
      #expect(storage.last?.draft.name == "Ada 300")
      #expect(storage.stackDepth < 32_768)
    }
  }
}

/// Keeps the last draft, and calls back during each write.
private final class ImmediateStorage: ProfileDraftStorage, ProfileDraftClosureStorage {
  private struct State {
    var last: SavedProfileDraft?
    var addresses: [UInt] = []
    var typing: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  var last: SavedProfileDraft? { state.withLock(\.last) }

  /// The number of bytes between the highest and the lowest stack frame of a write.
  var stackDepth: UInt {
    state.withLock { state in (state.addresses.max() ?? 0) - (state.addresses.min() ?? 0) }
  }

  func typing(_ type: @escaping @Sendable () -> Void) { state.withLock { $0.typing = type } }

  func load(
    completion: @escaping @Sendable (Result<StoredValue<SavedProfileDraft>, any Error>) -> Void
  ) -> CancellationToken {
    completion(.success(StoredValue(nil)))
    return .finished
  }

  func save(
    _ draft: SavedProfileDraft, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    write(draft)
    completion(.success(()))
    return .finished
  }

  func clear(completion: @escaping @Sendable (Result<Void, any Error>) -> Void) -> CancellationToken {
    write(nil)
    completion(.success(()))
    return .finished
  }

  func load() async throws -> StoredValue<SavedProfileDraft> { StoredValue(nil) }
  func save(_ draft: SavedProfileDraft) async throws { write(draft) }
  func clear() async throws { write(nil) }

  private func write(_ draft: SavedProfileDraft?) {
    var frame = 0
    let address = unsafe withUnsafeMutablePointer(to: &frame) { UInt(bitPattern: $0) }
    let typing = state.withLock { state in
      state.last = draft
      // Only the writes of the thread that types first: a flush runs on another one.
      if state.typing != nil, state.addresses.count <= 300 { state.addresses.append(address) }
      return state.typing
    }
    typing?()
  }
}
