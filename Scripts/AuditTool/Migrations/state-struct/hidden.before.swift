// Types that only this file sees, and values with operators in an initializer.
final class FeedViewModel {
  private enum Kind { case all, mine }
  private struct Row { let kind: Kind }

  private var rows: [Row] = []
  private var phase = Phase.idle
  private var page: Page
  private var mode: Mode = .first
  private(set) var limit: Int = Defaults.limit
  private(set) var title: String
  private var offset: Int
  private var isMine: Bool

  private let name: String

  init(title: String?, page: Int, name: String = "feed", isEmpty: Bool? = nil) {
    self.title = title ?? "Feed"
    offset = page * 20 + 1
    self.page = Page(number: page)
    self.name = name
    isMine = isEmpty == true ? false : !name.isEmpty
  }

  func reload() {
    rows = [Row(kind: isMine ? .mine : .all)]
    phase = .busy
    mode = .second
    page.number += offset
  }

  var text: String { "\(title) \(rows.count) \(phase) \(page.number) \(mode)" }
}

private extension FeedViewModel {
  typealias Page = Position

  enum Phase { case idle, busy }
  private enum Mode { case first, second }
  struct Position { var number: Int }
  enum Defaults { static let limit = 3 }
}
