import AsyncViewModels
import StorefrontDomain
import StorefrontViewModels

/// The cart. A change is shown at once, and is pending until the server has answered.
enum CartScreen: ScreenContent {
  static let title = "Cart"
  static let keys: KeyValuePairs = [
    "↑↓": "move", "+ -": "quantity", "n": "type it", "Del": "remove", "Enter": "open",
  ]

  static func itemCount(_ input: ScreenInput) -> Int { input.states.cart.cart.items.count }

  private static let quantityWidth = 5
  private static let priceWidth = 12

  static func lines(_ input: ScreenInput, size: TerminalSize) -> [TextLine] {
    let (state, cart) = (input.states.cart, input.states.cart.cart)
    // The numbers stay near the names.
    let size = TerminalSize(columns: min(90, size.columns), rows: size.rows)
    let status = statusLines(state, columns: size.columns)
    guard !cart.isEmpty else {
      return TextLine.wrapped(
        "The cart is empty. Press + in the list to add a product.", width: size.columns, .dim)
        + status
    }
    let rows = visibleRows(of: cart.items.count, around: input.selection, in: size.rows - 3 - status.count)
    let lines = rows.map { index in
      let item = cart.items[index]
      var line = row(
        item.product.name, "\(item.quantity)", "\(item.product.price)",
        amount { () throws(MoneyError) in try item.total() }, .plain,
        columns: size.columns)
      if index == input.selection { line.reverse() }
      return line
    }
    let total = row(
      "Total", "\(cart.itemCount)", "", amount { () throws(MoneyError) in try cart.total() }, .bold,
      columns: size.columns)
    return [row("product", "qty", "price", "total", .bold, columns: size.columns)] + lines
      + [ContentLines.rule(size.columns), total] + status
  }

  private static func row(
    _ name: String, _ quantity: String, _ price: String, _ total: String, _ style: TextStyle, columns: Int
  ) -> TextLine {
    var line = TextLine()
    line.append(name, width: columns - quantityWidth - 2 * priceWidth, .left, style)
    line.append(quantity, width: quantityWidth, .right, style)
    line.append(price, width: priceWidth, .right, style == .bold ? .bold : .dim)
    line.append(total, width: priceWidth, .right, style)
    return line
  }

  private static func amount(_ money: () throws(MoneyError) -> Money) -> String {
    do { return "\(try money())" } catch { return "✗ \(error)" }
  }

  private static func statusLines(_ state: CartState, columns: Int) -> [TextLine] {
    var lines: [TextLine] = []
    if state.isLoading { lines.append(TextLine("◌ Loading…", .accent)) }
    if state.hasUnanswered {
      lines.append(TextLine("! \(state.pendingCount) unanswered. ^R sends again.", .warning))
    } else if state.pendingCount > 0 {
      lines.append(TextLine("◌ \(state.pendingCount) pending", .accent))
    }
    if let failure = state.loadFailure ?? state.lateRefusal ?? state.following.failure {
      lines += ContentLines.failure(failure, columns: columns)
    }
    return lines
  }

  static func action(for key: Key, _ input: ScreenInput) -> ScreenAction? {
    let items = input.states.cart.cart.items
    guard items.indices.contains(input.selection) else { return nil }
    let item = items[input.selection]
    switch key {
    case .character("+"), .right: return .add(item.product)
    case .character("-"), .left: return .setQuantity(item.quantity - 1, item.id)
    case .character("n"): return .askQuantity(item.id)
    case .delete, .backspace: return .setQuantity(0, item.id)
    case .enter: return .open(item.id, .cart)
    default: return nil
    }
  }
}
