import AsyncViewModelsRequests
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting
import Testing

#if os(macOS) || os(Linux)
  /// Runs in its own process, because other tests open descriptors and start threads at the same time.
  @Suite("HTTP soak", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
  struct HTTPSoakTests {
    @Test(
      "3,000 calls to a server that fails every tenth request: each call ends once, no write is made twice, and nothing is left"
    )
    func soak() async {
      await #expect(processExitsWith: .success) {
        for form in ServiceForm.allCases { try await HTTPSoak(form: form, seed: 12).run() }
      }
    }
  }

  /// Calls of all kinds to a server that answers some of the requests with faults. A share of the calls is cancelled.
  private struct HTTPSoak {
    /// How a call ended.
    enum Outcome: Hashable {
      case value, refusal, serviceError, cancellation
    }

    /// The calls that have ended, and how two calls with the same key have ended.
    private struct Record {
      var outcomes: [Outcome: Int] = [:]
      var outcomesOfKeys: [IdempotencyKey: Set<Outcome>] = [:]
      /// Whether tasks were counted while calls were running.
      var hasLiveObjects = false
    }

    let form: ServiceForm
    let seed: UInt64
    private let server = LoopbackHTTPServer(catalog: .seeded(count: 50))

    private static let calls = 3_000
    private static let atATime = 64
    private static let faults =
      HostileResponse.all.map(LoopbackFault.hostile) + [
        .drop, .truncate, .status(503), .stillInProgress(), .stillInProgress(after: "0"),
      ] + (0..<20).map { .cut(after: $0 * 12, isReset: $0 % 2 == 0) }

    func run() async throws {
      // The first storefront of a process opens descriptors that stay open.
      try await calls(Self.atATime)
      server.stop()
      try await until { OpenResources().threads.isEmpty }
      let before = OpenResources()
      try await calls(Self.calls)
      server.stop()
      // The last storefront of the first calls may have been open when they were counted.
      try await until { OpenResources().isContained(in: before) }
    }

    private func calls(_ count: Int) async throws {
      let url = try server.start()
      server.emptyCart()
      server.recordRequests()
      server.failRandomly(0.1, of: Self.faults, seed: seed)
      let backoff = RetryPolicy.exponential(
        from: .milliseconds(1), upTo: .milliseconds(5), limit: 2, jitter: 1)
      let client = try StorefrontClient.http(
        form, url,
        options: HTTPOptions(
          limits: HTTPLimits(deadline: .milliseconds(500), bodyLength: 256 * 1024),
          retry: HTTPRetryPolicy(backoff: backoff, pollInterval: .milliseconds(2))))
      let round = UUID().uuidString
      var record = Record()
      try await withThrowingTaskGroup(of: (IdempotencyKey?, Outcome).self) { group in
        func recordNext() async throws {
          guard let (key, outcome) = try await group.next() else { return }
          record.outcomes[outcome, default: 0] += 1
          record.hasLiveObjects = record.hasLiveObjects || LiveObjects.process.count != LiveObjectCount()
          if let key { record.outcomesOfKeys[key, default: []].insert(outcome) }
        }
        for index in 0..<count {
          if index >= Self.atATime { try await recordNext() }
          group.addTask { try await call(SoakCall(index, round, server.catalog), client) }
        }
        for _ in 0..<min(count, Self.atATime) { try await recordNext() }
      }
      precondition(record.outcomes.values.reduce(0, +) == count, "\(record.outcomes)")
      try await checkChanges(count, round, record, url)
      guard count == Self.calls else { return }
      precondition(record.outcomes.count == 4, "\(record.outcomes)")
      precondition(record.hasLiveObjects == LiveObjects.areCounted, "the tasks are not counted")
    }

    /// Makes a call, and cancels it if its seed says so.
    private func call(_ call: SoakCall, _ client: StorefrontClient) async throws -> (IdempotencyKey?, Outcome)
    {
      var generator = SplitMix64(seed: seed &+ UInt64(call.index))
      let task = Task { try await call(client, server) }
      let isCancelled = Double.random(in: 0..<1, using: &generator) < 0.15
      if isCancelled {
        for _ in 0..<Int.random(in: 0..<300, using: &generator) { await Task.yield() }
        task.cancel()
      }
      switch await task.result {
      case .success: return (call.key, .value)
      case .failure(is CancellationError):
        precondition(isCancelled, "a call that was not cancelled")
        return (call.key, .cancellation)
      case .failure(is ServiceError): return (call.key, .serviceError)
      case .failure(let error):
        precondition(error is CartError || error is PostError || error is ProfileError, "\(error)")
        return (call.key, .refusal)
      }
    }

    /// Checks that each cart change was made once if a call succeeded, never if it was refused, and at most once otherwise.
    private func checkChanges(_ count: Int, _ round: String, _ record: Record, _ url: URL) async throws {
      server.failRandomly(0, seed: seed)
      let client = try StorefrontClient.http(form, url)
      var deltas: [IdempotencyKey: (product: CatalogProduct.ID, delta: Int)] = [:]
      for index in 0..<count {
        guard let (change, key) = SoakCall(index, round, server.catalog).change, deltas[key] == nil else {
          continue
        }
        deltas[key] = (change.product.id, change.delta)
        var outcomes = record.outcomesOfKeys[key] ?? []
        // A change whose outcome is unknown is sent again, as an app does.
        let result = await Result { try await client.apply(change, key: key) }
        if case .failure(let error) = result { precondition(error is CartError, "\(error)") }
        outcomes.insert((try? result.get()) == nil ? .refusal : .value)
        precondition(!outcomes.isSuperset(of: [.value, .refusal]), "two answers for one key")
        precondition(server.madeKeys.contains(key) == outcomes.contains(.value), "an answer that is not true")
      }
      let made = server.madeKeys
      precondition(Set(made).count == made.count, "a write was made twice")
      var quantities: [CatalogProduct.ID: Int] = [:]
      for key in made {
        if let change = deltas[key] { quantities[change.product, default: 0] += change.delta }
      }
      for product in server.catalog.products {
        precondition(
          server.cartQuantity(of: product.id) == quantities[product.id] ?? 0, "a change of the cart")
      }
    }
  }

  /// One call of the soak test.
  private struct SoakCall {
    let index: Int
    /// The change of the cart and its key, if this call changes the cart. Two calls have the same change and key.
    let change: (change: CartChange, key: IdempotencyKey)?
    private let catalog: Catalog

    var key: IdempotencyKey? { change?.key }

    init(_ index: Int, _ round: String, _ catalog: Catalog) {
      self.index = index
      self.catalog = catalog
      let pair = index / 12
      guard index % 6 == 3, let key = IdempotencyKey("\(round)-\(pair)") else {
        change = nil
        return
      }
      let product = catalog.products[pair % 7]
      change = (CartChange(product: product, delta: pair % 3 == 0 ? -1 : 1), key)
    }

    func callAsFunction(_ client: StorefrontClient, _ server: LoopbackHTTPServer) async throws {
      let product = catalog.products[index % catalog.products.count]
      let isRight: Bool
      switch index % 6 {
      case 0: isRight = try await client.product(product.id) == product
      case 1: isRight = try await client.page(PageRequest(index: index % 7, size: 5)).index == index % 7
      case 2: isRight = try await client.profile().id == catalog.profile.id
      case 3:
        if let (change, key) = change { try await client.apply(change, key: key) }
        isRight = true
      case 4:
        let draft = Profile.Draft(name: "Ada \(index)", email: "ada@example.com")
        isRight = try await client.save(draft, server.profile.version).name == draft.name
      default:
        try await client.deletePost(catalog.posts[index % catalog.posts.count].id)
        isRight = true
      }
      precondition(isRight, "a call returned the value of another call")
    }
  }

  /// The open sockets, pipes and files, the threads of transports and servers, and in a debug build the tasks and other live objects.
  private struct OpenResources {
    let descriptors: Int
    let threads: [String]
    let liveObjects = LiveObjects.process.count

    init() {
      #if os(Linux)
        // Dispatch keeps a timer and an event queue for each clock that the process has used.
        let links = Self.names(in: "/proc/self/fd").map {
          try? FileManager.default.destinationOfSymbolicLink(atPath: $0)
        }
        descriptors = links.count { $0?.hasPrefix("anon_inode:") == false }
        threads = Self.names(in: "/proc/self/task")
          .compactMap { try? String(contentsOfFile: "\($0)/comm", encoding: .utf8) }
          .filter { $0.hasPrefix("CurlTransport") || $0.hasPrefix("LoopbackHTTP") }
      #else
        descriptors = Self.names(in: "/dev/fd").count
        threads = []
      #endif
    }

    func isContained(in other: Self) -> Bool {
      descriptors <= other.descriptors && threads.isEmpty && liveObjects == LiveObjectCount()
    }

    private static func names(in folder: String) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { "\(folder)/\($0)" }
    }
  }
#endif
