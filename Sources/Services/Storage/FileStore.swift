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
/// - Isolation: None. Use every member from any thread or actor. All file work, the encoding and the decoding run on a
///   serial queue of the store. Completion handlers are called on the queue that is passed to the initializer.
/// - Files: The store replaces its file in one step: after a crash at any point, the file has either its complete old
///   contents or its complete new contents. A lock file (`cart.json.lock`) and, during a save, a temporary file lie in the same folder. Do not
///   remove the lock file while a store is open. The store removes temporary files of processes that have ended.
/// - Opening: The first call that needs the file opens it: it locks the file and reads the value. If that fails, the next
///   call tries again. Only one store at a time can open a file, in all processes: see ``StoreAccess``.
/// - Damage: A file that cannot be decoded gets another name in the same folder, which ``load()`` reports. The store is
///   then empty. The folder keeps the newest five damaged files. A file with a newer schema is not touched, and every call
///   fails. A folder, a pipe or a device at the URL is not touched either.
/// - Ordering: The last value that was passed to `save` or `clear` wins. While a value is being written, only the newest
///   of the waiting values is written next.
/// - Cancellation: A cancelled call throws `CancellationError` at once. A load ends. A save, a flush or a close continues
///   without its caller: the value is written, even if the store must first wait for a file in use. This wait ends if all
///   its callers are cancelled and no value must be written. The next call of the store then tries again.
/// - Errors: ``/StorefrontDomain/StorageError``. A failed save keeps the old file, unless only the last step, the flush of the
///   folder, has failed. It keeps the value as the newest value:
///   ``load()`` returns it, and ``flush()``, ``close()`` and the next save try again. If the save has failed because the
///   file could not be opened, the next call that opens the file also writes the value.
/// - Closing: Calls take effect in the order in which they begin. A call after ``close()`` fails with
///   ``/StorefrontDomain/StorageError/closed(file:)``, unless it saves a value that the close has already written.
/// - Lifetime: Running calls keep the file open, also after the store is released. The lock is released soon after the last
///   of them has ended. A save whose caller was cancelled is such a call: it can wait for a file in use for as long as the
///   process runs. A value whose save has failed is lost with the store.
/// - Note: Each save creates a new file. Set `isExcludedFromBackup` and the file protection on the folder, from which the
///   file inherits them. If the file is a symbolic link, the store reads the target, and the first save replaces the link.
/// - Important: iOS ends an app or an extension that is suspended while it locks a file in a shared container, with the
///   exception code `0xDEAD10CC`. Close such a store before the process is suspended: start a background task
///   (`UIApplication.beginBackgroundTask`, or `ProcessInfo.performExpiringActivity` in an extension), await ``close()``,
///   end the task, and create a new store when the process is active again. A view model that saves to the store can still have a
///   change to save: await its `flush()` first.
/// - Note: When the user signs out, await `close()` of the view model that saves to the store, and then ``clear()``.
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
  /// - Throws: ``/StorefrontDomain/StorageError/invalidLocation(_:)`` if `url` is not the URL of a file.
  ///   ``/StorefrontDomain/StorageError/failed(_:file:code:reason:)`` with the step ``/StorefrontDomain/StorageStep/create`` if the
  ///   name has more than 229 bytes, because the names of temporary files are longer.
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
  /// Loads the newest value: the last value that was passed to this store, or else the value of the file.
  ///
  /// Calls `completion` exactly once, with the value or a ``/StorefrontDomain/StorageError``. After a cancellation,
  /// `completion` receives `CancellationError`, unless the result arrived first. Cancelling or releasing the token cancels
  /// the call.
  public func load(
    completion: @escaping @Sendable (Result<StoredValue<Value>, any Error>) -> Void
  ) -> CancellationToken {
    load(on: callbackQueue, completion)
  }

  /// Saves a value, and calls `completion` when this value or a newer one is on the disk.
  ///
  /// `completion` is called exactly once. It receives a ``/StorefrontDomain/StorageError`` if the write of this value, or
  /// of a newer value in its place, has failed. Cancelling or releasing the token ends only the wait: `completion` receives
  /// `CancellationError`, unless the result arrived first.
  public func save(
    _ value: Value, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    change(to: value, on: callbackQueue, completion)
  }

  /// Removes the value, and calls `completion` when the removal or a newer value is on the disk.
  ///
  /// The guarantees are those of ``save(_:completion:)``.
  public func clear(
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    change(to: nil, on: callbackQueue, completion)
  }

  /// Writes the newest value if it is not on the disk, for example because its save has failed.
  ///
  /// Calls `completion` exactly once, after the file work of all earlier calls of `save` and `clear`. Cancelling or
  /// releasing the token ends only the wait.
  public func flush(
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    perform(on: callbackQueue, completion) { $0.flush($1) }
  }

  /// Flushes, and then releases the file for other stores.
  ///
  /// Calls `completion` exactly once, after the file work of all earlier calls. A load that still waits for a file in use
  /// fails, unless a value must be written. Later calls of other methods fail, too, with
  /// ``/StorefrontDomain/StorageError/closed(file:)``. If the flush fails, the store stays open. Closing a closed store
  /// does nothing. Cancelling or releasing the token ends only the wait.
  public func close(
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    perform(on: callbackQueue, completion) { $0.close($1) }
  }
}

// MARK: - Async functions

extension FileStore {
  /// Loads the newest value: the last value that was passed to this store, or else the value of the file.
  ///
  /// - Throws: ``/StorefrontDomain/StorageError``, or `CancellationError` if the task is cancelled first.
  public func load() async throws -> StoredValue<Value> {
    try await withCompletionHandler { load(on: nil, $0) }
  }

  /// Saves a value, and returns when this value or a newer one is on the disk.
  ///
  /// - Throws: ``/StorefrontDomain/StorageError`` if the write of this value, or of a newer value in its place, has failed.
  ///   `CancellationError` if the task is cancelled first. If the task was already cancelled before the call, the value is
  ///   not saved. In all other cases, the cancellation ends only the wait.
  public func save(_ value: Value) async throws {
    try await withCompletionHandler { change(to: value, on: nil, $0) }
  }

  /// Removes the value, and returns when the removal or a newer value is on the disk.
  ///
  /// - Throws: The errors of ``save(_:)``.
  public func clear() async throws {
    try await withCompletionHandler { change(to: nil, on: nil, $0) }
  }

  /// Writes the newest value if it is not on the disk, for example because its save has failed.
  ///
  /// Returns after the file work of all earlier calls of `save` and `clear`. A cancellation ends only the wait.
  ///
  /// - Throws: ``/StorefrontDomain/StorageError``, or `CancellationError` if the task is cancelled first.
  public func flush() async throws {
    try await withCompletionHandler { perform(on: nil, $0) { $0.flush($1) } }
  }

  /// Flushes, and then releases the file for other stores.
  ///
  /// A load that still waits for a file in use fails with ``/StorefrontDomain/StorageError/closed(file:)``, unless a value
  /// must be written. Later calls of other methods fail with the same error. Closing a closed store does nothing. A
  /// cancellation ends only the wait.
  ///
  /// - Throws: ``/StorefrontDomain/StorageError`` if the flush fails. Then the store stays open. `CancellationError` if the
  ///   task is cancelled first.
  public func close() async throws {
    try await withCompletionHandler { perform(on: nil, $0) { $0.close($1) } }
  }
}

// MARK: - Calls

extension FileStore {
  private typealias Completion<Answer> = @Sendable (Result<Answer, any Error>) -> Void

  private func load(
    on callbackQueue: DispatchQueue?, _ completion: @escaping Completion<StoredValue<Value>>
  ) -> CancellationToken {
    request(on: callbackQueue, completion) { engine, id, answer in
      engine.perform(.init(id: id) { opening in answer(opening.map { engine.contents }) })
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
    request(on: callbackQueue, completion) { engine, id, answer in start(engine, .init(id: id, run: answer)) }
  }

  /// Starts a call on the queue of the store.
  ///
  /// - Parameter callbackQueue: The queue of the completion handler, or `nil` for a handler that only resumes a task.
  private func request<Answer: Sendable>(
    on callbackQueue: DispatchQueue?, _ completion: @escaping Completion<Answer>,
    _ start:
      @escaping @Sendable (
        StoreEngine<Value>, _ id: Int, _ answer: @escaping (Result<Answer, StorageError>) -> Void
      ) -> Void
  ) -> CancellationToken {
    let id = lastID.add(1, ordering: .relaxed).newValue
    let completion = SingleCompletion(completion)
    engine.queue.async { [engine] in
      start(engine, id) { answer in
        let result = answer.mapError { $0 as any Error }
        guard let callbackQueue else { return completion.complete { result } }
        callbackQueue.async { completion.complete { result } }
      }
    }
    // The call retains the engine until its end. A token that is kept longer must not keep the file locked.
    return CancellationToken { [weak engine, callbackQueue] in
      if let engine { engine.queue.async { engine.remove(id) } }
      // Calls the handler asynchronously, because the caller of `cancel()` may hold a lock that the handler needs.
      (callbackQueue ?? .global()).async { completion.complete { .failure(CancellationError()) } }
    }
  }
}
