public import Observation

/// A view model together with its state on the main actor, for a SwiftUI view that owns the view model and for the views
/// below it.
///
/// ```swift
/// struct CartBadge: View {
///   @Environment(ObservedViewModel<CartViewModel>.self) private var cart
///
///   var body: some View { Text("\(cart.state.cart.itemCount)") }
/// }
/// ```
///
/// A view reads ``state`` and is evaluated again after each change. It calls the intents of ``model``. Reading
/// `model.state` does not register the view for changes.
///
/// A view that shows a small part of a large state uses ``ObservedState/init(_:of:)`` instead, and is evaluated only if
/// that part has changed.
///
/// - Isolation: The main actor.
/// - Ordering: The guarantees of ``ObservedState``.
/// - Ownership: This object keeps the view model and its lease. When it is released, the observation, the lease and the
///   tasks of ``run(_:)`` end.
@MainActor
public final class ObservedViewModel<Model: StateSource>: Observable {
  /// The view model, whose intents the views call.
  public let model: Model
  private let lease: ViewModelLease<Model>?
  private let observed: ObservedState<Model.State>
  private let bindings = ScreenBindings()

  /// Observes a view model, and keeps it.
  public convenience init(_ model: Model) { self.init(model, lease: nil) }

  /// Observes a leased view model, and keeps the lease.
  public convenience init(_ lease: ViewModelLease<Model>) { self.init(lease.model, lease: lease) }

  private init(_ model: Model, lease: ViewModelLease<Model>?) {
    self.model = model
    self.lease = lease
    observed = ObservedState(model)
  }

  /// The current state of the view model.
  public var state: Model.State { observed.value }

  /// Starts a task that runs `work`, and cancels the task when this object is released.
  ///
  /// Use it for work that belongs to the owner of the view model, such as the first load. The task continues while another
  /// screen covers the view, when SwiftUI would cancel a task of `.task`.
  @discardableResult
  public func run(_ work: @escaping @MainActor @Sendable (Model) async -> Void) -> Task<Void, Never> {
    bindings.run { [model] in await work(model) }
  }
}
