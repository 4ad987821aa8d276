#if os(macOS) || os(Linux)
  import AsyncViewModels
  import AsyncViewModelsTesting
  import Foundation
  import StorefrontDomain
  import StorefrontLoopbackServer
  import StorefrontServices
  import StorefrontTesting
  import StorefrontViewModels
  import Testing

  /// The cart over HTTP and with a file, in processes that are killed at random moments, over a server that loses answers.
  @Suite("Cart: killed apps", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
  struct CartKilledAppTests {
    @Test(
      "each change that was saved is made once, whenever the app is killed",
      arguments: MigrationStage.allCases)
    func killed(stage: MigrationStage) async throws {
      let product = CatalogProduct(
        id: 1, name: "Mug", price: Money(minorUnits: 900, currency: .eur), stock: 1_000_000)
      let server = LoopbackHTTPServer(catalog: Catalog(products: [product]))
      let url = try server.start()
      let folder = FileManager.default.temporaryDirectory.appending(path: "CartKilledAppTests-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = KilledApp.file(in: folder)
      server.recordRequests()

      var (generator, kept) = (SplitMix64(seed: 7), Set<IdempotencyKey>())
      for round in 0..<20 {
        server.failRandomly(0.3, of: [.cut(after: 0), .drop, .status(503)], seed: UInt64(round))
        let app = KilledApp(
          stage: stage, product: product, url: url, folder: folder,
          microseconds: UInt32.random(in: 0...80_000, using: &generator),
          changesFirst: !round.isMultiple(of: 2))
        await #expect(processExitsWith: .signal(SIGKILL)) { [app = app as KilledApp] in try await app.run() }
        let store = try FileStore<SavedCart>(at: file)
        kept.formUnion(try await store.load().value?.unanswered.map(\.key) ?? [])
        try await store.close()
      }

      server.failRandomly(0, seed: 0)
      let store = try FileStore<SavedCart>(at: file)
      let saved = try await store.load().value ?? SavedCart()
      let model = try stage.makeCart(restoring: saved, over: url, storage: store)
      await (await model.load()).value
      try await model.flush().value
      try await store.close()
      #expect(model.state.pendingCount == 0 && model.state.loadFailure == nil)
      let quantity = server.cartQuantity(of: product.id)
      #expect(model.state.cart.quantity(of: product.id) == quantity)
      #expect(
        server.madeKeys.count == quantity && Set(server.madeKeys).count == quantity, "a change was made twice"
      )
      #expect(kept.isSubset(of: server.madeKeys), "a change that was on the disk is lost")
      #expect(!kept.isEmpty, "no app was killed while a change was unanswered")
    }
  }

  /// An app that adds to its cart until it is killed.
  private struct KilledApp: Codable, Sendable {
    let stage: MigrationStage
    let product: CatalogProduct
    let url: URL
    let folder: URL
    /// The time after which the app is killed.
    let microseconds: UInt32
    /// Whether the time begins when an unanswered change is on the disk. On a busy machine, the app can need more time than that for
    /// its first change.
    let changesFirst: Bool

    static func file(in folder: URL) -> URL { folder.appending(path: "cart.json") }

    func run() async throws {
      let storage = ObservedStorage(try FileStore<SavedCart>(at: Self.file(in: folder)))
      let saved = try await storage.store.load().value ?? SavedCart()
      let model = try stage.makeCart(restoring: saved, over: url, storage: storage)
      if changesFirst {
        Task {
          for await cart in storage.saved.events() where !cart.unanswered.isEmpty { return killLater() }
        }
      } else {
        killLater()
      }
      await (await model.load()).value
      while !Task.isCancelled {
        let changes = (1...3).map { _ in model.start(.add(product, quantity: 1)) }
        for change in changes { _ = await change.result }
      }
    }

    private func killLater() {
      Thread.detachNewThread { [microseconds] in
        usleep(microseconds)
        kill(getpid(), SIGKILL)
      }
    }
  }

  /// A file whose saves a test can wait for.
  private struct ObservedStorage: CartStorage, CartClosureStorage {
    let store: FileStore<SavedCart>
    /// The carts that have been saved.
    let saved = EventChannel<SavedCart>()

    init(_ store: FileStore<SavedCart>) { self.store = store }

    func load() async throws -> StoredValue<SavedCart> { try await store.load() }

    func load(
      completion: @escaping @Sendable (Result<StoredValue<SavedCart>, any Error>) -> Void
    ) -> CancellationToken { store.load(completion: completion) }

    func save(_ cart: SavedCart) async throws {
      try await store.save(cart)
      saved.keepForFirstObserver(cart)
    }

    func save(
      _ cart: SavedCart, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) -> CancellationToken {
      store.save(cart) { result in
        if case .success = result { saved.keepForFirstObserver(cart) }
        completion(result)
      }
    }
  }
#endif
