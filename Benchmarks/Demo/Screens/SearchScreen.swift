import AsyncViewModels
import StorefrontDomain
import StorefrontViewModels

/// Search as the user types. The hits grow as the user moves down.
enum SearchScreen: ScreenContent {
  static let title = "Search"
  static let keys: KeyValuePairs = [
    "type": "search", "↑↓": "move", "Enter": "open", "Esc": "clear",
    "^O": "2nd screen", "^D": "slow",
  ]
  static let takesText = true

  static func itemCount(_ input: ScreenInput) -> Int { input.states.search.results.value?.count ?? 0 }

  static func lines(_ input: ScreenInput, size: TerminalSize) -> [TextLine] {
    let state = input.states.search
    let lines =
      [field("Search", state, input, columns: size.columns)] + trialLines(input, columns: size.columns)
      + [TextLine()]
    guard let hits = state.results.value else {
      let isIdle = state.query.isEmpty && state.results.error == nil
      return lines
        + (isIdle
          ? [TextLine("Type the name of a product, such as “lamp”.", .dim)]
          : ContentLines.notice(state.results, empty: "Nothing matches.", columns: size.columns))
    }
    let detailWidth = min(25, size.columns / 2)
    let rows = visibleRows(of: hits.count, around: input.selection, in: size.rows - lines.count - 1)
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

  /// The text and the progress of a screen's search. Says if the user has typed another text.
  private static func field(
    _ label: String, _ state: SearchState<SearchHit>, _ input: ScreenInput, columns: Int
  ) -> TextLine {
    var field = TextLine("\(label): ", .bold)
    field.append(state.query, .accent)
    field.append(" ", TextStyle.accent.reversed)
    if let typed = input.typedQuery, typed != state.query {
      field.append("  ✗ typed: \(typed)", .bad)
    } else if state.isSearching {
      field.append("  ◌ searching…", .accent)
    }
    return field.limited(to: columns)
  }

  /// What a trial of several screens or of a slow one shows: the second screen, what the first one
  /// has lost, and what the panel counts.
  private static func trialLines(_ input: ScreenInput, columns: Int) -> [TextLine] {
    let second = input.states.secondSearch
    guard second != nil || input.isSlow || input.isFirstScreenReplaced else { return [] }
    let lost = """
      ! The first screen receives no more states: the closure stage has one observer, which the second screen \
      has replaced\(second == nil ? ", although it is closed" : ""). ^S: the other stages serve both.
      """
    let slow = "! A state takes \(SessionOutput.slowDrawing) ms to draw."
    return (second.map { [field("Second screen", $0, input, columns: columns)] } ?? [])
      + (input.isFirstScreenReplaced ? TextLine.wrapped(lost, width: columns, .warning) : [])
      + (input.isSlow ? [TextLine(slow, .warning)] : [])
      + TextLine.wrapped(
        "The panel counts the states that each screen has drawn, and those whose text was already old.",
        width: columns, .dim)
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
    case .control("o"): return .toggleSecondScreen
    case .control("d"): return .toggleSlowDrawing
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
