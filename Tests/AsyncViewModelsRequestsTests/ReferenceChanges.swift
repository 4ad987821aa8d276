import AsyncViewModelsRequests
import AsyncViewModelsTesting
import ToolkitTestSupport

/// The stock of a shop. The tests of optimistic changes use it as the value.
///
/// The amounts of different products are independent, so changes with different ordering keys can be made in
/// any order.
struct Stock: Equatable, Sendable {
  static let limit = 5

  var amounts: [Int: Int] = [:]

  subscript(product: Int) -> Int {
    get { amounts[product, default: 0] }
    set { amounts[product] = newValue == 0 ? nil : newValue }
  }
}

/// Adds some of a product to the stock, or removes all of the product.
struct Restock: OptimisticChange, Equatable {
  let product: Int
  /// A positive amount is added, up to the limit. A negative amount removes everything.
  let amount: Int

  var orderingKey: Int { product }

  func apply(to stock: inout Stock) throws(Refused) -> Request {
    let present = stock[product]
    let difference = amount < 0 ? -present : min(amount, Stock.limit - present)
    guard difference != 0 else { throw Refused(reason: amount < 0 ? "none left" : "full") }
    let request = Request(product: product, difference: difference)
    stock[product] += difference
    return request
  }

  static func reapply(_ request: Request, to stock: inout Stock) {
    stock[request.product] = max(0, min(Stock.limit, stock[request.product] + request.difference))
  }

  struct Request: Equatable, Sendable {
    let product: Int
    let difference: Int
  }
}

/// A simple reference implementation of ``OptimisticChanges``. It computes everything from a list of changes.
struct ReferenceChanges {
  enum Phase: Equatable {
    case waiting, due, refused
    /// Made with `apply`, so it needs no confirmation.
    case applied
  }

  struct Entry {
    let id: Int
    let change: Restock
    var request: Restock.Request
    var phase: Phase
  }

  var confirmed = Stock()
  var entries: [Entry] = []

  var pending: [Entry] { entries.filter { $0.phase == .waiting || $0.phase == .due } }

  /// The confirmed value plus the pending and applied changes.
  var value: Stock {
    entries.filter { $0.phase != .refused }.reduce(into: confirmed) { Restock.reapply($1.request, to: &$0) }
  }

  mutating func apply(_ change: Restock) throws(Refused) {
    var value = value
    let request = try change.apply(to: &value)
    entries.append(Entry(id: 0, change: change, request: request, phase: .applied))
    confirmApplied()
  }

  mutating func begin(_ change: Restock, id: Int) throws(Refused) {
    var value = value
    let request = try change.apply(to: &value)
    entries.append(Entry(id: id, change: change, request: request, phase: .waiting))
    makeFirstOfLanesDue()
  }

  mutating func confirm(_ id: Int) {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
    Restock.reapply(entries.remove(at: index).request, to: &confirmed)
    makeFirstOfLanesDue()
  }

  mutating func confirm(_ id: Int, as stock: Stock) {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
    entries.remove(at: index)
    rebase(onto: stock)
  }

  mutating func rollBack(_ id: Int) {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
    if entries.remove(at: index).phase != .refused { redo() }
    makeFirstOfLanesDue()
  }

  mutating func rebase(onto stock: Stock) {
    confirmed = stock
    redo()
    makeFirstOfLanesDue()
  }

  private mutating func redo() {
    var value = confirmed
    for index in entries.indices where entries[index].phase != .refused {
      if entries[index].phase != .waiting {
        Restock.reapply(entries[index].request, to: &value)
      } else if let request = try? entries[index].change.apply(to: &value) {
        entries[index].request = request
      } else {
        entries[index].phase = .refused
      }
    }
  }

  /// Confirms each applied change that follows no pending change with the same ordering key.
  private mutating func confirmApplied() {
    while let index = entries.indices.first(where: { index in
      let entry = entries[index]
      return entry.phase == .applied
        && !entries[..<index].contains {
          $0.change.orderingKey == entry.change.orderingKey && ($0.phase == .due || $0.phase == .waiting)
        }
    }) {
      Restock.reapply(entries.remove(at: index).request, to: &confirmed)
    }
  }

  private mutating func makeFirstOfLanesDue() {
    confirmApplied()
    for orderingKey in Set(pending.map(\.change.orderingKey)) {
      let index = entries.firstIndex {
        $0.change.orderingKey == orderingKey && ($0.phase == .waiting || $0.phase == .due)
      }
      if let index { entries[index].phase = .due }
    }
  }
}
