import AsyncViewModels

/// What can be done to an observed object, and to an observer of it, which is known by its number.
enum ObservationCall: Hashable, Sendable {
  case value
  case send(Int)
  /// Replaces the value, and answers the one before.
  case exchange(Int)
  case hold(Int)
  case keptCount
  case finish
  case observe(Int, BufferingPolicy)
  /// Looks once.
  case poll(Int)
  /// Waits until there is something, or the end.
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
