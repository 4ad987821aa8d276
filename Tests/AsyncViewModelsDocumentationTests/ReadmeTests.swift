import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import Foundation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Checks that the README's examples compile, and that links in the documentation lead to existing files.
@Suite("README", .timeLimit(.minutes(5)))
struct ReadmeTests {
  @Test("the code of this folder contains the examples of the README, in the same order")
  func examples() throws {
    try expectExamples(
      of: "README.md", in: "ReadmeTests.swift", "NewsViewModel.swift", except: { $0.contains(".package(") })
  }

  @Test("the lines for a manifest are those of the first tutorial, which is built")
  func manifest() throws {
    let tutorial = try Repository.text(Repository.article("YourFirstViewModel"))
    let lines = try Repository.text("README.md").matches(of: /(?m)^(\.(?:package|product)\(.*?\),) +\/\//)
    #expect(lines.count == 2)
    for line in lines {
      let line = String(line.1)
      #expect(tutorial.contains(line) || tutorial.contains("[\(line.dropLast())]"))
    }
  }

  @Test(
    "every link leads to a file or folder of the package",
    arguments: [
      "README.md", "CONTRIBUTING.md", "Sources/AsyncViewModels/AsyncViewModels.docc/FindTheRace.md",
      "Sources/AsyncViewModels/AsyncViewModels.docc/MigrateOneViewModel.md",
    ])
  func links(document: String) throws {
    let folder = Repository.root.appending(path: document).deletingLastPathComponent()
    let links = try Repository.text(document).matches(of: /\]\(([^)#:]+)\)/).map { String($0.1) }
    let broken = links.filter { !FileManager.default.fileExists(atPath: folder.appending(path: $0).path) }
    #expect(broken.isEmpty)
  }

  @Test("before the migration, the screen of the first example shows carts and errors, and is deallocated")
  @MainActor
  func before() async throws {
    try await LeakTracker.check { tracker in
      let screen = tracker.track(ScreenBefore(CartClosureViewModel()))
      for _ in 1...11 { screen.show(.apple) }
      try await until {
        screen.shown.last?.itemCount == 10
          && screen.errors == [.insufficientStock(1, requested: 11, available: 10)]
      }
    }
  }

  @Test("after the migration, the screen of the first example shows carts and errors, and is deallocated")
  @MainActor
  func after() async throws {
    try await LeakTracker.check { tracker in
      let cart = CartViewModel()
      do {
        let screen = tracker.track(ScreenAfter(cart))
        for _ in 1...11 { await screen.show(.apple) }
        try await until { screen.shown.last?.itemCount == 10 }
        #expect(screen.errors == [.insufficientStock(1, requested: 11, available: 10)])
      }
      try await tracker.assertAllReleased()
      withExtendedLifetime(cart) {}
    }
  }
}

/// A screen as the README shows it in the closure stage.
@MainActor
private final class ScreenBefore {
  private let cart: CartClosureViewModel
  private var binding: CancellationToken?
  private(set) var shown: [Cart] = []
  private(set) var errors: [CartError] = []

  init(_ cart: CartClosureViewModel) { self.cart = cart }

  func show(_ product: CatalogProduct) {
    binding = cart.bind { [weak self] state in MainActor.assumeIsolated { self?.render(state.cart) } }
    cart.add(product) { [weak self] result in
      if case .failure(let error) = result { MainActor.assumeIsolated { self?.show(error) } }
    }
  }

  private func render(_ cart: Cart) { shown.append(cart) }
  private func show(_ error: any Error) { if let error = error as? CartError { errors.append(error) } }
}

/// The same screen in the async stage.
@MainActor
private final class ScreenAfter {
  private let cart: CartViewModel
  private var binding: CancellationToken?
  private(set) var shown: [Cart] = []
  private(set) var errors: [CartError] = []

  init(_ cart: CartViewModel) { self.cart = cart }

  func show(_ product: CatalogProduct) async {
    binding = cart.observe(on: self) { screen, state in screen.render(state.cart) }
    do { try await cart.add(product) } catch { show(error) }
  }

  private func render(_ cart: Cart) { shown.append(cart) }
  private func show(_ error: any Error) { if let error = error as? CartError { errors.append(error) } }
}
