import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import Testing

#if os(macOS) || os(Linux)
  /// Runs in its own process, because other tests open descriptors and start threads at the same time.
  @Suite("HTTP soak", .timeLimit(.minutes(5)))
  struct HTTPSoakTests {
    @Test("3,000 requests to a server that fails every tenth: each call ends once, and nothing is left")
    func soak() async {
      await #expect(processExitsWith: .success) {
        for form in ServiceForm.allCases { try await HTTPSoak(form: form, seed: 12).run() }
      }
    }
  }

  /// Requests of all kinds to a server that answers some of them with hostile responses.
  private struct HTTPSoak {
    let form: ServiceForm
    let seed: UInt64
    private let server = LoopbackHTTPServer(catalog: .seeded(count: 50))

    private static let requests = 3_000
    private static let atATime = 64

    func run() async throws {
      // The first storefront of a process opens descriptors that stay open.
      try await requests(Self.atATime)
      server.stop()
      try await until { OpenResources().threads.isEmpty }
      let before = OpenResources()
      try await requests(Self.requests)
      server.stop()
      // The last storefront of the first requests may have been open when they were counted.
      try await until { OpenResources().isContained(in: before) }
    }

    private func requests(_ count: Int) async throws {
      let url = try server.start()
      let client = try StorefrontClient.http(
        form, url, limits: HTTPLimits(deadline: .milliseconds(500), bodyLength: 256 * 1024))
      server.failRandomly(0.1, seed: seed)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<count {
          if index >= Self.atATime { try await group.next() }
          group.addTask { try await call(index, client) }
        }
        try await group.waitForAll()
      }
    }

    /// Makes a call, and cancels every fifteenth.
    private func call(_ index: Int, _ client: StorefrontClient) async throws {
      let call = Task { try await Self.request(index, client, server.catalog) }
      if index % 15 == 7 {
        for _ in 0..<(index % 40) { await Task.yield() }
        call.cancel()
      }
      switch await call.result {
      case .success: break
      case .failure(is CancellationError): precondition(index % 15 == 7, "a call that was not cancelled")
      case .failure(let error): precondition(error is ServiceError || error is CartError, "\(error)")
      }
    }

    private static func request(_ index: Int, _ client: StorefrontClient, _ catalog: Catalog) async throws {
      let product = catalog.products[index % catalog.products.count]
      let isRight =
        switch index % 4 {
        case 0: try await client.product(product.id) == product
        case 1: try await client.page(PageRequest(index: index % 7, size: 5)).index == index % 7
        case 2: try await client.profile() == catalog.profile
        default:
          try await client.apply(CartChange(product: product, delta: index % 2 == 0 ? 1 : -1)) == ()
        }
      precondition(isRight, "a call returned the value of another call")
    }
  }

  /// The open sockets, pipes and files, and the threads of transports and servers.
  private struct OpenResources {
    let descriptors: Int
    let threads: [String]

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

    func isContained(in other: Self) -> Bool { descriptors <= other.descriptors && threads.isEmpty }

    private static func names(in folder: String) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { "\(folder)/\($0)" }
    }
  }
#endif
