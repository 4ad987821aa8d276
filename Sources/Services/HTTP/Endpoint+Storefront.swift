import Foundation
import StorefrontDomain

extension Endpoint where Response == Page<Product> {
  static func products(_ request: PageRequest) -> Endpoint {
    Endpoint(
      "/products",
      query: [
        URLQueryItem(name: "page", value: "\(request.index)"),
        URLQueryItem(name: "size", value: "\(request.size)"),
      ])
  }
}

extension Endpoint where Response == Product {
  static func product(_ id: Product.ID) -> Endpoint {
    Endpoint(
      "GET", "/products/\(id)", decode: { try JSONDecoder().decode(Product.self, from: $0) },
      failure: { $0.status == 404 ? ServiceError.notFound("product \(id)") : nil })
  }
}

extension Endpoint where Response == [SearchHit] {
  static func search(_ query: String) -> Endpoint {
    Endpoint("/search", query: [URLQueryItem(name: "q", value: query)])
  }
}

extension Endpoint where Response == [Order] {
  static var orders: Endpoint { Endpoint("/orders") }
}

extension Endpoint where Response == [Product] {
  static var recommendations: Endpoint { Endpoint("/recommendations") }
}

extension Endpoint where Response == Void {
  /// The server knows the product: only its id goes over the wire.
  static func change(_ change: CartChange) -> Endpoint {
    let id = change.product.id
    return Endpoint(
      "POST", "/cart/changes", body: Data(#"{"product":\#(id),"delta":\#(change.delta)}"#.utf8),
      decode: { _ in },
      failure: { refusal in
        switch refusal.status {
        case 404: CartError.unknownProduct(id)
        case 409: CartError.refused(id, reason: refusal.message)
        default: nil
        }
      })
  }
}
