import AsyncViewModels
import ToolkitTestSupport

/// One observer in a specification: its buffer, its unread elements, and whether it has left.
struct ObserverModel: Hashable, Sendable {
  struct Element: Hashable, Sendable {
    let number: Int
    let value: Int
  }

  private let limit: Int
  var unread: [Element] = []
  var hasLeft = false

  init(_ buffering: BufferingPolicy) {
    limit =
      switch buffering {
      case .latest: 1
      case .bounded(let bound): bound
      case .unbounded: .max
      }
  }

  mutating func receive(_ element: Element) {
    if hasLeft { return }
    if unread.count == limit { unread.removeFirst() }
    unread.append(element)
  }

  mutating func leave() {
    hasLeft = true
    unread = []
  }
}
