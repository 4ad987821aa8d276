import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsShadow
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The closure stage and the async stage of three features, with a real server.
@Suite("Shadow comparison over HTTP", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
@MainActor
struct ShadowOverHTTPTests {
  /// What a server counts.
  private struct Counts: Equatable {
    let requests: Int
    let writes: Int
    let repeatedWrites: Int
  }

  nonisolated private static let faults: [LoopbackFault] = [
    .status(500), .status(503), .retryLater(429, after: "0"), .body("no JSON"), .drop, .truncate,
    .cut(after: 0), .cut(after: 10, isReset: true), .stillInProgress(), .delay(.milliseconds(1)),
  ]

  @Test("under each fault, the server receives what it receives without a comparison", arguments: faults)
  func writesOnce(fault: LoopbackFault) async throws {
    let alone = try await cart(under: fault, isCompared: false)
    let compared = try await cart(under: fault, isCompared: true)
    #expect(alone == compared)
    #expect(compared.writes == 1)
  }

  private func cart(under fault: LoopbackFault, isCompared: Bool) async throws -> Counts {
    let server = LoopbackHTTPServer(catalog: .seeded(count: 20))
    let service = try client(of: server)
    let product = try #require(server.catalog.products.first { $0.stock >= 3 })
    let calls = ShadowCalls(isEnabled: isCompared)
    let screen = cartScreen(service, calls)
    server.fail(with: fault)
    await screen.add(product)
    if isCompared { try await screen.settle() }
    await screen.load()
    if isCompared { try await screen.settle() }
    #expect(screen.differences.isEmpty, "\(screen.differences)")
    return Counts(
      requests: server.requestCount, writes: server.writeCount, repeatedWrites: server.repeatedWriteCount)
  }

  @Test("the list shows the same pages, and each is requested once")
  func list() async throws {
    let server = LoopbackHTTPServer(catalog: .seeded(count: 20))
    let calls = ShadowCalls(isEnabled: true)
    let screen = ShadowedScreen(
      old: ProductListClosureViewModel(
        service: RecordedStorefront(base: try client(of: server), calls: calls), pageSize: 5,
        callbackQueue: callbackQueue),
      { Shown($0.state) },
      new: ProductListViewModel(service: ReplayedStorefront(calls: calls), pageSize: 5), { Shown($0.state) },
      calls)
    await screen.comparison.perform("load") { old in
      await withCheckedContinuation { ended in old.load { ended.resume() } }
    } new: {
      await $0.load()
    }
    try await screen.settle()
    for fault in [nil, LoopbackFault.status(500), nil] {
      if let fault { server.fail(with: fault) }
      await screen.comparison.perform("next page") { old in
        await withCheckedContinuation { ended in old.loadNextPage { ended.resume() } }
      } new: {
        await $0.loadNextPage()
      }
      try await screen.settle()
    }
    #expect(screen.differences.isEmpty, "\(screen.differences)")
    #expect(server.requestCount == 4)
  }

  @Test("the posts are deleted and restored once, and the events are equal")
  func posts() async throws {
    let server = LoopbackHTTPServer(catalog: .seeded(count: 20))
    let calls = ShadowCalls(isEnabled: true)
    let old = PostsClosureViewModel(
      service: RecordedStorefront(base: try client(of: server), calls: calls), pageSize: 5,
      callbackQueue: callbackQueue)
    let new = PostsViewModel(service: ReplayedStorefront(calls: calls), pageSize: 5)
    let screen = ShadowedScreen(old: old, { Shown($0.state) }, new: new, { Shown($0.state) }, calls)
    await screen.comparison.perform("load") { old in
      await withCheckedContinuation { ended in old.load { ended.resume() } }
    } new: {
      await $0.load()
    }
    try await screen.settle()
    let post = try #require(server.posts.first).id
    await screen.comparison.perform("delete") { old in
      await withCheckedContinuation { ended in old.delete(post) { _ in ended.resume() } }
    } new: {
      try await $0.delete(post)
    }
    try await screen.settle()
    await screen.comparison.perform("restore") { old in
      await withCheckedContinuation { ended in old.restore(post) { _ in ended.resume() } }
    } new: {
      try await $0.restore(post)
    }
    try await screen.settle()
    #expect(screen.differences.isEmpty, "\(screen.differences)")
    #expect(server.requestCount == 3 && server.posts.contains { $0.id == post })
  }

  private func client(of server: LoopbackHTTPServer) throws -> HTTPClosureStorefront {
    try HTTPClosureStorefront(
      baseURL: try server.start(),
      options: HTTPOptions(
        limits: HTTPLimits(deadline: .seconds(600), idleTimeout: .seconds(600)), retry: .none))
  }
}
