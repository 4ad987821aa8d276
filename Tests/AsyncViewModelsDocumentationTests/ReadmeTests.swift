import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import Dispatch
import Foundation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

#if os(Linux)
  import SimulatedQueues
#endif

/// Checks that the README's examples compile, and that links in the documentation lead to existing files.
@Suite("README", .timeLimit(.minutes(5)))
struct ReadmeTests {
  @Test("the code of this folder contains the examples of the README, in the same order")
  func examples() throws {
    try expectExamples(
      of: "README.md", in: "ReadmeTests.swift", "NewsViewModel.swift", except: { $0.contains(".package(") })
  }

  @Test("the screens of this file contain the lines before and after the migration")
  func beforeAndAfter() throws {
    let code = { (text: String) in text.filter { !$0.isWhitespace } }
    let tests = code(try Repository.text("Tests/AsyncViewModelsDocumentationTests/ReadmeTests.swift"))
    let lines = try Self.blocks("diff").joined().split(separator: "\n")
    for sign in ["-", "+"] {
      let side = lines.filter { $0.hasPrefix(sign) }.map { $0.dropFirst() }
        .filter { !$0.hasPrefix("import ") }
      #expect(!side.isEmpty && tests.contains(code(side.joined())))
    }
  }

  /// The code blocks of the README in a language.
  private static func blocks(_ language: String) throws -> [String] {
    try Repository.text("README.md").components(separatedBy: "```\(language)\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
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

#if os(Linux)
  extension ReadmeTests {
    /// The class and the test of the README, which finds the race in the class.
    @Suite(.timeLimit(.minutes(5)))
    struct Race {
      /// Takes the place of `simulate` in the test: the simulation fails, and the README shows lines of the report.
      func simulate(
        seeds: ClosedRange<UInt64>, queues: QueueScheduling,
        _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
      ) async throws {
        let failure = try await #require(throws: SimulationFailure.self) {
          try await AsyncViewModelsSimulation.simulate(seeds: seeds, queues: queues, body)
        }
        Repository.show(failure)
        #if DEBUG
          if Repository.countsCoverage { return }
          let shown = try ReadmeTests.blocks("text").joined(separator: "\n").split(separator: "\n")
          let lines = failure.description.split(separator: "\n")
          #expect(!shown.isEmpty && shown.allSatisfy(lines.contains), "\(failure)")
        #endif
      }

      final class Session: @unchecked Sendable {
        private let queue = DispatchQueue(label: "session")
        private var token: String?
        private var observers: [@Sendable (String) -> Void] = []

        func observe(_ observer: @escaping @Sendable (String) -> Void) {
          if let token = queue.sync(execute: { token }) { return observer(token) }
          queue.sync { observers.append(observer) }
        }

        func signIn(_ token: String) {
          queue.sync { self.token = token }
          queue.sync { observers }.forEach { $0(token) }
        }
      }

      @Test("a screen is told of a login")
      func login() async throws {
        try await simulate(seeds: 1...1_000, queues: .simulated) { world in
          let session = Session()
          world.spawn("screen") {
            await withCheckedContinuation { told in session.observe { _ in told.resume() } }
          }
          world.spawn("login") { session.signIn("token") }
          await world.settle()
        }
      }
    }
  }
#endif

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
