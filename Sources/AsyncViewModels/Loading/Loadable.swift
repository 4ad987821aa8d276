/// A value that a screen loads and loads again, and what the screen shows meanwhile.
///
/// ```swift
/// actor NewsViewModel: ViewModelActor {
///   nonisolated let modelState = ModelState(Loadable<[String]>())
///   private let service: any NewsService
///   private let slot = TaskSlot(.join)
///
///   init(service: any NewsService) { self.service = service }
///
///   func load() async {
///     await slot.load(into: self) { [service] in try await service.headlines() }
///   }
/// }
/// ```
///
/// After the first value, the screen never loses what it shows:
///
/// | event | ``value`` | ``failure`` | ``isLoading`` |
/// | --- | --- | --- | --- |
/// | ``begin()`` | kept | hidden | `true` |
/// | success | replaced | removed | `false` |
/// | failure | kept | replaced | `false` |
/// | ``cancel()`` or a cancelled load | kept | shown again | `false` |
public struct Loadable<Value: Sendable>: Sendable {
  @usableFromInline var loaded: Value?

  /// The error of the last completed load, also during the next one. `nil` after a success.
  public private(set) var lastFailure: (any Error)?

  // The last property: a small property of the enclosing state can share its word.
  /// Whether the value is being loaded, for the first time or again.
  public private(set) var isLoading = false

  /// The loaded value, also during a reload and after a failed one.
  public var value: Value? { loaded }

  /// Creates the state before the first load, or with a value that is known without a load.
  public init(_ value: Value? = nil) { loaded = value }

  /// The error of the last completed load. `nil` after a success and during a load.
  @export(implementation)
  public var failure: (any Error)? { isLoading ? nil : lastFailure }

  /// The value, or why there is none. For a collection, `.empty` if it has no elements.
  @export(implementation)
  public var content: ViewState<Value> { content { _ in false } }

  /// Whether a value is shown while it is being loaded again.
  @export(implementation)
  public var isReloading: Bool { isLoading && loaded != nil }

  /// The failure of a reload, whose screen still shows the older value.
  @export(implementation)
  public var reloadFailure: (any Error)? { loaded == nil ? nil : failure }

  @export(implementation)
  func content(isEmpty: (Value) -> Bool) -> ViewState<Value> {
    if let loaded { return isEmpty(loaded) ? .empty : .loaded(loaded) }
    if isLoading { return .loading }
    return lastFailure.map(ViewState.failed) ?? .idle
  }

  /// Records that a load begins. Has no effect during a load.
  public mutating func begin() { isLoading = true }

  /// Ends the load with its outcome. Ignores an outcome if no load is in progress.
  public mutating func receive(_ outcome: TaskOutcome<Value>) {
    guard isLoading else { return }
    isLoading = false
    switch outcome {
    case .success(let value): (loaded, lastFailure) = (value, nil)
    case .failure(let error): lastFailure = error
    case .cancelled: break
    }
  }

  /// Ends the load, and shows what was shown before it.
  public mutating func cancel() { isLoading = false }

  /// Removes the value, for example if another user signs in. Keeps the load and the failure.
  public mutating func removeValue() { loaded = nil }

  /// Changes the value in place, for example after a live update. Does nothing without a value.
  ///
  /// - Returns: The result of `body`, or `nil` if there is no value.
  /// - Throws: The error that `body` throws.
  @export(implementation) @discardableResult
  public mutating func update<Output, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Output
  ) throws(Failure) -> Output? {
    loaded == nil ? nil : try body(&loaded!)
  }
}

extension Loadable {
  /// Transforms the value, or removes it if `transform` returns `nil`. Keeps the load and the
  /// failure.
  public func compactMap<Other: Sendable>(_ transform: (Value) -> Other?) -> Loadable<Other> {
    var load = Loadable<Other>(loaded.flatMap(transform))
    (load.isLoading, load.lastFailure) = (isLoading, lastFailure)
    return load
  }
}

extension Loadable where Value: Collection {
  /// The value, or why there is none. `.empty` if the value has no elements.
  @export(implementation)
  public var content: ViewState<Value> { content(isEmpty: \.isEmpty) }
}

/// Equal values look the same on a screen. Errors are compared by their descriptions.
extension Loadable: Equatable where Value: Equatable {
  @export(implementation)
  public static func == (left: Loadable, right: Loadable) -> Bool {
    left.loaded == right.loaded && left.isLoading == right.isLoading
      && left.lastFailure.map { "\($0)" } == right.lastFailure.map { "\($0)" }
  }
}
