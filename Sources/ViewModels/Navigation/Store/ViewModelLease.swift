/// The right to use a view model of a ``ViewModelStore``. A screen keeps it as long as it uses the view model; it ends when its last
/// reference goes away, on whatever thread that is.
public final class ViewModelLease<Model: AnyObject & Sendable>: Sendable {
  public let model: Model
  private let end: @Sendable () -> Void

  init(_ model: Model, end: @escaping @Sendable () -> Void) {
    self.model = model
    self.end = end
  }

  deinit { end() }
}
