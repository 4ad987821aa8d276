import AsyncViewModelsGCD
import Dispatch
import StorefrontDomain
import Synchronization

/// Runs the calls of a store one at a time, on a serial queue.
///
/// The first call opens the file. If the file is in use and the store may wait for it, the calls
/// wait, too. The wait retains the engine, while a call waits or a value is not on the disk.
///
/// `@unchecked Sendable`: `phase`, `waiting` and `retry` are used only on `queue`, and in `deinit`.
final class StoreEngine<Value: Codable & Sendable>: @unchecked Sendable {
  private enum Phase {
    case unopened
    case open(lock: Int32, OldFiles)
    case closed
  }

  /// What the store has found in the folder.
  private struct OldFiles {
    var damaged: DamagedFile?
    var unremoved: [String] = []
  }

  /// A call that waits until the file is open or cannot be opened.
  struct Call {
    let id: Int
    /// Whether the call continues without its caller. A save need not: opening writes its value.
    var continuesWithoutCaller = false
    let run: (Result<Void, StorageError>) -> Void
  }

  let queue = DispatchQueue(label: "Storefront.FileStore")
  private let files: StoreFiles
  private let schema: FileSchema<Value>
  private let access: StoreAccess
  private let scheduler: any CallbackScheduler
  private let saves = Mutex(SaveTickets<Value>())

  private var phase = Phase.unopened
  private var waiting: [Call] = []
  private var retry: CancellationToken?

  init(
    _ files: StoreFiles, schema: FileSchema<Value>, access: StoreAccess, scheduler: any CallbackScheduler
  ) {
    self.files = files
    self.schema = schema
    self.access = access
    self.scheduler = scheduler
  }

  deinit {
    guard case .open(let lock, _) = phase else { return }
    queue.async { [files] in files.unlock(lock) }
  }

  /// Makes `value` the newest value, on the caller's thread.
  func add(_ value: Value?) -> Int {
    let (ticket, replaced) = saves.withLock { $0.add(value) }
    // Released after the unlock: the `deinit` of a value can run any code.
    return withExtendedLifetime(replaced) { ticket }
  }

  // MARK: Calls, on the queue

  func perform(_ call: Call) {
    switch phase {
    case .open: call.run(.success(()))
    case .closed: call.run(.failure(closedError))
    case .unopened:
      waiting.append(call)
      if waiting.count == 1 { attemptToOpen() }
    }
  }

  /// Removes a waiting call whose caller was cancelled. Stops waiting if nothing is left to do.
  func remove(_ id: Int) {
    waiting.removeAll { $0.id == id && !$0.continuesWithoutCaller }
    if !needsFile { retry = nil }
  }

  private var needsFile: Bool { !waiting.isEmpty || isUnsaved }

  private var isUnsaved: Bool { saves.withLock { $0.isUnsaved } }

  var contents: StoredValue<Value> {
    let newest = saves.withLock { $0.newest }
    guard case .open(_, let old) = phase else { return StoredValue(newest) }
    return StoredValue(newest, damagedFile: old.damaged, unremovedFiles: old.unremoved)
  }

  /// Ends the turn of a ticket, after the attempt to open the file.
  func save(_ ticket: Int, _ opening: Result<Void, StorageError>) -> Result<Void, StorageError> {
    let turn = saves.withLock { $0.turn(of: ticket) }
    if case .isStored = turn { return .success(()) }
    return opening.flatMap { take(turn) }
  }

  /// Writes the newest value if it is not on the disk. Opens the file only for that purpose.
  func flush(_ call: Call) {
    guard isUnsaved else { return call.run(.success(())) }
    perform(
      Call(id: call.id, continuesWithoutCaller: call.continuesWithoutCaller) { opening in
        call.run(opening.flatMap { self.take(self.saves.withLock { $0.flushTurn }) })
      })
  }

  /// Flushes, and then releases the lock. If the flush fails, the store stays open.
  ///
  /// If every value is on the disk, the calls that wait for the file are loads. They fail.
  func close(_ call: Call) {
    if case .closed = phase { return call.run(.success(())) }
    flush(
      Call(id: call.id, continuesWithoutCaller: true) { flushed in
        if case .success = flushed { self.end() }
        call.run(flushed)
      })
  }

  private func end() {
    if case .open(let lock, _) = phase { files.unlock(lock) }
    phase = .closed
    retry = nil
    completeWaiting(.failure(closedError))
  }

  private var closedError: StorageError { .closed(file: files.name) }

  private func take(_ turn: SaveTickets<Value>.Turn) -> Result<Void, StorageError> {
    switch turn {
    case .isStored: return .success(())
    case .hasFailed(let error): return .failure(error)
    case .write(let value, let ticket):
      let result = Result { () throws(StorageError) in try write(value) }
      saves.withLock { $0.end(ticket, with: result) }
      return result
    }
  }

  private func write(_ value: Value?) throws(StorageError) {
    let bytes: [UInt8]
    do { bytes = try schema.encode(value) } catch {
      throw .unencodable(file: files.name, reason: error.encodingReason)
    }
    try files.replace(with: bytes)
  }
}

// MARK: - Opening

extension StoreEngine {
  private func attemptToOpen() {
    retry = nil
    do throws(StorageError) {
      guard let lock = try files.lock() else { return try waitUntilFree() }
      do throws(StorageError) { phase = .open(lock: lock, try readFile()) } catch {
        files.unlock(lock)
        throw error
      }
    } catch {
      return completeWaiting(.failure(error))
    }
    completeWaiting(.success(()))
    writeUnsaved()
  }

  /// Writes a value whose caller has left, or whose save has failed because the file could not be
  /// opened. If this write fails, the next flush tries again.
  private func writeUnsaved() {
    guard case .open = phase else { return }
    _ = take(saves.withLock { $0.turn(of: $0.last) })
  }

  private func waitUntilFree() throws(StorageError) {
    guard case .waitUntilFree(let interval) = access else { throw .inUse(file: files.name) }
    retry = scheduler.schedule(after: max(interval, .milliseconds(1)), on: queue) { [self] in
      guard case .unopened = phase, needsFile else { return }
      attemptToOpen()
    }
  }

  /// Reads the value of the file. Sets a damaged file aside.
  private func readFile() throws(StorageError) -> OldFiles {
    let names = try files.names()
    var old = OldFiles()
    old.unremoved = files.removeTemporaryFiles(among: names)
    guard let bytes = try files.contents() else { return old }
    switch schema.decode(bytes) {
    case .value(let value):
      saves.withLock { $0.begin(with: value) }
    case .newer(let version):
      throw .newerSchema(file: files.name, found: version, supported: schema.version)
    case .damaged(let damage):
      old.damaged = DamagedFile(name: try files.setAside(among: names), reason: damage.reason)
      old.unremoved += files.removeOldDamagedFiles(among: names)
    }
    return old
  }

  /// Completes the waiting calls in order. Each checks the phase again: a call can close the store.
  private func completeWaiting(_ opening: Result<Void, StorageError>) {
    let calls = waiting
    waiting = []
    for call in calls {
      if case .failure = opening { call.run(opening) } else { perform(call) }
    }
  }
}

extension Error {
  /// The field and the reason of an encoding error.
  fileprivate var encodingReason: String {
    guard case EncodingError.invalidValue(_, let context) = self as any Error else { return decodingReason }
    return DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: context.codingPath, debugDescription: context.debugDescription)
    ).decodingReason
  }
}
