/// The decisions of a sequence that holds elements back for a while, without its waiting, its locks and its tasks.
///
/// Times are durations since one origin. An element that a function returns is handed on at once; one that is kept
/// is handed on by a later call. After ``finish()`` nothing is kept.
protocol TimedMachine: Sendable {
  associatedtype Element: Sendable

  /// When ``wake(at:)`` is wanted, if at all. It may move while somebody sleeps towards it.
  var deadline: Duration? { get }

  /// The source gave an element.
  mutating func receive(_ element: Element, at now: Duration) -> Element?

  /// A deadline, perhaps one that has moved since, has been reached.
  mutating func wake(at now: Duration) -> Element?

  /// The source has ended, or nobody is interested any more: takes out what is kept.
  mutating func finish() -> Element?
}
