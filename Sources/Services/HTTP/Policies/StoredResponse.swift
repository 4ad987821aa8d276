import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A response to a `GET` request that its server can confirm later by its `ETag` (RFC 9111).
struct StoredResponse: Sendable {
  private let body: Data
  private let head: HTTPURLResponse
  let entityTag: String
  /// The fields of the request, by their lowercase names. Any can select the user, also one that
  /// `Vary` does not name.
  private let requestFields: [String: String]

  /// Creates a stored response, unless it must not be stored or has no validator.
  init?(_ response: TransportResponse, to request: URLRequest) {
    let (body, head) = response
    guard head.statusCode == 200, let tag = head.value(forHTTPHeaderField: "ETag"), Self.isEntityTag(tag),
      !Self.list(in: head.value(forHTTPHeaderField: "Cache-Control")).contains("no-store"),
      !Self.list(in: request.value(forHTTPHeaderField: "Cache-Control")).contains("no-store")
    else { return nil }
    guard !Self.list(in: head.value(forHTTPHeaderField: "Vary")).contains("*") else { return nil }
    self.body = body
    self.head = head
    entityTag = tag
    requestFields = Self.fields(of: request)
  }

  private static func fields(of request: URLRequest) -> [String: String] {
    (request.allHTTPHeaderFields ?? [:]).reduce(into: [:]) { $0[$1.key.lowercased()] = $1.value }
  }

  /// The response for the caller, after the server has confirmed it.
  var response: TransportResponse { (body, head) }

  /// The memory in bytes: the body, the URL, the fields of the request and the head, and 1 KB more.
  var cost: Int {
    var bytes = body.count + 1_024
    for (name, value) in head.allHeaderFields { bytes += "\(name)\(value)".utf8.count }
    for (name, value) in requestFields { bytes += name.utf8.count + value.utf8.count }
    return bytes + 2 * (head.url?.absoluteString.utf8.count ?? 0)
  }

  /// Whether the request contains no condition, so that one can be added.
  static func canServe(_ request: URLRequest) -> Bool {
    request.httpMethod == "GET"
      && ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range"]
        .allSatisfy { request.value(forHTTPHeaderField: $0) == nil }
  }

  /// Whether the response answers `request`, which has the same URL and must have the same fields.
  func matches(_ request: URLRequest) -> Bool { Self.fields(of: request) == requestFields }

  func condition(on request: URLRequest) -> URLRequest {
    var request = request
    request.setValue(entityTag, forHTTPHeaderField: "If-None-Match")
    return request
  }

  /// Whether status 304 means this response: it has no validator, or the same one.
  func isConfirmed(by head: HTTPURLResponse) -> Bool {
    guard let tag = head.value(forHTTPHeaderField: "ETag") else { return true }
    // `If-None-Match` compares weakly (RFC 9110, section 8.8.3.2).
    return Self.opaqueTag(tag) == Self.opaqueTag(entityTag)
  }

  private static func isEntityTag(_ tag: String) -> Bool {
    let opaque = opaqueTag(tag).utf8
    let quote = UInt8(ascii: "\"")
    return opaque.count >= 2 && opaque.first == quote && opaque.last == quote
      && opaque.dropFirst().dropLast().allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
  }

  private static func opaqueTag(_ tag: String) -> Substring {
    tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
  }

  /// The lowercase elements of a list in a field, without their arguments.
  private static func list(in field: String?) -> [String] {
    (field ?? "").split(separator: ",").map { element in
      element.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces).lowercased()
    }
  }
}
