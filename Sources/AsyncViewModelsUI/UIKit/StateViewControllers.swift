#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// Shows one child view controller for each case of a ``ViewState``.
  ///
  /// ```swift
  /// private lazy var states = StateViewControllers(in: self) { [unowned self] state in
  ///   switch state {
  ///   case .idle, .loading: SpinnerViewController()
  ///   case .loaded: ProductListViewController(model: model)
  ///   case .failed: RetryViewController(model: model)
  ///   case .empty: EmptyViewController()
  ///   }
  /// }
  ///
  /// func render(_ state: CatalogState) { states.show(state.content) }
  /// ```
  ///
  /// A controller is made when its case is shown for the first time. A new state with the same case
  /// changes nothing: the controller of that case observes the content itself. This is the
  /// counterpart of ``StateScreenContainer`` for view controllers, on top of a
  /// ``ChildViewControllerSlot``.
  ///
  /// - Isolation: The main actor.
  /// - Ownership: Keeps the controllers, not the parent. `makeController` must not capture the
  ///   parent strongly.
  @MainActor
  public final class StateViewControllers {
    /// A case of a ``ViewState``, without its value.
    public typealias Case = StateScreenContainer.Slot

    private let slot: ChildViewControllerSlot
    private let fade: Duration
    private let makeController: @MainActor (Case) -> UIViewController
    private var controllers: [Case: UIViewController] = [:]
    private var shown: Case?
    private var wanted: Case?
    private var isShowing = false

    /// Creates the children of a parent. Shows none yet.
    ///
    /// - Parameters:
    ///   - parent: The parent of the children.
    ///   - view: The view that the child fills, or `nil` for the view of the parent.
    ///   - fade: The duration of the fade from one child to the next.
    ///   - makeController: Makes the controller of a case. It may return the same controller for
    ///     several cases.
    public init(
      in parent: UIViewController, view: UIView? = nil, fade: Duration = .zero,
      makeController: @escaping @MainActor (Case) -> UIViewController
    ) {
      slot = ChildViewControllerSlot(in: parent, view: view)
      self.fade = fade
      self.makeController = makeController
    }

    /// Shows the controller for the case of `state`.
    public func show<Value>(_ state: ViewState<Value>) { show(Case(state)) }

    /// Shows the controller for a case.
    ///
    /// A case that is requested while another one is being shown, or while its controller is being
    /// made, is shown after it.
    public func show(_ new: Case) {
      wanted = new
      guard !isShowing else { return }
      isShowing = true
      while let next = wanted.take() {
        shown = next
        slot.show(controller(for: next), fade: fade)
      }
      isShowing = false
    }

    /// Returns the controller for a case, and makes it if there is none.
    public func controller(for state: Case) -> UIViewController {
      if let controller = controllers[state] { return controller }
      let controller = makeController(state)
      controllers[state] = controller
      return controller
    }
  }
#endif
