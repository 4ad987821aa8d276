import AsyncViewModels
public import Foundation
import Synchronization

/// Records what view models do, in release builds too, so that you can read what happened before a
/// failure or a crash.
///
/// ```swift
/// let previous = try? FlightLog(contentsOfFile: path)  // what happened before a crash
/// try FlightRecorder.start(writingTo: path)
/// ```
///
/// Start the recorder before the app creates its view models. It keeps the newest events:
///
/// | part | events |
/// | --- | --- |
/// | the app | intents, which it names with ``intent(_:_:)`` |
/// | `StateStore` | versions with the fields that changed, observers without a buffer, the end |
/// | `TaskSlot` | runs that are added, join, are dropped, are superseded or are cancelled, and by whom; the end of their work |
/// | `TaskBag` | tasks of `run`, and the cancellation of all entries |
/// | `ViewModelStore` | view models and their leases, with the line of code that holds each |
///
/// An event has numbers, the names of types and of the fields of a state, and the file and the line
/// of the code that holds a lease. It never has the content of a state or of an error.
///
/// The fields of a state that is a structure have names. A field is named if its bytes differ, also
/// if it is set to an equal collection, or to an equal value of an enumeration. `updateInPlace`
/// keeps no value to compare, so its versions have no fields.
///
/// - Isolation: None. Call every member on any thread.
/// - Complexity: An event takes no lock of the recorder and allocates nothing. The first event with
///   a name, each intent, each new lease and each new state or slot take a short lock. Without a
///   recorder, a change of a state costs nothing, and any other event a call and a comparison.
public enum FlightRecorder {
  private struct Guarded: Sendable {
    var isRunning = false
    /// All recordings. They are never released, because threads can still write to an ended one.
    var all: [RecordingRing] = []
  }

  private static let guarded = Mutex(Guarded())

  /// Starts a recording.
  ///
  /// With a path, the events are in a file from the moment at which they happen. So they survive
  /// `kill -9` and a crash of the process, but not of the operating system.
  ///
  /// - Parameters:
  ///   - path: A file that the recording replaces, or `nil` to keep the events in memory. The file
  ///     of an earlier process is lost, so read it before.
  ///   - capacity: The number of events that are kept, a power of two. An event takes 32 bytes, and
  ///     the names take 256 KB. The memory of a recording is never released.
  /// - Throws: ``FlightRecorderError``, if a recording is running, the capacity is not a power of
  ///   two from 64 to 16,777,216, or the file cannot be written.
  public static func start(
    writingTo path: String? = nil, capacity: Int = 16_384
  ) throws(FlightRecorderError) {
    guard RecordingLayout.capacities.contains(capacity), capacity.nonzeroBitCount == 1 else {
      throw .capacity(capacity)
    }
    try guarded.withLock { recorder throws(FlightRecorderError) in
      guard !recorder.isRunning else { throw .isRunning }
      let ring = try RecordingRing(capacity: capacity, path: path)
      recorder.isRunning = true
      recorder.all.append(ring)
      NameTable.shared.write(to: ring)
      unsafe FlightEvents.write(to: ring.memory, names: NameTable.shared)
    }
  }

  /// Ends the recording. Its events remain in ``log`` and in its file. Does nothing if no recording
  /// is running.
  public static func stop() {
    guarded.withLock { recorder in
      guard recorder.isRunning else { return }
      recorder.isRunning = false
      unsafe FlightEvents.write(to: nil, names: NameTable.shared)
      NameTable.shared.write(to: nil)
    }
  }

  /// The events of the recording, or of the last recording if none is running.
  ///
  /// - Complexity: O(capacity). Events that are written at the same time can be missing.
  public static var log: FlightLog {
    guard let ring = guarded.withLock({ $0.all.last }) else { return .empty }
    return FlightLog(ring.contents(names: NameTable.shared.texts))
  }

  /// Notes an intent, such as a tap, as the first step of what the app does for it.
  ///
  /// ```swift
  /// func add(_ id: Product.ID) {
  ///   FlightRecorder.intent("add", id.rawValue)
  ///   …
  /// }
  /// ```
  ///
  /// Does nothing if no recording is running.
  ///
  /// - Parameters:
  ///   - name: The name in the log, up to 62 bytes of UTF-8.
  ///   - number: A number that the intent needs when it is replayed, such as the identity of a
  ///     product. It is stored, so pass nothing private.
  public static func intent(_ name: StaticString, _ number: Int = 0) {
    guard FlightEvents.isOn() else { return }
    FlightEvents.note(.intent, NameTable.shared.intent(name), UInt64(bitPattern: Int64(number)))
  }
}

/// Why a recording was not started, or a file was not read.
public enum FlightRecorderError: Error, Hashable, Sendable {
  /// A recording is running already.
  case isRunning
  /// The capacity is not a power of two from 64 to 16,777,216.
  case capacity(Int)
  /// A file could not be read or written. `code` is the `errno` of the system.
  case file(path: String, code: Int32)
  /// A file has another format, or was written by another version of this package.
  case format(path: String)
}

extension FlightRecorderError: CustomStringConvertible, LocalizedError {
  public var description: String {
    switch self {
    case .isRunning: "A recording is running already."
    case .capacity(let capacity):
      "The capacity \(capacity) is not a power of two from 64 to 16,777,216."
    case .file(let path, let code): "\(path): \(unsafe String(cString: strerror(code)))"
    case .format(let path): "\(path) is not a recording of this version of the package."
    }
  }

  public var errorDescription: String? { description }
}
