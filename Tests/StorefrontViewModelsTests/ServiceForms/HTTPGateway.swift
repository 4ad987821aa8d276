import AsyncViewModels
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting
import Synchronization

/// A server on this machine that forwards each request to a service of the test, and sends the service's answer.
///
/// A contract answers, holds and refuses calls as it does without HTTP. If a client cancels a request, the
/// connection ends, and the gateway cancels the call to the service.
///
/// All tests share one server. The gateway gives each test's services a number, which is the first component
/// of the paths of their requests. The services stay registered until the process ends.
enum HTTPGateway {
  private static let services = Mutex<[[any Sendable]]>([])

  private static let server = LoopbackHTTPServer(catalog: Catalog(products: []))

  private static let url: URL = {
    server.answer(with: answer)
    do { return try server.start() } catch { preconditionFailure("the server cannot start: \(error)") }
  }()

  /// Registers services, and returns clients whose requests the gateway forwards to them.
  static func storefronts(
    serving served: any Sendable...
  ) -> (async: HTTPStorefront, closure: HTTPClosureStorefront) {
    let number = services.withLock { services in
      services.append(served)
      return services.count - 1
    }
    let url = url.appending(component: "\(number)")
    // The limits are longer than a test, because a request must not time out while the test holds its answer.
    // Each contract decides itself how often its service fails, so the client sends each request once.
    let options = HTTPOptions(
      limits: HTTPLimits(deadline: .seconds(600), idleTimeout: .seconds(600)), retry: .none)
    do {
      return (
        try HTTPStorefront(baseURL: url, options: options),
        try HTTPClosureStorefront(baseURL: url, options: options)
      )
    } catch { preconditionFailure("\(error)") }
  }

  @Sendable
  private static func answer(
    _ request: HTTPRequest, _ completion: @escaping @Sendable (HTTPResponse) -> Void
  ) -> CancellationToken {
    do {
      let target = try HTTPTarget(request.target)
      guard let number = target.path.first.flatMap({ Int($0) }) else { throw NoRoute() }
      let call = GatewayCall(
        services: services.withLock { $0[number] }, method: request.method, target: target,
        body: Data(request.body), key: request.idempotencyKey, completion: completion)
      return try call.start()
    } catch {
      completion(.error(400, "\(request.method) \(request.target): \(error)"))
      return .finished
    }
  }
}

/// The error of a request that the gateway cannot forward.
private struct NoRoute: Error {}

/// One request, forwarded to the service that can answer it.
private struct GatewayCall: Sendable {
  let services: [any Sendable]
  let method: String
  let target: HTTPTarget
  let body: Data
  let key: IdempotencyKey?
  let completion: @Sendable (HTTPResponse) -> Void

  func start() throws -> CancellationToken {
    let path = target.path.dropFirst()
    switch (method, path.first, path.dropFirst().first) {
    case ("GET", "products", nil):
      return try service((any PageClosureService<CatalogProduct>).self).page(page()) {
        answer($0) { $0 }
      }
    case ("GET", "products", let id?):
      return try service((any DetailClosureService<CatalogProduct>).self).detail(
        of: CatalogProduct.ID(rawValue: number(id))
      ) { answer($0) { $0 } }
    case ("GET", "search", nil):
      let query = target.value(of: "q") ?? ""
      if let products = try? service((any SearchClosureService<CatalogProduct>).self) {
        return products.results(for: query, page: try page()) { answer($0) { $0.map(\.hit) } }
      }
      return try service((any SearchClosureService<TextHit>).self).results(for: query, page: page()) {
        answer($0) { $0.map(\.hit) }
      }
    case ("GET", "cart", nil):
      return try service((any CartClosureService).self).cart { answer($0) { $0 } }
    case ("POST", "cart", "changes"):
      guard let key else { throw NoRoute() }
      let body = try JSONDecoder().decode(ChangeBody.self, from: body)
      guard let product = [CatalogProduct.apple, .pear, .nail].first(where: { $0.id == body.product }) else {
        throw NoRoute()
      }
      return try service((any CartClosureService).self).apply(
        CartChange(product: product, delta: body.delta), key: key
      ) { answer($0) { ["product": body.product.rawValue, "quantity": body.delta] } }
    case ("GET", "posts", nil):
      return try service((any PostClosureService).self).posts(page()) { answer($0) { $0 } }
    case ("DELETE", "posts", let id?):
      let id = Post.ID(rawValue: try number(id))
      return try service((any PostClosureService).self).delete(id) { answer($0) { ["deleted": id] } }
    case ("POST", "posts", let id?) where path.last == "restore":
      let id = Post.ID(rawValue: try number(id))
      return try service((any PostClosureService).self).restore(id) { answer($0) { ["restored": id] } }
    case ("GET", "profile", nil):
      return try service((any ProfileClosureService).self).profile { answer($0) { $0 } }
    case ("PUT", "profile", nil):
      let body = try JSONDecoder().decode(SaveBody.self, from: body)
      return try service((any ProfileEditingClosureService).self).save(
        Profile.Draft(name: body.name, email: body.email), basedOn: body.version
      ) { answer($0) { $0 } }
    case ("GET", "orders", nil):
      return try service((any OrderClosureService).self).orders { answer($0) { $0 } }
    case ("GET", "recommendations", nil):
      return try service((any RecommendationClosureService).self).recommendations { answer($0) { $0 } }
    default: throw NoRoute()
    }
  }

  private struct ChangeBody: Decodable {
    let product: CatalogProduct.ID
    let delta: Int
  }

  private struct Conflict: Encodable {
    let error: String
    let current: Profile
  }

  private struct SaveBody: Decodable {
    let name: String
    let email: String
    let version: Int
  }

  private func service<Service>(_ type: Service.Type) throws -> Service {
    for service in services { if let service = service as? Service { return service } }
    throw NoRoute()
  }

  /// The requested page. Without a number and a cursor, it is the first page.
  private func page() throws -> PageRequest {
    let size = try number(target.value(of: "size"))
    if let cursor = target.value(of: "cursor") { return PageRequest(cursor: cursor, size: size) }
    return try PageRequest(index: target.value(of: "page").map(number) ?? 0, size: size)
  }

  private func number(_ text: String?) throws -> Int {
    guard let number = text.flatMap({ Int($0) }) else { throw NoRoute() }
    return number
  }

  private func answer<Value>(_ result: Result<Value, any Error>, _ body: (Value) -> some Encodable) {
    switch result {
    case .success(let value): completion(.json(body(value)))
    case .failure(let error): completion(Self.refusal(error))
    }
  }

  /// The response for which the client throws the same error, if there is one.
  private static func refusal(_ error: any Error) -> HTTPResponse {
    switch error {
    case PageError.expired: .error(410, "\(error)")
    case ServiceError.status(let code, let message): .error(code, message)
    case ServiceError.notFound, CartError.unknownProduct, PostError.unknownPost: .error(404, "\(error)")
    case CartError.refused(_, let reason): .error(409, reason)
    case ProfileError.conflict(let current):
      .json(Conflict(error: "\(error)", current: current), status: 409)
    case ProfileError.invalid(.refused(let field, let reason)):
      .error(422, reason, parameter: field.rawValue)
    default: .error(500, "\(error)")
    }
  }
}
