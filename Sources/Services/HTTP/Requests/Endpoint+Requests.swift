import Foundation
import StorefrontDomain

extension Endpoint where Response == Page<CatalogProduct> {
  /// The request for one page of the products, by number or by cursor.
  ///
  /// The first response decides which. A server that pages by cursor ignores the number 0.
  static func products(_ request: PageRequest, needsAllItems: Bool = false) -> Endpoint {
    Endpoint(
      "GET", "/products", query: request.queryItems,
      decode: { try ReadCheck.page(in: $0, for: request, needsAllItems: needsAllItems) },
      failure: { request.failure(for: $0.status) })
  }
}

extension Endpoint where Response == CatalogProduct {
  static func product(_ id: CatalogProduct.ID) -> Endpoint {
    Endpoint(
      "GET", "/products/\(id)", decode: { try ReadCheck.product(in: $0, id: id) },
      failure: { $0.status == 404 ? ServiceError.notFound("product \(id)") : nil })
  }
}

extension Endpoint where Response == Page<SearchHit> {
  static func search(
    _ query: String, _ request: PageRequest, needsAllItems: Bool = false
  ) -> Endpoint {
    Endpoint(
      "GET", "/search", query: [URLQueryItem(name: "q", value: query)] + request.cursorItems,
      rejection: request.rejection,
      decode: { try ReadCheck.page(in: $0, for: request, isByCursor: true, needsAllItems: needsAllItems) },
      failure: { request.failure(for: $0.status) })
  }
}

extension PageRequest {
  fileprivate var queryItems: [URLQueryItem] { position.queryItems + [sizeItem] }

  private var sizeItem: URLQueryItem { URLQueryItem(name: "size", value: "\(size)") }

  /// The parameters of a list that has only pages by cursor.
  fileprivate var cursorItems: [URLQueryItem] { isFirst ? [sizeItem] : queryItems }

  /// The error of a request for a page by number of a list by cursor.
  fileprivate var rejection: PageError? { isFirst || index == nil ? nil : .unsupported(position) }

  /// The error for a status, if the status says anything about the page.
  fileprivate func failure(for status: Int) -> PageError? {
    status == 410 ? position.cursor.map { .expired($0) } : nil
  }
}

extension PagePosition {
  fileprivate var queryItems: [URLQueryItem] {
    switch self {
    case .index(let index): [URLQueryItem(name: "page", value: "\(index)")]
    case .cursor(let cursor): [URLQueryItem(name: "cursor", value: cursor.rawValue)]
    }
  }
}

extension Endpoint where Response == [Order] {
  static var orders: Endpoint { Endpoint("/orders") }
}

extension Endpoint where Response == [CatalogProduct] {
  static var recommendations: Endpoint { Endpoint("/recommendations") }
}

extension Endpoint where Response == Cart {
  static var cart: Endpoint { Endpoint("/cart") }
}

extension Endpoint where Response == Void {
  /// The request for a cart change. The server knows more of the product than the id and the delta.
  static func change(_ change: CartChange, key: IdempotencyKey) -> Endpoint {
    let id = change.product.id
    return Endpoint(
      "POST", "/cart/changes", body: Data(#"{"product":\#(id),"delta":\#(change.delta)}"#.utf8),
      key: key, decode: { try CartWire.Applied.check($0, product: id) },
      failure: { refusal in
        switch refusal.status {
        case 404: CartError.unknownProduct(id)
        // The client has to send the request again.
        case 401, 407, 408, 421, 425, 429: nil
        case 400..<500: CartError.refused(id, reason: refusal.message)
        default: nil
        }
      })
  }
}

extension Endpoint where Response == Page<Post> {
  static func posts(_ request: PageRequest, needsAllItems: Bool = false) -> Endpoint {
    Endpoint(
      "GET", "/posts", query: request.cursorItems, rejection: request.rejection,
      decode: { try ReadCheck.page(in: $0, for: request, isByCursor: true, needsAllItems: needsAllItems) },
      failure: { request.failure(for: $0.status) })
  }
}

extension Endpoint where Response == Void {
  static func deletePost(_ id: Post.ID, key: IdempotencyKey = IdempotencyKey()) -> Endpoint {
    Endpoint(
      "DELETE", "/posts/\(id)", key: key, decode: { try PostWire.Deleted.check($0, id: id) },
      failure: { $0.status == 404 ? PostError.unknownPost(id) : nil },
      madeEarlier: { $0.status == 404 ? () : nil })
  }

  /// The request for a restoration, which has no effect if it is repeated.
  static func restorePost(_ id: Post.ID, key: IdempotencyKey = IdempotencyKey()) -> Endpoint {
    Endpoint(
      "POST", "/posts/\(id)/restore", key: key, decode: { try PostWire.Restored.check($0, id: id) },
      failure: { $0.status == 404 ? PostError.unknownPost(id) : nil })
  }
}

extension Endpoint where Response == Profile {
  static var profile: Endpoint { Endpoint("/profile") }

  static func saveProfile(
    _ draft: Profile.Draft, basedOn version: Int, key: IdempotencyKey = IdempotencyKey()
  ) -> Endpoint {
    Endpoint(
      "PUT", "/profile",
      body: ProfileWire.Edition(name: draft.name, email: draft.email, version: version).encoded(),
      key: key, decode: { try ProfileWire.saved(in: $0, draft: draft) },
      failure: { refusal in
        switch refusal.status {
        case 409: ProfileWire.conflict(in: refusal.body)
        case 422: ProfileWire.invalidField(in: refusal.body, reason: refusal.message)
        default: nil
        }
      },
      madeEarlier: { refusal in
        guard refusal.status == 409, let current = ProfileWire.current(in: refusal.body),
          // Not `version + 1`, because a server can send the largest number.
          current.version > version, current.version - 1 == version, draft.isConfirmed(by: current)
        else { return nil }
        return current
      })
  }
}

/// The checks that a response answers this read, and is not mixed up with another one.
private enum ReadCheck {
  static func product(in body: Data, id: CatalogProduct.ID) throws -> CatalogProduct {
    let product = try JSONDecoder().decode(CatalogProduct.self, from: body)
    guard product.id == id else {
      throw WrongResponse(reason: "it is product \(product.id) instead of \(id)")
    }
    return product
  }

  /// The page in the response to a request: the page with the requested number, a page by cursor
  /// for a cursor, and either page 0 or a page by cursor for the first request.
  static func page<Item: Decodable>(
    in body: Data, for request: PageRequest, isByCursor: Bool = false, needsAllItems: Bool
  ) throws -> Page<Item> {
    let decoder = JSONDecoder()
    decoder.userInfo[.decodesAllPageItems] = needsAllItems
    let page = try decoder.decode(Page<Item>.self, from: body)
    if let wanted = request.index, let index = page.index, !isByCursor {
      guard index == wanted else { throw WrongResponse(reason: "it is page \(index) instead of \(wanted)") }
    } else if let index = page.index {
      throw WrongResponse(reason: "it is page \(index) instead of a page by cursor")
    } else if let wanted = request.index, !request.isFirst {
      throw WrongResponse(reason: "it is a page by cursor instead of page \(wanted)")
    }
    // A page can have fewer items: view models have a rule for a list that does not continue.
    let count = page.items.count + page.omittedCount
    guard count <= request.size else {
      throw WrongResponse(reason: "it has \(count) items instead of \(request.size)")
    }
    return page
  }
}

/// The JSON body that confirms a cart change.
private enum CartWire {
  struct Applied: Decodable {
    let product: CatalogProduct.ID
    let quantity: Int

    static func check(_ body: Data, product: CatalogProduct.ID) throws {
      let applied = try JSONDecoder().decode(Applied.self, from: body)
      guard applied.product == product else { throw WrongResponse(reason: "it confirms another product") }
    }
  }
}

/// The JSON bodies that confirm the deletion and the restoration of a post.
private enum PostWire {
  struct Deleted: Decodable {
    let deleted: Post.ID

    static func check(_ body: Data, id: Post.ID) throws {
      let deleted = try JSONDecoder().decode(Deleted.self, from: body).deleted
      guard deleted == id else { throw WrongResponse(reason: "it confirms the deletion of another post") }
    }
  }

  struct Restored: Decodable {
    let restored: Post.ID

    static func check(_ body: Data, id: Post.ID) throws {
      let restored = try JSONDecoder().decode(Restored.self, from: body).restored
      guard restored == id else { throw WrongResponse(reason: "it confirms the restoration of another post") }
    }
  }
}

/// A response that answers another request.
private struct WrongResponse: Error, CustomStringConvertible {
  let reason: String

  var description: String { reason }
}

/// The JSON bodies of a profile save.
private enum ProfileWire {
  struct Edition: Encodable {
    let name: String
    let email: String
    let version: Int

    func encoded() -> Data {
      do {
        return try JSONEncoder().encode(self)
      } catch {
        preconditionFailure("a profile cannot be encoded: \(error)")
      }
    }
  }

  static func saved(in body: Data, draft: Profile.Draft) throws -> Profile {
    let saved = try JSONDecoder().decode(Profile.self, from: body)
    guard draft.isConfirmed(by: saved) else {
      throw WrongResponse(reason: "it confirms other values than those that were sent")
    }
    return saved
  }

  private struct Conflict: Decodable {
    let current: Profile
  }

  private struct InvalidField: Decodable {
    let parameter: ProfileField
  }

  static func conflict(in body: Data) -> (any Error)? {
    current(in: body).map { ProfileError.conflict(current: $0) }
  }

  /// The current profile in the response to an outdated draft.
  static func current(in body: Data) -> Profile? {
    (try? JSONDecoder().decode(Conflict.self, from: body))?.current
  }

  static func invalidField(in body: Data, reason: String) -> (any Error)? {
    (try? JSONDecoder().decode(InvalidField.self, from: body)).map {
      ProfileError.invalid(.refused($0.parameter, reason: reason))
    }
  }
}
