#if canImport(UIKit) && os(Linux)
  import AsyncViewModelsTesting
  import AsyncViewModelsUI
  import Testing
  import UIKit

  /// Runs the examples of the page `UsingUIKit` about cells and storyboards.
  @MainActor
  @Suite("Examples of the page about UIKit", .timeLimit(.minutes(5)), .endsWaits)
  struct DocumentedExamplesTests {
    private struct ScriptedPrices: UIKitExamples.PriceService {
      let calls = ScriptedCalls<Int, String>(ignoringCancellation: true)

      func price(of product: Int) async throws -> String { try await calls(product) }
    }

    @Test("a cell that is reused cancels its load, and never shows the price of the product before it")
    func reusedCell() async throws {
      let service = ScriptedPrices()
      let source = UIKitExamples.PricesDataSource(service: service)
      let list = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewLayout())
      source.products = [1]
      list.dataSource = source
      let cell = try #require(list.cellForItem(at: [0, 0]) as? UIKitExamples.PriceCell)
      let first = try await service.calls.next()
      source.products = [2]
      list.reloadData()
      #expect(list.cellForItem(at: [0, 0]) === cell)
      await first.waitForCancellation()
      let second = try await service.calls.next()
      first.succeed("old")
      second.succeed("9 €")
      try await until { cell.label.text != nil }
      #expect(cell.label.text == "9 €")

      source.products = [3]
      list.reloadData()
      #expect(cell.label.text == nil)
      let third = try await service.calls.next()
      cell.prepareForReuse()
      await third.waitForCancellation()
    }

    @Test("a controller of a storyboard gets its view model in its initializer")
    func storyboard() {
      let model = UIKitExamples.CartViewModel()
      let storyboard = UIStoryboard(name: "Main", bundle: nil)
      let controller = UIKitExamples.makeProfile(from: storyboard, model: model)
      #expect((controller as? UIKitExamples.ProfileViewController)?.model === model)
    }
  }
#endif
