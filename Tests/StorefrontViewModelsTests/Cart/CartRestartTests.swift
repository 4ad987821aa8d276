import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The cart over HTTP and with a file: a change whose answer is lost survives a restart of the app, and is made once.
@Suite("Cart: restart", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct CartRestartTests {
  @Test(
    "a change whose answer is lost is made once, also if the app restarts", arguments: MigrationStage.allCases
  )
  func lostAnswer(stage: MigrationStage) async throws {
    let server = LoopbackHTTPServer(catalog: .seeded(count: 20))
    let url = try server.start()
    let product = try #require(server.catalog.products.first { $0.stock >= 3 })
    let folder = FileManager.default.temporaryDirectory.appending(path: "CartRestartTests-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "cart.json")

    let first = try FileStore<SavedCart>(at: file)
    server.fail(with: .cut(after: 0))
    let model = try stage.makeCart(restoring: SavedCart(), over: url, storage: first)
    await #expect(throws: CartError.self) { try await model.add(product, quantity: 2) }
    #expect(server.cartQuantity(of: product.id) == 2, "the service has made the change")
    #expect(model.state.hasUnanswered)
    try await model.flush().value
    try await first.close()

    let second = try FileStore<SavedCart>(at: file)
    let saved = try #require(try await second.load().value)
    #expect(saved.cart.isEmpty)
    #expect(saved.unanswered.map(\.change) == [CartChange(product: product, delta: 2)])
    let restarted = try stage.makeCart(restoring: saved, over: url, storage: second)
    #expect(restarted.state.cart.quantity(of: product.id) == 2)
    #expect(restarted.state.pendingCount == 1)
    await (await restarted.load()).value
    #expect(restarted.state.pendingCount == 0)
    #expect(restarted.state.cart.quantity(of: product.id) == 2)
    #expect(server.cartQuantity(of: product.id) == 2)
    #expect(server.writeCount == 1 && server.repeatedWriteCount == 1, "sent twice, made once")
    try await restarted.flush().value
    try await second.close()
  }
}

extension MigrationStage {
  func makeCart(
    restoring saved: SavedCart, over url: URL, storage: any CartStorage & CartClosureStorage
  ) throws -> any CartDriver {
    let options = HTTPOptions(
      limits: HTTPLimits(deadline: .seconds(600), idleTimeout: .seconds(600)), retry: .none)
    return makeCart(
      restoring: saved, service: try HTTPStorefront(baseURL: url, options: options),
      closures: try HTTPClosureStorefront(baseURL: url, options: options), storage: storage)
  }
}
