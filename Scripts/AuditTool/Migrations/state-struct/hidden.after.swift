// Types that only this file sees, and values with operators in an initializer.
final class FeedViewModel {
  fileprivate enum Kind { case all, mine }
  fileprivate struct Row { let kind: Kind }

  struct State {
    fileprivate var rows: [Row] = []
    fileprivate var phase = Phase.idle
    fileprivate var page: Page
    fileprivate var mode: Mode = .first
    var limit: Int = Defaults.limit
    var title: String
    var offset: Int
    var isMine: Bool
  }

  private(set) var state: State
  var limit: Int { state.limit }
  var title: String { state.title }

  private let name: String

  init(title: String?, page: Int, name: String = "feed", isEmpty: Bool? = nil) {
    self.name = name
    state = State(
      page: Page(number: page),
      title: title ?? "Feed",
      offset: page * 20 + 1,
      isMine: isEmpty == true ? false : !name.isEmpty)
  }

  func reload() {
    state.rows = [Row(kind: state.isMine ? .mine : .all)]
    state.phase = .busy
    state.mode = .second
    state.page.number += state.offset
  }

  var text: String { "\(state.title) \(state.rows.count) \(state.phase) \(state.page.number) \(state.mode)" }
}

private extension FeedViewModel {
  typealias Page = Position

  enum Phase { case idle, busy }
  enum Mode { case first, second }
  struct Position { var number: Int }
  enum Defaults { static let limit = 3 }
}
