import AsyncViewModels
import StorefrontDomain
import StorefrontViewModels

/// The page of one product, with what the cart has of it.
enum DetailScreen: ScreenContent {
  static let title = "Detail"
  static let keys: KeyValuePairs = ["Enter": "add to cart", "Esc": "close"]

  static func itemCount(_ input: ScreenInput) -> Int { 0 }

  static func state(_ input: ScreenInput) -> ViewState<Void> {
    input.states.page?.product.map { _ in } ?? .idle
  }

  static func placeholder(_ input: ScreenInput, columns: Int) -> [TextLine] {
    guard let page = input.states.page else { return [] }
    return [TextLine("Product \(page.detail.itemID)", .bold), TextLine()]
      + ContentLines.notice(page.product, empty: "", columns: columns)
  }

  static func lines(_ input: ScreenInput, size: TerminalSize) -> [TextLine] {
    guard let page = input.states.page, let product = page.product.value else { return [] }
    let state = page.detail
    var lines = [TextLine(product.name, .bold), ContentLines.rule(min(size.columns, 44))]
    lines.append(field("Price", TextLine("\(product.price)", .bold)))
    var stock = ProductTable.stockBar(product, width: min(30, size.columns - 22))
    stock.append(" \(product.stock)")
    lines.append(field("Stock", stock))
    lines.append(field("", TextLine(product.availability.label, product.availability.style)))
    let inCart = page.quantityInCart
    let pending = page.isChangePending ? " ◌" : ""
    lines.append(field("In cart", TextLine("\(inCart)\(pending)", inCart > 0 ? .accent : .plain)))
    lines.append(field("Product", TextLine("\(product.id), opened from: \(state.source.rawValue)", .dim)))
    let isLive = state.following.isActive
    lines.append(field("Updates", TextLine(isLive ? "live" : "none", isLive ? .good : .dim)))
    if state.isRefreshing { lines += [TextLine(), TextLine("◌ Loading…", .accent)] }
    if let failure = state.refreshFailure ?? state.following.failure {
      lines += [TextLine()] + ContentLines.failure(failure, columns: size.columns)
    }
    return lines.map { $0.limited(to: size.columns) }
  }

  private static func field(_ label: String, _ value: TextLine) -> TextLine {
    var line = TextLine()
    line.append(label, width: 10, .left, .dim)
    line.append(value)
    return line
  }

  static func action(for key: Key, _ input: ScreenInput) -> ScreenAction? {
    switch key {
    case .enter, .character("+"): input.states.page?.product.value.map { .add($0) }
    case .escape, .backspace: input.states.page == nil ? nil : .close
    default: nil
    }
  }
}
