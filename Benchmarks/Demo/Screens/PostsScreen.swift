import AsyncViewModels
import StorefrontDomain
import StorefrontViewModels

/// The posts. Opening a post is an event of the view model, and so is the offer to undo a
/// deletion.
enum PostsScreen: ScreenContent {
  static let title = "Posts"
  static let emptyText = "There are no posts."
  static let keys: KeyValuePairs = ["↑↓": "move", "Enter": "read", "Del": "delete", "Esc": "close"]

  static func itemCount(_ input: ScreenInput) -> Int { input.states.posts.posts.count }

  static func state(_ input: ScreenInput) -> ViewState<Void> { input.states.posts.content.map { _ in } }

  static func placeholder(_ input: ScreenInput, columns: Int) -> [TextLine] {
    ContentLines.notice(state(input), empty: emptyText, columns: columns)
      + (input.offer?.lines(columns: columns) ?? [])
  }

  static func lines(_ input: ScreenInput, size: TerminalSize) -> [TextLine] {
    let (state, posts) = (input.states.posts, input.states.posts.posts)
    let offer = input.offer?.lines(columns: size.columns) ?? []
    let open = posts.first { $0.id == input.post }.map { body(of: $0, size: size) } ?? []
    let rows = visibleRows(
      of: posts.count, around: input.selection, in: size.rows - 1 - open.count - offer.count)
    let lines = rows.map { index in
      var line = TextLine()
      line.append("\(posts[index].id)", width: 4, .right, .dim)
      line.append(" ")
      line.append(
        posts[index].title, width: size.columns - 5, .left, posts[index].id == input.post ? .bold : .plain)
      if index == input.selection { line.reverse() }
      return line
    }
    let deletions = state.deletionCount > 0 ? ", \(state.deletionCount) being deleted" : ""
    let restorations = state.restorationCount > 0 ? ", \(state.restorationCount) being restored" : ""
    let more = state.hasMore ? ", more below" : ""
    let status = ContentLines.status(
      "\(posts.count) posts\(more)\(deletions)\(restorations)", isLoading: state.isLoading,
      failure: state.nextPageFailure, columns: size.columns)
    return lines + [status] + open + offer
  }

  private static func body(of post: Post, size: TerminalSize) -> [TextLine] {
    let text = TextLine.wrapped(post.body, width: size.columns).prefix(max(1, size.rows / 2 - 2))
    return [ContentLines.rule(size.columns), TextLine(post.title, .bold).limited(to: size.columns)] + text
  }

  static func action(for key: Key, _ input: ScreenInput) -> ScreenAction? {
    if let button = input.offer?.button(for: key) { return .choose(button) }
    if key == .escape { return input.post == nil ? nil : .close }
    let posts = input.states.posts.posts
    switch key {
    case .down, .pageDown, .end:
      // The next page is there before the user reaches the end.
      let isNearEnd = key == .end || input.selection + StorefrontStates.postsPageSize / 2 >= posts.count
      return isNearEnd && input.states.posts.hasMore ? .loadNextPosts : nil
    case _ where !posts.indices.contains(input.selection): return nil
    case .enter: return .select(posts[input.selection].id)
    case .delete, .backspace: return .delete(posts[input.selection].id)
    default: return nil
    }
  }
}
