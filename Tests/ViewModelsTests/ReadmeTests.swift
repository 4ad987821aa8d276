import Dispatch
import Domain
import Foundation
import Testing
import ViewModelTesting
import ViewModels

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
      try text("Tests/ViewModelsTests/ReadmeTests.swift").split(separator: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) })
    let missing = example.split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("//") && !here.contains($0) }
    #expect(missing.isEmpty)
  }

  @Test("every link leads to a file or folder of the package", arguments: ["README.md", "CONTRIBUTING.md"])
  func links(document: String) throws {
    let links = try text(document).matches(of: /\]\(([^)#:]+)\)/).map { String($0.1) }
    let broken = links.filter { !FileManager.default.fileExists(atPath: Self.root.appending(path: $0).path) }
    #expect(broken.isEmpty)
  }

  private func before(
    legacyService: some CartClosureService, product: Product,
    render: @escaping @Sendable (Cart) -> Void, show: @escaping @Sendable (any Error) -> Void
  ) {
    let cart = CartClosureViewModel(service: legacyService)
    let binding = cart.bind { state in render(state.cart) }
    cart.add(product) { result in if case .failure(let error) = result { show(error) } }
    _ = binding
  }

  private func after(
    service: some CartService, product: Product, tasks: TaskBag,
    render: @escaping @Sendable (Cart) -> Void, show: @escaping @Sendable (any Error) -> Void
  ) async {
    let cart = CartViewModel(service: service)
    tasks.run { for await state in cart.states() { render(state.cart) } }
    do { try await cart.add(product) } catch { show(error) }
  }
}
