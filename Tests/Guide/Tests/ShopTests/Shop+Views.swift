@testable import Shop

/// What the shopper sees, and what the shopper taps. The guide changes this file.
extension Shop {
  var rows: [CartView.Row] { screen.view.rows }
  var total: String { screen.view.total }
  var message: String? { screen.view.message }
  var status: String? { screen.view.status }
  var isSpinning: Bool { screen.view.isSpinning }
  var alert: CartView.Alert? { screen.view.alert }

  func pullToRefresh() { screen.didPullToRefresh() }
  func tapAdd(_ product: Product) { screen.didTapAdd(product) }
  func change(_ product: Product, to quantity: Int) { screen.didChangeQuantity(of: product.id, to: quantity) }
  func tapRemove(_ product: Product) { screen.didTapRemove(product.id) }
  /// Taps a button of the alert.
  func tap(_ button: String) { screen.view.tap(button) }
}
