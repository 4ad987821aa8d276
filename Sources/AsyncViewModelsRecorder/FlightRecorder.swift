import AsyncViewModels
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
/// | `StateStore` | versions, observers without a buffer, the end |
/// | `TaskSlot` | runs that start, join, are dropped, are superseded or are cancelled, and by whom; how their work ends |
/// | `TaskBag` | tasks of `run`, and the cancellation of all entries |
/// | `ViewModelStore` | view models and their leases |
///
/// An event has the names of types and numbers. It never has the content of a state or of an error.
///
/// - Isolation: None. Call every member on any thread.
/// - Complexity: An event takes no lock and allocates nothing. The first event with a name, each
///   intent and each new state or slot take a short lock. Without a recorder, an event of an object
///   costs one comparison.
public enum FlightRecorder {
  private struct Guarded: Sendable {
    var current: RecordingRing?
    /// The newest recording, which has the names of all earlier ones.
    var last: RecordingRing?
    /// Threads can still write to an ended recording, so that no recording is ever released.
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
    guard (64...16_777_216).contains(capacity), capacity.nonzeroBitCount == 1 else {
      throw .capacity(capacity)
    }
    try guarded.withLock { recorder throws(FlightRecorderError) in
      guard recorder.current == nil else { throw .isRunning }
      let ring = try RecordingRing(capacity: capacity, path: path)
      recorder.current = ring
      recorder.last = ring
      recorder.all.append(ring)
      RecordingNames.shared.write(to: ring)
      FlightEvents.send(
        to: RecordingReceiver(
          makeObject: { type in RecordingNames.shared.makeObject(type) },
          note: { event, object, number, error in
            let detail = error.map { RecordingNames.shared.number(of: $0) } ?? 0
            ring.note(event, object: object, number: number, detail: detail)
          }))
    }
  }

  /// Ends the recording. Its events remain in ``log`` and in its file. Does nothing if no recording
  /// is running.
  public static func stop() {
    guarded.withLock { recorder in
      guard recorder.current != nil else { return }
      recorder.current = nil
      FlightEvents.send(to: nil)
      RecordingNames.shared.write(to: nil)
    }
  }

  /// The events of the recording, or of the last recording if none is running.
  ///
  /// - Complexity: O(capacity). Events that are written at the same time can be missing.
  public static var log: FlightLog {
    guard let ring = guarded.withLock({ $0.last }) else { return .empty }
    return FlightLog(RecordingNames.shared.withLock { ring.words })
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
    guard FlightEvents.isOn else { return }
    let name = RecordingNames.shared.number(of: name)
    FlightEvents.note(.intent, UInt32(name) << RecordingNames.serialBits, UInt64(bitPattern: Int64(number)))
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
