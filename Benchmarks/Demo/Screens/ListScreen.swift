import AsyncViewModels
import AsyncViewModelsCommandLine
import StorefrontDomain
import StorefrontViewModels

/// The list of products, which grows as the user moves down.
enum ListScreen: ScreenContent {
  static let title = "List"
  static let emptyText = "There are no products."
  static let keys: KeyValuePairs = ["↑↓": "move", "Enter": "open", "+": "add to cart"]

  static func itemCount(_ input: ScreenInput) -> Int { input.states.list.items.count }

  static func state(_ input: ScreenInput) -> ViewState<Void> { input.states.list.content.map { _ in } }

  static func lines(_ input: ScreenInput, size: TerminalSize) -> [TextLine] {
    let (state, products) = (input.states.list, input.states.list.items)
    let table = ProductTable(columns: size.columns)
    let more = state.hasMore ? ", more below" : ""
    let status = ContentLines.status(
      "\(products.count.grouped) products\(more)", isLoading: state.pendingRequest != nil,
      failure: state.refreshFailure ?? state.nextPageFailure ?? state.following.failure, columns: size.columns
    )
    let rows = visibleRows(of: products.count, around: input.selection, in: size.rows - 2)
    return [table.header] + rows.map { table.line(products[$0], isSelected: $0 == input.selection) }
      + [status]
  }

  static func action(for key: Key, _ input: ScreenInput) -> ScreenAction? {
    let products = input.states.list.items
    guard products.indices.contains(input.selection) else { return nil }
    let product = products[input.selection]
    switch key {
    case .enter: return .open(product.id, .list)
    case .character("+"): return .add(product)
    case .down, .pageDown, .end:
      // The next page is there before the user reaches the end.
      let isNearEnd = key == .end || input.selection + StorefrontStates.pageSize / 2 >= products.count
      return isNearEnd && input.states.list.hasMore ? .loadNextPage : nil
    default: return nil
    }
  }
}
