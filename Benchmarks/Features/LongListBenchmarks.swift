import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

/// A list that grows while many observers hold its states, and the cost of adding a page.
enum LongListBenchmarks {
  static let title = "10,000 items in 1,000 loads"
  /// The bytes of one copy of the list's items.
  static let itemBytes = itemCount * MemoryLayout<CatalogProduct>.stride
  fileprivate static let itemCount = 10_000
  static let manyObservers = 256
  static let pageCurve = "add a page, per item"
  static let listState = "ProductListState"
  static let bare = "bare array and dictionary"
  static let lengthCurve = "load a list by \(pageSize), per page"
  static let reloadTitle = "reload an unchanged page of \(Quantity.count(itemCount, "item"))"
  static let comparison = "two arrays compared with =="
  private static let pageSize = 50

  static func observed(by observers: Int) -> String {
    "async stage, \(Quantity.count(observers, "observer"))"
  }

  /// The sizes of an added page. For a page of one item, both variants mostly measure what a list costs without its items.
  static let pageSizes = [1, 100, 10_000, 100_000]

  /// The lengths of a list that is loaded page by page.
  static let lengths = (short: 1_000, long: itemCount)

  static func wholeListTitle(_ count: Int) -> String {
    "load \(Quantity.count(count, "item")) by \(pageSize)"
  }

  static func pageTitle(_ count: Int) -> String { "add a page of \(Quantity.count(count, "item"))" }

  static var groups: [BenchmarkGroup] {
    [growing] + pageSizes.map(pages) + [reload] + [lengths.short, lengths.long].map(wholeList)
  }

  /// Each observer holds the newest state. If each observer held its own copy of the items, many observers would need
  /// many times the memory.
  private static var growing: BenchmarkGroup {
    BenchmarkGroup(
      section: "Product list", title: title, unit: "load", reference: observed(by: 1),
      benchmarks: [1, manyObservers].map { .growingList(observed(by: $0), observers: $0) })
  }

  private static func pages(of count: Int) -> BenchmarkGroup {
    let items = CatalogProduct.numbered(count)
    return BenchmarkGroup(
      section: "Product list", title: pageTitle(count), unit: "item",
      reference: bare,
      point: CurvePoint(
        pageCurve, "items", count,
        note: """
          100,000 items and their positions do not fit into the caches, so adding an item has to access main memory. The bare array and \
          dictionary pay the same.
          """),
      benchmarks: [
        Benchmark(listState) { iterations in
          for _ in 0..<iterations {
            var state = ProductListState(pageSize: count)
            state.load(items)
            blackHole(state)
          }
          return iterations * count
        },
        Benchmark(bare) { iterations in
          for _ in 0..<iterations {
            var (list, positions): ([CatalogProduct], [CatalogProduct.ID: Int]) = ([], [:])
            for item in items where positions.updateValue(list.count, forKey: item.id) == nil {
              list.append(item)
            }
            blackHole((list, positions))
          }
          return iterations * count
        },
      ])
  }
}

extension LongListBenchmarks {
  /// Loads the first page again, and its items have not changed. The two pages are equal, but share no storage.
  private static var reload: BenchmarkGroup {
    let pages = [CatalogProduct.numbered(itemCount), CatalogProduct.numbered(itemCount)]
    return BenchmarkGroup(
      section: "Product list", title: reloadTitle, unit: "reload", reference: comparison,
      benchmarks: [
        .reload(listState, pages),
        Benchmark(comparison) { iterations in
          for _ in 0..<iterations { blackHole(pages[0] == pages[1]) }
          return iterations
        },
      ])
  }

  /// A page may not cost more if the list is longer: no item that the list already has is copied.
  private static func wholeList(of count: Int) -> BenchmarkGroup {
    BenchmarkGroup(
      section: "Product list", title: wholeListTitle(count), unit: "page",
      reference: MigrationStage.closure.variant,
      point: CurvePoint(
        lengthCurve, "items", count,
        note:
          "The closure stage copies the whole list for each page, because it keeps the old state during an update."
      ),
      benchmarks: MigrationStage.allCases.map { stage in
        Benchmark(stage.variant, subject: { PagesInMemory(items: CatalogProduct.numbered(count)) }) {
          service, iterations in
          for _ in 0..<iterations { try await load(count, from: service, in: stage) }
          return iterations * (count / pageSize)
        }
      })
  }

  private static func load(_ count: Int, from service: PagesInMemory, in stage: MigrationStage) async throws {
    let list = stage.makeList(service: service, pageSize: pageSize)
    await list.load().value
    while list.state.hasMore { await list.loadNextPage().value }
    guard list.state.items.count == count else { throw StatesEnded() }
  }
}

extension CatalogProduct {
  fileprivate static func numbered(_ count: Int) -> [CatalogProduct] {
    (0..<count).map { number in
      CatalogProduct(
        id: CatalogProduct.ID(rawValue: number), name: "Lamp \(number)",
        price: Money(minorUnits: 1_990, currency: .usd), stock: 1)
    }
  }
}

extension ProductListState {
  /// Loads one page with all items.
  fileprivate mutating func load(_ items: [CatalogProduct]) {
    begin(PageRequest(index: 0, size: items.count))
    receive(.success(Page(items: items, index: 0, isLast: true)))
  }
}

extension Benchmark {
  /// Loads a page into a list that is not loaded, and then, in turn, the other page and this one.
  fileprivate static func reload(_ variant: String, _ pages: [[CatalogProduct]]) -> Benchmark {
    Benchmark(
      variant,
      subject: {
        var list = ProductListState(pageSize: LongListBenchmarks.itemCount)
        list.load(pages[0])
        return list
      }
    ) { loaded, iterations in
      var list = loaded
      for iteration in 1...iterations { list.load(pages[iteration % 2]) }
      blackHole(list)
      return iterations
    }
  }

  fileprivate static func growingList(_ variant: String, observers: Int) -> Benchmark {
    let (count, loads) = (LongListBenchmarks.itemCount, 1_000)
    return Benchmark(variant, subject: { PagesInMemory(items: CatalogProduct.numbered(count)) }) {
      service, iterations in
      for _ in 0..<iterations {
        let list = ProductListViewModel(service: service, pageSize: count / loads)
        let watching = (0..<observers).map { _ in
          Task { [states = list.states()] in
            var held: ProductListState?
            for await state in states { held = state }
            blackHole(held)
          }
        }
        await list.load()
        for _ in 1..<loads { await list.loadNextPage() }
        guard list.state.items.count == count else { throw StatesEnded() }
        for observer in watching { observer.cancel() }
        for observer in watching { await observer.value }
      }
      return iterations * loads
    }
  }
}

/// Answers each request immediately, with a page of its items.
private struct PagesInMemory: PageService, PageClosureService {
  let items: [CatalogProduct]

  func page(_ request: PageRequest) async throws -> Page<CatalogProduct> { Page(request, of: items) }

  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken {
    completion(.success(Page(request, of: items)))
    return .finished
  }
}
