import AsyncViewModels
import ToolkitTestSupport

/// One observer in a specification: its buffer, its unread elements, and whether it has left.
struct ObserverModel: Hashable, Sendable {
  struct Element: Hashable, Sendable {
    let number: Int
    let value: Int
  }

  private let limit: Int
  private let overflow: BufferingPolicy.Overflow
  var unread: [Element] = []
  var hasLeft = false

  init(_ buffering: BufferingPolicy) {
    switch buffering {
    case .latest: (limit, overflow) = (1, .oldest)
    case .bounded(let bound, let dropping): (limit, overflow) = (bound, dropping)
    case .unbounded: (limit, overflow) = (.max, .oldest)
    }
  }

  mutating func receive(_ element: Element) {
    if hasLeft { return }
    if unread.count < limit { return unread.append(element) }
    guard overflow == .oldest else { return }
    unread.removeFirst()
    unread.append(element)
  }

  mutating func leave() {
    hasLeft = true
    unread = []
  }
}
