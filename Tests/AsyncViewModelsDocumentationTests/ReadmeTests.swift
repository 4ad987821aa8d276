import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Foundation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What the README shows compiles, because it stands here too; and what it links to is there.
@Suite("README", .timeLimit(.minutes(1)))
struct ReadmeTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  @Test("the code of the first example stands in this file, line by line")
  func example() throws {
    let blocks = try text("README.md").components(separatedBy: "```swift\n").dropFirst()
    let example = try #require(blocks.first?.components(separatedBy: "```").first)
    let here = Set(
      try text("Tests/AsyncViewModelsDocumentationTests/ReadmeTests.swift").split(separator: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) })
    let missing = example.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.hasPrefix("//") && !here.contains($0) }
    #expect(missing.isEmpty)
  }

  @Test(
    "every link leads to a file or folder of the package",
    arguments: [
      "README.md", "CONTRIBUTING.md", "Documentation/FindTheRace.md", "Documentation/MigrateOneViewModel.md",
    ])
  func links(document: String) throws {
    let folder = Self.root.appending(path: document).deletingLastPathComponent()
    let links = try text(document).matches(of: /\]\(([^)#:]+)\)/).map { String($0.1) }
    let broken = links.filter { !FileManager.default.fileExists(atPath: folder.appending(path: $0).path) }
    #expect(broken.isEmpty)
  }

  @Test("the screen of the first example, before: it shows what it is told, and goes away")
  @MainActor
  func before() async throws {
    try await LeakTracker.check { tracker in
      let screen = tracker.track(ScreenBefore(CartClosureViewModel()))
      screen.show(.apple, howOften: 11)
      try await until {
        screen.shown.last?.itemCount == 10
          && screen.errors == [.insufficientStock(1, requested: 11, available: 10)]
      }
    }
  }

  @Test("the screen of the first example, after: it shows what it is told, and goes away")
  @MainActor
  func after() async throws {
    try await LeakTracker.check { tracker in
      let cart = CartViewModel()
      do {
        let screen = tracker.track(ScreenAfter(cart))
        await screen.show(.apple, howOften: 11)
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

  func show(_ product: Product, howOften: Int) {
    binding = cart.bind { [weak self] state in MainActor.assumeIsolated { self?.render(state.cart) } }
    for _ in 1...howOften {
      cart.add(product) { [weak self] result in
        if case .failure(let error) = result { MainActor.assumeIsolated { self?.show(error) } }
      }
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

  func show(_ product: Product, howOften: Int) async {
    binding = cart.states().observe(on: self) { screen, state in screen.render(state.cart) }
    for _ in 1...howOften {
      do { try await cart.add(product) } catch { show(error) }
    }
  }

  private func render(_ cart: Cart) { shown.append(cart) }
  private func show(_ error: any Error) { if let error = error as? CartError { errors.append(error) } }
}
