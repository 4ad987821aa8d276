import AsyncViewModels
import StorefrontDomain
import StorefrontViewModels

/// The dashboard: three parts that are loaded in parallel, and fail independently.
enum DashboardScreen: ScreenContent {
  static let title = "Dashboard"
  static let keys: KeyValuePairs = ["↑↓": "move", "Enter": "open", "+": "add to cart"]

  static func itemCount(_ input: ScreenInput) -> Int {
    input.states.dashboard.recommendations.value?.count ?? 0
  }

  static func lines(_ input: ScreenInput, size: TerminalSize) -> [TextLine] {
    let state = input.states.dashboard
    let profile = part(.profile, "Profile", state.profile.content, state, size.columns) { profile in
      [TextLine("\(profile.name) <\(profile.email)>").limited(to: size.columns)]
    }
    let orders = part(.orders, "Orders", state.orders.content, state, size.columns) { orders in
      orders.prefix(max(3, (size.rows - 14) / 2)).map { line($0, columns: min(90, size.columns)) }
    }
    let room = size.rows - profile.count - orders.count - 4
    let products = part(.recommendations, "Recommended", state.recommendations.content, state, size.columns) {
      products in
      let table = ProductTable(columns: size.columns)
      let rows = visibleRows(of: products.count, around: input.selection, in: room)
      return rows.map { table.line(products[$0], isSelected: $0 == input.selection) }
    }
    return profile + [TextLine()] + orders + [TextLine()] + products
  }

  private static func part<Value>(
    _ part: DashboardPart, _ title: String, _ content: ViewState<Value>, _ state: DashboardState,
    _ columns: Int, _ lines: (Value) -> [TextLine]
  ) -> [TextLine] {
    var heading = TextLine(title, .bold)
    if let value = content.value {
      if state.loadingParts.contains(part) { heading.append("  ◌ loading…", .accent) }
      if let failure = state.failures[part] { heading.append("  ✗ \(failure)", .bad) }
      return [heading.limited(to: columns)] + lines(value)
    }
    return [heading] + ContentLines.notice(content, empty: "None.", columns: columns)
  }

  private static func line(_ order: Order, columns: Int) -> TextLine {
    var line = TextLine()
    line.append("#\(order.id)", width: 8)
    line.append("\(order.itemCount) \(order.itemCount == 1 ? "item" : "items")", width: 10, .right, .dim)
    line.append("  " + order.status.rawValue, width: columns - 30, .left, style(of: order.status))
    line.append("\(order.total)", width: 12, .right)
    return line
  }

  private static func style(of status: Order.Status) -> TextStyle {
    switch status {
    case .delivered: .good
    case .cancelled: .bad
    case .placed, .shipped: .accent
    case .unknown: .dim
    }
  }

  static func action(for key: Key, _ input: ScreenInput) -> ScreenAction? {
    let products = input.states.dashboard.recommendations.value ?? []
    guard products.indices.contains(input.selection) else { return nil }
    switch key {
    case .enter: return .open(products[input.selection].id, .recommendations)
    case .character("+"): return .add(products[input.selection])
    default: return nil
    }
  }
}
