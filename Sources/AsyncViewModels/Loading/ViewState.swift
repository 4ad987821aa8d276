/// What a screen shows of a value that is loaded asynchronously.
///
/// There is no case for cancellation: after a cancelled load, the screen shows what it showed
/// before.
public enum ViewState<Value> {
  /// Nothing has been requested yet.
  case idle
  /// A request is running, and there is no older value to show.
  case loading
  /// The value has been loaded.
  case loaded(Value)
  /// The request failed, and there is no older value to show.
  case failed(any Error)
  /// The request succeeded, but the result is empty.
  case empty
}

extension ViewState: Sendable where Value: Sendable {}

extension ViewState {
  /// The loaded value, or `nil` in every other case.
  @export(implementation)
  public var value: Value? {
    if case .loaded(let value) = self { value } else { nil }
  }

  /// Whether a request is running and there is no older value to show.
  @export(implementation)
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  /// The error of a failed request, or `nil` in every other case.
  @export(implementation)
  public var error: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// Transforms the loaded value, if any, and returns the resulting state.
  ///
  /// - Throws: The error that `transform` throws.
  @export(implementation)
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
