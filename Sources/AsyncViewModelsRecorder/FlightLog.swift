import AsyncViewModels

/// The events of a recording, the oldest first.
///
/// ```swift
/// let log = try FlightLog(contentsOfFile: path)
/// print(log.text(last: 40))
/// ```
///
/// ```
///   10  thread 1                             intent "add" 7
///   11  thread 1  slot of CartViewModel #5   run 9 is added
///   12  thread 1  state CartState #4         version 3
/// — time advances to 0.012 s —
///   13  thread 2  slot of CartViewModel #5   the work of run 9 ends
/// ```
public struct FlightLog: Sendable {
  /// One event.
  public struct Entry: Hashable, Sendable {
    /// The number of the event in the recording, from 1.
    public let number: UInt64
    /// The time since the start of the recording. On Linux, it has a resolution of some
    /// milliseconds.
    public let time: Duration
    /// The thread, numbered from 1 in the order of the log.
    public let thread: Int
    /// The object, such as `state CartState #4`. Empty for an intent.
    public let object: String
    /// What happened, such as `version 3`.
    public let text: String
    /// The name and the number of an intent. `nil` for any other event.
    public let intent: Intent?
  }

  /// An intent that the app has named.
  public struct Intent: Hashable, Sendable {
    /// The name that the app passed to ``FlightRecorder/intent(_:_:)``.
    public let name: String
    /// The number that the app passed to ``FlightRecorder/intent(_:_:)``.
    public let number: Int
  }

  /// The events, the oldest first. An event that was not completely written is missing.
  public let entries: [Entry]
  /// The number of events that are missing: older events, which newer ones have replaced, and
  /// events that were being written.
  public let missingCount: UInt64

  /// The intents, the oldest first.
  public var intents: [Intent] { entries.compactMap(\.intent) }

  static let empty = FlightLog(entries: [], missingCount: 0)

  private init(entries: [Entry], missingCount: UInt64) {
    (self.entries, self.missingCount) = (entries, missingCount)
  }

  /// Reads the file of a recording whose process has ended, also if it was killed.
  ///
  /// - Throws: ``FlightRecorderError/file(path:code:)`` if the file cannot be read,
  ///   ``FlightRecorderError/format(path:)`` if it is not a recording.
  public init(contentsOfFile path: String) throws(FlightRecorderError) {
    try self.init(RecordingContents(path: path))
  }

  init(_ contents: RecordingContents) {
    let (capacity, start, end) = (UInt64(contents.events.count / 4), contents.start, contents.end)
    let first = end - min(end, capacity)
    let text = EventText(contents.names)
    var threads: [UInt64: Int] = [:]
    var entries: [Entry] = []
    for index in first..<end {
      let place = 4 * Int(index & (capacity - 1))
      let (mark, what) = (contents.events[place], contents.events[place + 2])
      guard mark > 1, mark >> 32 == (index + 1) & 0xffff_ffff else { continue }
      let thread = threads[mark & 0xffff_ffff] ?? threads.count + 1
      threads[mark & 0xffff_ffff] = thread
      entries.append(
        text.entry(
          RecordedEvent(rawValue: UInt8(truncatingIfNeeded: what)), UInt32(what >> 32),
          contents.events[place + 3],
          number: index + 1,
          time: .nanoseconds(
            Int64(clamping: contents.events[place + 1] - min(start, contents.events[place + 1]))),
          thread: thread))
    }
    self.init(entries: entries, missingCount: end - UInt64(entries.count))
  }
}
