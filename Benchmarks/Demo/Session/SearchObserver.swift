/// The screens that observe the search.
enum SearchObserver {
  case first, second
}

/// How many states of the search the screens have drawn.
struct SearchDraws: Hashable {
  var first = 0
  var second = 0
  /// The states with another query than the one that the user had typed by then.
  var old = 0
}
