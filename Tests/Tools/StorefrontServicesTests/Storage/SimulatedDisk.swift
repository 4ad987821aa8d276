import Foundation
import StorefrontServices
import Synchronization

/// A folder in memory that can lose everything that was not synced, as in a power cut.
///
/// A file has the bytes that were written and the bytes that were synced. The folder has the names on the disk, and the
/// changes since its last sync. A power cut can lose any of these changes and keep any other, because POSIX does not
/// promise an order. A rename is one change. Locks end with the power.
final class SimulatedDisk: StorageFileSystem {
  struct File: Sendable {
    var written: [UInt8] = []
    var synced: [UInt8] = []
  }

  struct State: Sendable {
    var files: [Int: File] = [:]
    /// The names on the disk.
    var names: [String: Int] = [:]
    /// The changes of the names since the last sync of the folder. `nil` removes a name.
    var changes: [[String: Int?]] = []
    var locked: Set<Int32> = []
    var lastID = 0

    /// The names as a process sees them.
    var current: [String: Int] { names(after: changes) }

    private func names(after changes: some Sequence<[String: Int?]>) -> [String: Int] {
      changes.joined().reduce(into: names) { $0[$1.key] = $1.value }
    }

    /// Every disk that a power cut can leave: with each selection of the changes, and with all, half or none of the bytes that
    /// were not synced.
    var survivors: [SimulatedDisk] {
      (0..<(1 << changes.count)).flatMap { selection in
        let names = names(after: changes.indices.filter { selection & 1 << $0 != 0 }.map { changes[$0] })
        return [0, 1, 2].map { halves in
          var state = State(names: names, lastID: lastID)
          for id in names.values {
            guard let file = files[id] else { continue }
            let unsynced = file.written.dropFirst(file.synced.count)
            let bytes = file.synced + unsynced.prefix(unsynced.count * halves / 2)
            state.files[id] = File(written: bytes, synced: bytes)
          }
          return SimulatedDisk(state)
        }
      }
    }
  }

  private let state: Mutex<State>
  private let history = Mutex<[State]>([])

  init(_ state: State = State()) { self.state = Mutex(state) }

  /// The state before the first change and after each change.
  var states: [State] { history.withLock { $0 } }

  private func change<Answer: Sendable>(
    _ body: (inout State) throws(SystemCallError) -> Answer
  ) throws(SystemCallError) -> Answer {
    let result = state.withLock { state in
      let before = state
      let result = Result { () throws(SystemCallError) in try body(&state) }
      return (result, before, state)
    }
    history.withLock { $0 += [result.1, result.2] }
    return try result.0.get()
  }

  private func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

  func lock(_ path: String) throws(SystemCallError) -> Int32? {
    try change { state throws(SystemCallError) in
      guard state.locked.isEmpty else { return nil }
      state.locked = [-2]
      return -2
    }
  }

  func names(in folder: String) throws(SystemCallError) -> [String] {
    state.withLock { Array($0.current.keys) }
  }

  func contents(of path: String) throws(SystemCallError) -> [UInt8]? {
    state.withLock { state in state.current[name(path)].flatMap { state.files[$0]?.written } }
  }

  func create(_ path: String) throws(SystemCallError) -> Int32 {
    try change { state throws(SystemCallError) in
      guard state.current[name(path)] == nil else { throw SystemCallError(code: EEXIST) }
      state.lastID += 1
      state.files[state.lastID] = File()
      state.changes.append([name(path): state.lastID])
      return Int32(state.lastID)
    }
  }

  func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemCallError) {
    try change { state throws(SystemCallError) in state.files[Int(descriptor)]?.written += bytes }
  }

  func sync(_ descriptor: Int32) throws(SystemCallError) {
    try change { state throws(SystemCallError) in
      let written = state.files[Int(descriptor)]?.written ?? []
      state.files[Int(descriptor)]?.synced = written
    }
  }

  func close(_ descriptor: Int32) {
    state.withLock { _ = $0.locked.remove(descriptor) }
  }

  func rename(_ path: String, to newPath: String) throws(SystemCallError) {
    try change { state throws(SystemCallError) in
      state.changes.append([name(newPath): state.current[name(path)], name(path): nil])
    }
  }

  func link(_ path: String, to newPath: String) throws(SystemCallError) {
    try change { state throws(SystemCallError) in
      guard state.current[name(newPath)] == nil else { throw SystemCallError(code: EEXIST) }
      state.changes.append([name(newPath): state.current[name(path)]])
    }
  }

  func remove(_ path: String) throws(SystemCallError) {
    try change { state throws(SystemCallError) in state.changes.append([name(path): nil]) }
  }

  func syncFolder(_ path: String) throws(SystemCallError) {
    try change { state throws(SystemCallError) in (state.names, state.changes) = (state.current, []) }
  }
}
