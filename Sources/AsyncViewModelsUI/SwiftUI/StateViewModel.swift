#if canImport(SwiftUI)
  public import SwiftUI

  /// Makes a view model once in the life of a view, and evaluates the view after each change of the
  /// state.
  ///
  /// ```swift
  /// struct SearchView: View {
  ///   @StateViewModel private var search: ObservedViewModel<SearchViewModel<Product>>
  ///
  ///   init(service: any SearchService<Product>) {
  ///     _search = StateViewModel(SearchViewModel(service: service))
  ///   }
  ///
  ///   var body: some View {
  ///     TextField("Search", text: search.binding(\.query) { $0.setQuery($1) })
  ///     List(search.state.results) { Text($0.name) }
  ///   }
  /// }
  /// ```
  ///
  /// To give a view another view model, give it another `.id`, or lease the view model from a
  /// ``ViewModelStore``. To share the view model, pass the ``ObservedViewModel`` to the views
  /// below, or put it into their environment:
  ///
  /// ```swift
  /// CartScreen().environment(cart)
  /// // In a view below: @Environment(ObservedViewModel<CartViewModel>.self) private var cart
  /// ```
  ///
  /// - Isolation: The main actor.
  /// - Ownership: The view keeps the view model or its lease. SwiftUI releases both when it removes
  ///   the view.
  @MainActor
  @propertyWrapper
  public struct StateViewModel<Model: StateSource>: DynamicProperty {
    @StateObject private var owned = OwnedObject<ObservedViewModel<Model>>()
    private let key: OwnedObjectKey
    private let make: @MainActor () -> ObservedViewModel<Model>
    /// The view model of this description. A closure of an earlier description keeps the view model
    /// of that description.
    private var current: ObservedViewModel<Model>?

    /// Makes a view model for the first description of the view.
    ///
    /// - Parameters:
    ///   - model: Makes the view model.
    ///   - pacing: Limits the changes of the state to one in each frame, or `nil` for no limit. The
    ///     pacing of the first description is used.
    public init(_ model: @autoclosure @escaping @MainActor () -> Model, pacing: FramePacing? = nil) {
      key = OwnedObjectKey(nil)
      make = { ObservedViewModel(model(), pacing: pacing) }
    }

    /// Leases the view model of an identity, and another one when the identity or the store
    /// changes.
    ///
    /// - Parameters:
    ///   - identity: The identity of the view model.
    ///   - store: The store that has the view model.
    ///   - pacing: Limits the changes of the state to one in each frame, or `nil` for no limit.
    ///   - file: The file of the view. A flight recorder notes who holds the view model.
    ///   - line: The line of the view.
    /// - Precondition: The store is on the main actor:
    ///   `ViewModelStore(isolation: MainActor.shared) { … }`.
    public init<Identity>(
      leasing identity: Identity, from store: ViewModelStore<Identity, Model>, pacing: FramePacing? = nil,
      file: StaticString = #fileID, line: UInt = #line
    ) {
      key = OwnedObjectKey(store, AnyHashable(identity))
      make = { ObservedViewModel(store.leaseOnMainActor(identity, file, line), pacing: pacing) }
    }

    /// The view model and its state. Read it in `body` and in closures of the view, and not in the
    /// initializer of the view, where SwiftUI has not connected the view with its storage yet.
    public var wrappedValue: ObservedViewModel<Model> { current ?? owned.object(for: key, make) }

    /// Makes or leases the view model. SwiftUI calls this before it evaluates the view.
    ///
    /// SwiftUI may call it on another thread. It then does nothing, and ``wrappedValue`` makes or
    /// leases the view model.
    public nonisolated mutating func update() {
      guard MainQueue.isCurrent else { return }
      current = MainActor.assumeIsolated { [self] in owned.object(for: key, make) }
    }
  }

  extension ViewModelStore {
    @MainActor
    fileprivate func leaseOnMainActor(
      _ identity: Identity, _ file: StaticString, _ line: UInt
    ) -> ViewModelLease<Model> {
      guard !hasOwnIsolation else {
        fatalError(
          "StateViewModel: the ViewModelStore is not on the main actor. Pass `isolation: MainActor.shared` to its initializer."
        )
      }
      return assumeIsolated { $0.lease(identity, file: file, line: line) }
    }
  }
#endif
