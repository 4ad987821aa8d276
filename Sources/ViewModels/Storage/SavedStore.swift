import AsyncViewModelsGCD
package import StorefrontDomain

/// A state of which a part is kept in a storage.
package protocol StoredState: Sendable {
  associatedtype Saved: Equatable & Sendable

  /// What the storage has to keep.
  var saved: Saved { get }

  /// Records the result of a write.
  mutating func recordWrite(_ result: Result<Void, any Error>)
}

extension CartState: StoredState {}
extension ProfileState: StoredState {}

/// The store of a state, in any stage.
package protocol UpdatableStore: Sendable {
  associatedtype Value: Sendable

  var value: Value { get }

  func update<Output: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Output
  ) throws(Failure) -> Output
}

extension CallbackState: UpdatableStore {}
extension StateStore: UpdatableStore {}

/// Saves a state: each update begins a save before it returns, and so before a caller learns its
/// result.
///
/// ```swift
/// let step = savedStore.update { $0.receive(outcome, for: request) }
/// ```
///
/// Update the store itself if the change does not have to be saved. Without a storage, saves
/// nothing. Does not retain the view model.
package struct SavedStore<Store: UpdatableStore>: Sendable where Store.Value: StoredState {
  private let store: Store
  private let saver: StorageSaver<Store.Value.Saved>?

  private init(_ store: Store, saver: StorageSaver<Store.Value.Saved>?) {
    self.store = store
    self.saver = saver
  }

  /// This store, or `nil` without a storage.
  var ifStored: Self? { saver == nil ? nil : self }

  /// Changes the state, and saves it now or after the save in progress.
  @discardableResult
  package func update<Output: Sendable, Failure: Error>(
    _ body: (inout Store.Value) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    let output = try store.update(body)
    saver?.save()
    return output
  }

  /// Saves what the storage lacks. `completion` is called on any thread.
  package func flush(completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    if let saver { saver.save(completion: completion) } else { completion(.success(())) }
  }

  /// Saves what the storage lacks. Returns when no further save is due, even if cancelled.
  func flush() async throws { try await saver?.flush() }

  /// Ends all saves for good. `completion` is called on any thread when none is in progress.
  package func close(throwing error: any Error, completion: @escaping @Sendable () -> Void) {
    if let saver { saver.close(throwing: error, completion: completion) } else { completion() }
  }

  /// Ends all saves for good. Returns when none is in progress, even if cancelled.
  func close(throwing error: any Error) async { await saver?.close(throwing: error) }
}

extension SavedStore {
  /// Changes the state in place, and saves it. See `updateInPlace` of the store.
  func updateInPlace<State, Output: Sendable, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Output
  ) throws(Failure) -> Output where Store == StateStore<State> {
    let output = try store.updateInPlace(body)
    saver?.save()
    return output
  }
}

extension SavedStore where Store.Value == CartState {
  /// Saves a cart. The contents of the storage are not known.
  package init(_ store: Store, in storage: (any CartClosureStorage)?) {
    let saver = storage.map { storage in
      StorageSaver(of: store, stored: nil) { cart, completion in storage.save(cart, completion: completion) }
    }
    self.init(store, saver: saver)
  }
}

extension SavedStore where Store.Value == ProfileState {
  /// Saves a draft. `nil` removes the draft of the storage, which contains `stored`.
  init(_ store: Store, in storage: (any ProfileDraftClosureStorage)?, containing stored: SavedProfileDraft?) {
    let saver = storage.map { storage in
      StorageSaver(of: store, stored: .some(stored)) { draft, completion in
        guard let draft else { return storage.clear(completion: completion) }
        return storage.save(draft, completion: completion)
      }
    }
    self.init(store, saver: saver)
  }
}
