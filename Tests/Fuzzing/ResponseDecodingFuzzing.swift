import Foundation
import StorefrontDomain

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Checks that each response becomes a valid value or an error that people can read.
///
/// The first byte of the input chooses the request. The second byte chooses the head, and whether the request is repeated. The rest is
/// the response.
func fuzzResponseDecoding(_ input: [UInt8]) {
  guard input.count >= 2 else { return }
  let status = Int(input[1])
  let contents = Array(input.dropFirst(2))
  let body = Data(contents)
  switch input[0] % 14 {
  case 0: checkAnswer(to: .products(PageRequest(index: 0, size: 2)), status, body, isValid: isValid)
  case 1: checkAnswer(to: .product(1), status, body) { $0.id == 1 && isValid($0) }
  case 2:
    checkAnswer(to: .search("a", PageRequest(size: 2)), status, body, isValid: isValid)
    checkAnswer(to: .search("a", PageRequest(at: .cursor(cursor), size: 2)), status, body, isValid: isValid)
    checkAnswer(to: .products(PageRequest(at: .cursor(cursor), size: 2)), status, body) {
      $0.index == nil && $0.items.count <= 2 && $0.items.allSatisfy(isValid)
    }
  case 3:
    checkAnswer(to: .orders, status, body) {
      $0.allSatisfy { $0.id >= 1 && $0.itemCount >= 0 && $0.total.minorUnits >= 0 }
    }
  case 4:
    checkAnswer(to: .recommendations, status, body) { $0.allSatisfy(isValid) }
    checkAnswer(to: .cart, status, body) { $0.items.allSatisfy { $0.quantity >= 1 && isValid($0.product) } }
  case 5:
    for position in [.start, .cursor(cursor)] as [PagePosition] {
      checkAnswer(to: .posts(PageRequest(at: position, size: 2)), status, body) {
        $0.index == nil && $0.items.count <= 2 && $0.items.allSatisfy { $0.id.rawValue >= 1 }
      }
    }
  case 6: checkAnswer(to: .profile, status, body) { $0.id >= 1 && $0.version >= 1 }
  case 7: checkAnswer(to: .saveProfile(draft, basedOn: 1), status, body) { $0.name == draft.name }
  case 8: checkConfirmation(of: .change(CartChange(product: product, delta: 1), key: key), status, body)
  case 9:
    checkConfirmation(of: .deletePost(1), status, body)
    checkConfirmation(of: .restorePost(1), status, body)
  case 10: checkHead(contents)
  case 11: checkRequestFields(contents)
  case 12: checkRetryAfter(contents)
  default: checkUpdate(body)
  }
}

private let draft = Profile.Draft(name: "Ada", email: "ada@b.org")
private let product = CatalogProduct(
  id: 1, name: "Bowl", price: Money(minorUnits: 900, currency: .usd), stock: 3)
private let key = IdempotencyKey()
/// Longer than what an error may show of a cursor.
private let cursor = PageCursor(rawValue: String(repeating: "cursor", count: 100))
private let url = URL(string: "http://shop.example/")!

private let heads: [HTTPURLResponse] =
  [200, 200, 200, 410, 204, 400, 404, 409, 422, 503].map { head($0, "application/json") }
  + [200, 400, 404, 409, 422].map { head($0, "application/problem+json") }

private func head(_ status: Int, _ type: String) -> HTTPURLResponse {
  HTTPURLResponse(
    url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: ["Content-Type": type])!
}

private func isValid(_ product: CatalogProduct) -> Bool {
  product.id.rawValue >= 1 && product.stock >= 0 && product.price.minorUnits >= 0
}

private func isValid(_ page: Page<CatalogProduct>) -> Bool {
  // The answer to the first request is page 0 or a page by cursor.
  page.index ?? 0 == 0 && page.items.count <= 2 && page.items.allSatisfy(isValid)
}

private func isValid(_ page: Page<SearchHit>) -> Bool {
  page.index == nil && page.next?.index == nil && page.next?.cursor?.rawValue != ""
    && page.items.count <= 2 && page.items.allSatisfy { $0.id.rawValue >= 1 }
}

/// Decodes a response. Returns `nil` after an error, whose texts must be readable.
private func value<Response>(of endpoint: Endpoint<Response>, _ status: Int, _ body: Data) -> Response? {
  let (head, isRepeated) = (heads[status % heads.count], status >= 128)
  do {
    let value = try ResponseDecoding.value(of: endpoint, in: (body, head), isRepeated: isRepeated)
    // A repeated write can be refused because it was made before.
    let isMadeEarlier = isRepeated && endpoint.key != nil && [404, 409].contains(head.statusCode)
    check(head.statusCode == 200 || isMadeEarlier, "status \(head.statusCode) is a value")
    check(head.statusCode != 200 || head.mediaType == "application/json", "a problem is a value")
    return value
  } catch {
    let text = (error as? any LocalizedError)?.errorDescription ?? ""
    check(!text.isEmpty, "\(error) has no text")
    if error is ServiceError || error is PageError { check(isReadable("\(error)"), "\(error)") }
    return nil
  }
}

/// Whether a text fits on a screen: the text of the error, and at most 200 characters of the server.
private func isReadable(_ text: String) -> Bool {
  let scalars = text.unicodeScalars
  return scalars.count <= 400 && !scalars.contains { $0.properties.generalCategory == .control }
}

/// Checks that a decoded value obeys its rules, and that its encoded form is decoded as the same value. A page does not encode how
/// many elements of the response it has left out, so the encoded forms are compared.
private func checkAnswer<Response: Codable>(
  to endpoint: Endpoint<Response>, _ status: Int, _ body: Data, isValid: (Response) -> Bool
) {
  guard let decoded = value(of: endpoint, status, body) else { return }
  check(isValid(decoded), "\(decoded)")
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  guard let encoded = try? encoder.encode(decoded),
    let again = try? JSONDecoder().decode(Response.self, from: encoded),
    let encodedAgain = try? encoder.encode(again)
  else { return check(false, "\(decoded) cannot be encoded and decoded") }
  check(encodedAgain == encoded, "\(decoded) becomes \(again)")
}

/// Checks the confirmation of a write, which has no value.
private func checkConfirmation(of endpoint: Endpoint<Void>, _ status: Int, _ body: Data) {
  guard value(of: endpoint, status, body) != nil else { return }
  guard heads[status % heads.count].statusCode == 200 else { return }
  let text = String(decoding: body, as: UTF8.self)
  check(text.contains("1"), "\(text) confirms product or post 1")
}

/// Checks an update of the feed.
private func checkUpdate(_ body: Data) {
  guard let update = try? JSONDecoder().decode(ProductUpdate.self, from: body) else { return }
  check(update.product.rawValue >= 1, "\(update)")
  check((update.stock ?? 0) >= 0 && (update.price?.minorUnits ?? 0) >= 0, "\(update)")
}

/// Checks that a head has the same fields with both line ends, that no value contains a line end, and that a response can be
/// created from the fields.
private func checkHead(_ bytes: [UInt8]) {
  var (first, second) = (ResponseHead(), ResponseHead())
  for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
    let isEnd = first.append(Array(line) + Array("\n".utf8))
    let text = line.prefix { $0 != UInt8(ascii: "\r") }
    check(second.append(Array(text) + Array("\r\n".utf8)) == isEnd, "the line ends give another end")
  }
  check(first.fields == second.fields && first.version == second.version, "the line ends give other fields")
  check(first.hasNestedEncodings == second.hasNestedEncodings, "the line ends give other encodings")
  for (name, value) in first.fields {
    check(!(name + value).utf8.contains { $0 == 10 || $0 == 13 }, "\(name) contains a line end")
  }
  let head = HTTPURLResponse(
    url: url, statusCode: 200, httpVersion: first.version, headerFields: first.fields)
  if let head {
    _ = StoredResponse((Data(), head), to: URLRequest(url: url)).map { check($0.cost > 0, "no cost") }
  }
}

/// Checks that a field of a request stays one line.
private func checkRequestFields(_ bytes: [UInt8]) {
  #if os(Linux)
    let texts = bytes.split(separator: 0, maxSplits: 1).map { String(decoding: $0, as: UTF8.self) }
    var request = URLRequest(url: url)
    request.allHTTPHeaderFields = [texts.first ?? "": texts.last ?? ""]
    for line in CurlHeaders.lines(of: request) {
      check(!line.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 }, "\(line) has a line end")
      let name = line.prefix { $0 != ":" && $0 != ";" }.lowercased()
      check(
        !name.isEmpty && !["host", "content-length", "transfer-encoding"].contains(name),
        "\(line) changes the request")
    }
  #endif
}

/// Checks that the time before a retry is not negative.
private func checkRetryAfter(_ bytes: [UInt8]) {
  let texts = bytes.split(separator: 10, maxSplits: 1).map { String(decoding: $0, as: UTF8.self) }
  let fields = ["Retry-After": texts.first ?? "", "Date": texts.count > 1 ? texts[1] : ""]
  guard
    let head = HTTPURLResponse(url: url, statusCode: 503, httpVersion: "HTTP/1.1", headerFields: fields)
  else { return }
  let delay = RetryAfter.delay(in: head, at: Date(timeIntervalSince1970: 1_800_000_000))
  check(delay.map { $0 >= .zero } ?? true, "the delay is \(String(describing: delay))")
}
