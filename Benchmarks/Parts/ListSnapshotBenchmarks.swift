import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import ListSnapshots
import StorefrontDomain

/// Compares the difference of two list snapshots with the standard library's `CollectionDifference`, which
/// detects neither sections nor new contents of an item that keeps its ID.
enum ListSnapshotBenchmarks {
  static var groups: [BenchmarkGroup] { [comparison] }

  private static let itemCount = 10_000

  private static var comparison: BenchmarkGroup {
    let standard = "CollectionDifference of cells, inferring moves"
    let subject = { @Sendable in try SnapshotPair(itemCount: itemCount, changes: itemCount / 100) }
    return BenchmarkGroup(
      section: "Snapshots",
      title: "difference of \(Quantity.count(itemCount, "item")), 1 % changed",
      unit: "difference", reference: standard,
      benchmarks: [
        Benchmark("ListSnapshot", subject: subject) { pair, iterations in
          for _ in 0..<iterations { blackHole(pair.new.difference(from: pair.old)) }
          return iterations
        },
        Benchmark("ListSnapshot, including the new snapshot", subject: subject) { pair, iterations in
          for _ in 0..<iterations {
            let new = try SnapshotPair.snapshot(pair.newProducts)
            blackHole(new.difference(from: pair.old))
          }
          return iterations
        },
        Benchmark(standard, subject: subject) { pair, iterations in
          for _ in 0..<iterations {
            blackHole(pair.newRows.difference(from: pair.oldRows).inferringMoves())
          }
          return iterations
        },
        Benchmark("CollectionDifference of bare ids, inferring moves", subject: subject) { pair, iterations in
          for _ in 0..<iterations {
            blackHole(pair.newIDs.difference(from: pair.oldIDs).inferringMoves())
          }
          return iterations
        },
      ])
  }
}

/// A catalog before and after a refresh. The changes are inserts, deletes, moves and new contents, a
/// quarter each.
private struct SnapshotPair: Sendable {
  typealias Products = ListSnapshot<Int, CatalogProduct.ID, CatalogProduct>

  /// A product that compares only its ID, so that `CollectionDifference` does not compare contents.
  struct Row: Hashable {
    let product: CatalogProduct

    static func == (left: Row, right: Row) -> Bool { left.product.id == right.product.id }

    func hash(into hasher: inout Hasher) { hasher.combine(product.id) }
  }

  let old: Products
  let new: Products
  let oldRows: [Row]
  let newRows: [Row]
  let oldIDs: [CatalogProduct.ID]
  let newIDs: [CatalogProduct.ID]
  let newProducts: [CatalogProduct]

  init(itemCount: Int, changes: Int) throws {
    let oldProducts = try (0..<itemCount).map { try Self.product($0, stock: 1) }
    // Creates new strings, as a decoder does: if two strings shared their memory, their comparison would end early.
    var products = try (0..<itemCount).map { try Self.product($0, stock: 1) }
    let stride = itemCount / (changes / 4)
    for step in 0..<changes / 4 {
      let place = itemCount - stride * step - stride / 4
      let restocked = place - stride / 2
      products[restocked] = try Self.product(products[restocked].id.rawValue, stock: 2)
      products.insert(try Self.product(itemCount + step, stock: 1), at: place)
      let moved = products.remove(at: place - stride / 3)
      products.insert(moved, at: (place * 7) % products.count)
      products.remove(at: place - stride / 4)
    }
    old = try Self.snapshot(oldProducts)
    new = try Self.snapshot(products)
    oldRows = oldProducts.map(Row.init)
    newRows = products.map(Row.init)
    oldIDs = oldProducts.map(\.id)
    newIDs = products.map(\.id)
    newProducts = products
  }

  static func snapshot(_ products: [CatalogProduct]) throws -> Products {
    try ListSnapshot([ListSnapshotSection(id: 0, items: products.map { ListSnapshotItem($0) })])
  }

  private static func product(_ number: Int, stock: Int) throws -> CatalogProduct {
    CatalogProduct(
      id: CatalogProduct.ID(rawValue: number), name: "A product with an ordinary name, number \(number)",
      price: Money(minorUnits: 1_990, currency: try Currency("EUR")), stock: stock)
  }
}
