import StorefrontDomain
import StorefrontServices

// The requests that change data.

extension LoopbackRoutes {
  /// Answers a write, once for each key.
  mutating func write(_ request: HTTPRequest, _ target: HTTPTarget) throws(ParameterError) -> HTTPResponse {
    guard let write = Write(request, target) else {
      return .error(405, "this method is not allowed here")
    }
    if let refusal = RequestRules.refusal(of: request, type: RequestRules.json) { return refusal }
    guard let key = request.idempotencyKey else { return .problem(.missing) }
    try target.require(only: [])
    return try writes.response(to: request, key: key) { () throws(ParameterError) in
      switch write {
      case .cartChange: try changeCart(request.body)
      case .profile: try saveProfile(request.body)
      case .postDeletion(let id): try change(post: id, posts.delete)
      case .postRestoration(let id): try change(post: id, posts.restore)
      }
    }
  }

  private enum Write {
    case cartChange
    case profile
    case postDeletion(String)
    case postRestoration(String)

    init?(_ request: HTTPRequest, _ target: HTTPTarget) {
      switch (request.method, target.path) {
      case ("POST", ["cart", "changes"]): self = .cartChange
      case ("PUT", ["profile"]): self = .profile
      case ("DELETE", let path) where path.count == 2 && path[0] == "posts": self = .postDeletion(path[1])
      case ("POST", let path) where path.count == 3 && path[0] == "posts" && path[2] == "restore":
        self = .postRestoration(path[1])
      default: return nil
      }
    }
  }

  private func changeCart(_ body: [UInt8]) throws(ParameterError) -> HTTPResponse {
    let body = try members(of: body, only: ["product", "delta"])
    let change = LoopbackCart.Change(
      product: try number("product", in: body), delta: try number("delta", in: body))
    guard change.delta != 0 else { throw ParameterError(parameter: "delta", reason: "it must not be 0") }
    return cart.apply(change, in: catalog, product: feed.storedProduct)
  }

  private mutating func saveProfile(_ body: [UInt8]) throws(ParameterError) -> HTTPResponse {
    let body = try members(of: body, only: ["name", "email", "version"])
    let draft = Profile.Draft(name: try string("name", in: body), email: try string("email", in: body))
    let response = profile.save(draft, basedOn: try number("version", in: body))
    clearCache()
    return response
  }

  private mutating func change(
    post text: String, _ body: (Post.ID) -> HTTPResponse
  ) throws(ParameterError) -> HTTPResponse {
    guard let id = Int(shortest: text) else {
      throw ParameterError(parameter: "id", reason: "expected a whole number, found \"\(text)\"")
    }
    let response = body(Post.ID(rawValue: id))
    clearCache()
    return response
  }

  private func members(
    of body: [UInt8], only names: Set<String>
  ) throws(ParameterError) -> [String: JSONValue] {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONReader.value(of: body)
    } catch {
      throw ParameterError(parameter: "body", reason: "not JSON: \(error.reason)")
    }
    guard case .object(let members) = value else {
      throw ParameterError(parameter: "body", reason: "expected an object, found \(value.kind)")
    }
    if let other = members.keys.filter({ !names.contains($0) }).min() {
      throw ParameterError(parameter: other, reason: "the member is unknown")
    }
    return members
  }

  private func number(_ name: String, in members: [String: JSONValue]) throws(ParameterError) -> Int {
    let value = try member(name, of: members)
    guard case .number(let text) = value, let number = Int(text) else {
      throw ParameterError(parameter: name, reason: "expected a whole number, found \(value.kind)")
    }
    return number
  }

  private func string(_ name: String, in members: [String: JSONValue]) throws(ParameterError) -> String {
    let value = try member(name, of: members)
    guard case .string(let text) = value else {
      throw ParameterError(parameter: name, reason: "expected a string, found \(value.kind)")
    }
    return text
  }

  private func member(_ name: String, of members: [String: JSONValue]) throws(ParameterError) -> JSONValue {
    guard let value = members[name] else { throw ParameterError(parameter: name, reason: "it is missing") }
    return value
  }
}
