/// What a screen shows of one value that is loaded from somewhere.
///
/// Cancellation is none of the cases: a load that was called off goes back to what was shown before it.
public enum ViewState<Value> {
  /// Nothing was asked for yet.
  case idle
  /// The first answer is on its way, and there is nothing older to show.
  case loading
  /// The answer.
  case loaded(Value)
  /// The request failed, and there is nothing older to show.
  case failed(any Error)
  /// The request succeeded, and there is nothing in it.
  case empty
}

extension ViewState: Sendable where Value: Sendable {}

extension ViewState {
  /// The value, where one is loaded.
  public var value: Value? {
    if case .loaded(let value) = self { value } else { nil }
  }

  /// Whether the first answer is still on its way.
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  /// The error, where the request failed.
  public var error: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// The same state of a value made from this one.
  public func map<Other, Failure: Error>(
    _ transform: (Value) throws(Failure) -> Other
  ) throws(Failure) -> ViewState<Other> {
    switch self {
    case .idle: .idle
    case .loading: .loading
    case .loaded(let value): .loaded(try transform(value))
    case .failed(let error): .failed(error)
    case .empty: .empty
    }
  }
}
