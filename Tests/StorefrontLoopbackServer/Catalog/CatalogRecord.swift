import StorefrontDomain

/// One record of a catalog file, read field by field so that an error can name the field.
struct CatalogRecord {
  /// An invalid field and the reason.
  struct Fault: Error {
    let field: String
    let reason: String
  }

  private let value: JSONValue

  init(_ value: JSONValue) {
    self.value = value
  }

  /// The id, or nil if the record has no readable id.
  var id: Int? { try? integer(try member("id", of: value), "id") }

  func product() throws(Fault) -> CatalogProduct {
    let id = try integer(try member("id", of: value), "id")
    let name = try string(try member("name", of: value), "name")
    guard !name.isEmpty else { throw Fault(field: "name", reason: "it is empty") }
    let price = try price(try member("price", of: value))
    let stock = try natural(try member("stock", of: value), "stock")
    return CatalogProduct(id: CatalogProduct.ID(rawValue: id), name: name, price: price, stock: stock)
  }

  private func price(_ price: JSONValue) throws(Fault) -> Money {
    let minorUnits = try natural(try member("minorUnits", of: price, "price"), "price.minorUnits")
    let code = try string(try member("currency", of: price, "price"), "price.currency")
    do {
      return Money(minorUnits: minorUnits, currency: try Currency(code))
    } catch {
      throw Fault(field: "price.currency", reason: "\(error)")
    }
  }

  private func member(_ name: String, of value: JSONValue, _ path: String? = nil) throws(Fault) -> JSONValue {
    guard case .object(let members) = value else {
      throw Fault(field: path ?? "the record", reason: "expected an object, found \(value.kind)")
    }
    guard let member = members[name] else {
      throw Fault(field: path.map { "\($0).\(name)" } ?? name, reason: "it is missing")
    }
    return member
  }

  private func string(_ value: JSONValue, _ field: String) throws(Fault) -> String {
    guard case .string(let string) = value else {
      throw Fault(field: field, reason: "expected a string, found \(value.kind)")
    }
    return string
  }

  private func integer(_ value: JSONValue, _ field: String) throws(Fault) -> Int {
    guard case .number(let text) = value else {
      throw Fault(field: field, reason: "expected a whole number, found \(value.kind)")
    }
    guard let number = Int(text) else {
      throw Fault(field: field, reason: "\(text) is not a 64-bit whole number")
    }
    return number
  }

  private func natural(_ value: JSONValue, _ field: String) throws(Fault) -> Int {
    let number = try integer(value, field)
    guard number >= 0 else { throw Fault(field: field, reason: "it is negative: \(number)") }
    return number
  }
}
