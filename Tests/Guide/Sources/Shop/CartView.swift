/// The views of the cart: a table, labels, a spinner and alerts. In an app, these are outlets.
@MainActor
final class CartView {
  struct Row: Equatable {
    let id: Product.ID
    let name: String
    let quantity: Int
    let price: String
  }

  struct Alert {
    let title: String
    let buttons: [(title: String, handler: () -> Void)]
  }

  var rows: [Row] = []
  var total = ""
  var message: String?
  var status: String?
  var isSpinning = false
  private(set) var alert: Alert?

  func present(_ alert: Alert) { self.alert = alert }

  /// Closes the alert, as a tap on one of its buttons does.
  func tap(_ title: String) {
    let button = alert?.buttons.first { $0.title == title }
    alert = nil
    button?.handler()
  }
}
