public import AsyncViewModelsGCD
public import Dispatch
public import Foundation
public import StorefrontDomain
import Synchronization

/// A file that keeps one value, and survives crashes and power cuts.
///
/// ```swift
/// let folder = try StorageFolder.applicationSupport("Storefront")
/// let store = try FileStore<SavedCart>(at: folder.appending(path: "cart.json"))
/// let saved = try await store.load().value ?? SavedCart()
/// let cart = CartViewModel(restoring: saved, service: storefront, storage: store)
/// ```
///
/// | topic | guarantee |
/// | --- | --- |
/// | a crash or a power cut | The file has its complete old or its complete new contents. |
/// | several calls | They take effect in the order in which they begin. Of the values that wait for a write, only the newest is written. |
/// | a failed save | The old file stays, unless only the flush of the folder has failed. The store keeps the value: ``load()`` returns it, and ``flush()``, ``close()``, the next save, and the call that opens the file try again. |
/// | a file that cannot be decoded | It gets another name, which ``load()`` reports, and the store is empty. The folder keeps the newest five. |
/// | a file with a newer schema, a folder, a pipe or a device | It is not touched, and every call fails. |
/// | another store of this file, in any process | Only one can open it: see ``StoreAccess``. A call that cannot open the file fails, and the next call tries again. |
/// | a cancelled call | It throws `CancellationError` at once. A load ends. A save, a flush or a close continues without its caller, also while another store uses the file, unless no value must be written and all callers are cancelled. |
/// | the release of the store | Running calls keep the file open and locked. A value whose save has failed is lost. |
///
/// The folder also has a lock file (`cart.json.lock`), which must stay while a store is open, and a
/// temporary file during a save. The store removes old temporary files.
///
/// - Isolation: None. The file work and the coding run on a serial queue of the store.
/// - Errors: ``/StorefrontDomain/StorageError``.
public final class FileStore<Value: Codable & Sendable>: Sendable {
  private let engine: StoreEngine<Value>
  private let callbackQueue: DispatchQueue
  private let lastID = Atomic(0)

  /// Creates a store. This initializer does no file work.
  ///
  /// - Parameters:
  ///   - url: The URL of the file. Its folder must exist when the store opens the file.
  ///   - schema: The version of the encoded form, and the migration from older versions.
  ///   - access: What the store does if another store uses the file.
  ///   - scheduler: Measures the intervals of ``StoreAccess/waitUntilFree(checkingEvery:)``.
  ///   - queue: The queue on which completion handlers are called.
  /// - Throws: ``/StorefrontDomain/StorageError/invalidLocation(_:)`` if `url` is not the URL of a
  ///   file. ``/StorefrontDomain/StorageError/failed(_:file:code:reason:)`` with the step
  ///   ``/StorefrontDomain/StorageStep/create`` if the name has more than 229 bytes, because the
  ///   names of temporary files are longer.
  public convenience init(
    at url: URL, schema: FileSchema<Value> = FileSchema(), access: StoreAccess = .failIfInUse,
    scheduler: any CallbackScheduler = DispatchCallbackScheduler(), queue: DispatchQueue = .global()
  ) throws(StorageError) {
    try self.init(
      at: url, schema: schema, access: access, scheduler: scheduler, queue: queue,
      fileSystem: SystemFileSystem())
  }

  /// Creates a store with a file system that a test provides.
  package init(
    at url: URL, schema: FileSchema<Value> = FileSchema(), access: StoreAccess = .failIfInUse,
    scheduler: any CallbackScheduler = DispatchCallbackScheduler(), queue: DispatchQueue = .global(),
    fileSystem: any StorageFileSystem
  ) throws(StorageError) {
    engine = StoreEngine(
      try StoreFiles(at: url, in: fileSystem), schema: schema, access: access, scheduler: scheduler)
    callbackQueue = queue
  }
}

// MARK: - Completion handlers

extension FileStore {
  /// Loads the newest value: the last value that was passed to this store, or that of the file.
  ///
  /// Calls `completion` exactly once. Cancelling or releasing the token cancels the call.
  public func load(
    completion: @escaping @Sendable (Result<StoredValue<Value>, any Error>) -> Void
  ) -> CancellationToken {
    load(on: callbackQueue, completion)
  }

  /// Saves a value, and calls `completion` when this value or a newer one is on the disk.
  ///
  /// `completion` is called exactly once, with the error of the write of this or a newer value, if
  /// any. Cancelling or releasing the token ends only the wait.
  public func save(
    _ value: Value, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    change(to: value, on: callbackQueue, completion)
  }

  /// Removes the value, with the guarantees of ``save(_:completion:)``.
  public func clear(
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    change(to: nil, on: callbackQueue, completion)
  }

  /// Writes the newest value if it is not on the disk, for example because its save has failed.
  ///
  /// Calls `completion` exactly once, after the file work of all earlier calls. Cancelling or
  /// releasing the token ends only the wait.
  public func flush(
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    perform(on: callbackQueue, completion) { $0.flush($1) }
  }

  /// Flushes, and then releases the file for other stores. See ``close()``.
  ///
  /// Calls `completion` exactly once, after the file work of all earlier calls. Cancelling or
  /// releasing the token ends only the wait.
  public func close(
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    perform(on: callbackQueue, completion) { $0.close($1) }
  }
}

// MARK: - Async functions

extension FileStore {
  /// Loads the newest value: the last value that was passed to this store, or that of the file.
  public func load() async throws -> StoredValue<Value> {
    try await withCompletionHandler { load(on: nil, $0) }
  }

  /// Saves a value, and returns when this value or a newer one is on the disk.
  ///
  /// - Throws: ``/StorefrontDomain/StorageError`` if the write of this or a newer value has failed.
  ///   `CancellationError` after a cancellation, which ends only the wait. A task that is cancelled
  ///   before the call saves nothing.
  /// - Note: Each save creates a new file, which inherits `isExcludedFromBackup` and the file
  ///   protection from the folder. The first save replaces a symbolic link.
  public func save(_ value: Value) async throws {
    try await withCompletionHandler { change(to: value, on: nil, $0) }
  }

  /// Removes the value, with the guarantees of ``save(_:)``. When the user signs out, await
  /// `close()` of the view model first.
  public func clear() async throws {
    try await withCompletionHandler { change(to: nil, on: nil, $0) }
  }

  /// Writes the newest value if it is not on the disk, for example because its save has failed.
  ///
  /// Returns after the file work of all earlier calls. A cancellation ends only the wait.
  public func flush() async throws {
    try await withCompletionHandler { perform(on: nil, $0) { $0.flush($1) } }
  }

  /// Flushes, and then releases the file for other stores. If the flush fails, the store stays
  /// open.
  ///
  /// Later calls fail with ``/StorefrontDomain/StorageError/closed(file:)``, except a save of a
  /// value that is already written. So does a load that waits for a file in use, unless a value
  /// must be written. Closing a closed store does nothing. A cancellation ends only the wait.
  ///
  /// - Important: iOS ends an app or an extension that is suspended while it locks a file in a
  ///   shared container, with the exception code `0xDEAD10CC`. Start a background task
  ///   (`UIApplication.beginBackgroundTask`, or `ProcessInfo.performExpiringActivity` in an
  ///   extension), await the `flush()` of the view model and this method, end the task, and create
  ///   a new store when the process is active again.
  public func close() async throws {
    try await withCompletionHandler { perform(on: nil, $0) { $0.close($1) } }
  }
}

// MARK: - Calls

extension FileStore {
  private typealias Completion<Output> = @Sendable (Result<Output, any Error>) -> Void

  private func load(
    on callbackQueue: DispatchQueue?, _ completion: @escaping Completion<StoredValue<Value>>
  ) -> CancellationToken {
    request(on: callbackQueue, completion) { engine, id, complete in
      engine.perform(.init(id: id) { opening in complete(opening.map { engine.contents }) })
    }
  }

  private func change(
    to value: Value?, on callbackQueue: DispatchQueue?, _ completion: @escaping Completion<Void>
  ) -> CancellationToken {
    let ticket = engine.add(value)
    return perform(on: callbackQueue, completion) { engine, call in
      engine.perform(.init(id: call.id) { call.run(engine.save(ticket, $0)) })
    }
  }

  private func perform(
    on callbackQueue: DispatchQueue?, _ completion: @escaping Completion<Void>,
    _ start: @escaping @Sendable (StoreEngine<Value>, StoreEngine<Value>.Call) -> Void
  ) -> CancellationToken {
    request(on: callbackQueue, completion) { engine, id, complete in
      start(engine, .init(id: id, run: complete))
    }
  }

  /// Starts a call on the queue of the store.
  ///
  /// - Parameter callbackQueue: `nil` for a handler that only resumes a task.
  private func request<Output: Sendable>(
    on callbackQueue: DispatchQueue?, _ completion: @escaping Completion<Output>,
    _ start:
      @escaping @Sendable (
        StoreEngine<Value>, _ id: Int, _ complete: @escaping (Result<Output, StorageError>) -> Void
      ) -> Void
  ) -> CancellationToken {
    let id = lastID.add(1, ordering: .relaxed).newValue
    let completion = SingleCompletion(completion)
    engine.queue.async { [engine] in
      start(engine, id) { outcome in
        let result = outcome.mapError { $0 as any Error }
        guard let callbackQueue else { return completion.complete { result } }
        callbackQueue.async { completion.complete { result } }
      }
    }
    // Weak: a token that is kept longer must not keep the file locked. A call retains the engine.
    return CancellationToken { [weak engine, callbackQueue] in
      if let engine { engine.queue.async { engine.remove(id) } }
      // Asynchronous: the caller of `cancel()` may hold a lock that the handler needs.
      (callbackQueue ?? .global()).async { completion.complete { .failure(CancellationError()) } }
    }
  }
}
