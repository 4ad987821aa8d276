import AsyncViewModels
import StorefrontDomain
import StorefrontViewModels

/// Search as the user types. The hits grow as the user moves down.
enum SearchScreen: ScreenContent {
  static let title = "Search"
  static let keys: KeyValuePairs = ["type": "search", "↑↓": "move", "Enter": "open", "Esc": "clear"]
  static let takesText = true

  static func itemCount(_ input: ScreenInput) -> Int { input.states.search.results.value?.count ?? 0 }

  static func lines(_ input: ScreenInput, size: TerminalSize) -> [TextLine] {
    let state = input.states.search
    var field = TextLine("Search: ", .bold)
    field.append(state.query, .accent)
    field.append(" ", TextStyle.accent.reversed)
    if state.isSearching { field.append("  ◌ searching…", .accent) }
    let lines = [field.limited(to: size.columns), TextLine()]
    guard let hits = state.results.value else {
      let isIdle = state.query.isEmpty && state.results.error == nil
      return lines
        + (isIdle
          ? [TextLine("Type the name of a product, such as “lamp”.", .dim)]
          : ContentLines.notice(state.results, empty: "Nothing matches.", columns: size.columns))
    }
    let detailWidth = min(25, size.columns / 2)
    let rows = visibleRows(of: hits.count, around: input.selection, in: size.rows - 3)
    return lines
      + rows.map { index in
        var line = TextLine()
        line.append("\(hits[index].id)", width: 5, .right, .dim)
        line.append(" ")
        line.append(hits[index].title, width: size.columns - 7 - detailWidth)
        line.append(" ")
        line.append(hits[index].detail, width: detailWidth, .right)
        if index == input.selection { line.reverse() }
        return line
      } + [status(state, hits.count, columns: size.columns)]
  }

  private static func status(_ state: SearchState<SearchHit>, _ count: Int, columns: Int) -> TextLine {
    let (hits, more) = (count == 1 ? "1 hit" : "\(count) hits", state.hasMore ? ", more below" : "")
    return ContentLines.status(
      hits + more, isLoading: state.isLoadingNextPage, failure: state.nextPageFailure, columns: columns)
  }

  static func action(for key: Key, _ input: ScreenInput) -> ScreenAction? {
    let state = input.states.search
    switch key {
    case .character(let character): return .search(state.query + String(character))
    case .backspace: return state.query.isEmpty ? nil : .search(String(state.query.dropLast()))
    case .escape: return .search("")
    case .enter:
      guard let hits = state.results.value, hits.indices.contains(input.selection) else {
        return .submitSearch
      }
      return .open(hits[input.selection].id, .search)
    case .down, .pageDown, .end:
      // The next page is there before the user reaches the end.
      let isNearEnd = key == .end || input.selection + StorefrontStates.hitsPageSize / 2 >= itemCount(input)
      return isNearEnd && state.hasMore ? .loadNextHits : nil
    default: return nil
    }
  }
}
