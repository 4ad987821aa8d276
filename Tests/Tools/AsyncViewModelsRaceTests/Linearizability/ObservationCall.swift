import AsyncViewModels

/// A call to an observed object, or to one of its observers.
///
/// The number in `observe`, `poll`, `next` and `leave` identifies an observer. Any other number is a value.
enum ObservationCall: Equatable, Sendable {
  case value
  case send(Int)
  /// Replaces the value and returns the previous one.
  case exchange(Int)
  case keep(Int)
  case keptCount
  case finish
  case observe(Int, BufferingPolicy)
  /// Reads without waiting.
  case poll(Int)
  /// Waits for an element or the end.
  case next(Int)
  case leave(Int)
}

enum ObservationAnswer: Hashable, Sendable {
  case done
  case number(Int)
  case element(Int)
  case nothing
  case ended
}
