/// What one observer keeps for itself while it is busy. Each observer chooses; none affects another, or the
/// sender.
public enum BufferingPolicy: Hashable, Sendable {
  /// Nothing but the newest element: an observer that was busy goes on with the latest and never learns of those
  /// in between (conflation). One element of memory. What is passed over is not counted as dropped.
  case latest

  /// Up to this many unread elements, at least one; past that one end gives way, and `droppedCount` goes up by one.
  case bounded(Int, dropping: Overflow)

  /// Every element, for as long as the observer takes to read it. Memory grows with what is unread.
  case unbounded

  /// Which element gives way when a bounded buffer is full.
  public enum Overflow: Hashable, Sendable {
    /// The oldest unread element goes: the observer ends on the newest.
    case oldest
    /// The arriving element goes: the observer keeps an unbroken beginning.
    case newest
  }
}
