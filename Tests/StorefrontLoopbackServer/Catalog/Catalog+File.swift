import Foundation
import StorefrontDomain

extension Catalog {
  /// Reads products from a JSON file.
  ///
  /// The file contains an object with a nonempty list `products`, or only the list:
  ///
  /// ```json
  /// {"products": [
  ///   {"id": 1, "name": "Oak Lamp", "price": {"minorUnits": 1990, "currency": "EUR"}, "stock": 12}
  /// ]}
  /// ```
  ///
  /// Each product has a unique `id` (a whole number), a nonempty `name`, a `price` of 0 or more in minor
  /// units of an ISO 4217 currency, and a `stock` of 0 or more. Other fields are ignored. The profile,
  /// orders, recommendations and posts are generated. Blocks the calling thread while it reads.
  ///
  /// - Throws: ``CatalogError``, which names the file and, for an invalid record, the record and the field.
  public static func load(contentsOf path: String) throws(CatalogError) -> Catalog {
    var isFolder: ObjCBool = false
    if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw .unreadable(file: path, reason: "it is a folder")
    }
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw .unreadable(file: path, reason: reason(of: error))
    }
    return try parse(Array(data), file: path)
  }

  private static func reason(of error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile?, .fileNoSuchFile?: "there is no such file"
    case .fileReadNoPermission?: "permission denied"
    default: error.localizedDescription.replacing("\n", with: " ")
    }
  }

  static func parse(_ bytes: [UInt8], file: String) throws(CatalogError) -> Catalog {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONReader.value(of: bytes)
    } catch {
      throw .notJSON(file: file, line: error.line, column: error.column, reason: error.reason)
    }
    var products: [CatalogProduct] = []
    var indices: [CatalogProduct.ID: Int] = [:]
    for (index, record) in try records(of: value, file: file).enumerated() {
      do throws(CatalogRecord.Fault) {
        let product = try CatalogRecord(record).product()
        if let first = indices.updateValue(index, forKey: product.id) {
          throw CatalogRecord.Fault(field: "id", reason: "the product at index \(first) has the same id")
        }
        products.append(product)
      } catch {
        throw .invalidRecord(
          file: file, index: index, id: CatalogRecord(record).id, field: error.field, reason: error.reason)
      }
    }
    return Catalog(products: products)
  }

  private static func records(of value: JSONValue, file: String) throws(CatalogError) -> [JSONValue] {
    let list: JSONValue
    switch value {
    case .array: list = value
    case .object(let members):
      guard let products = members["products"] else {
        throw .notACatalog(file: file, reason: "the field \"products\" is missing")
      }
      list = products
    default:
      throw .notACatalog(file: file, reason: "expected an object or an array, found \(value.kind)")
    }
    guard case .array(let records) = list else {
      throw .notACatalog(file: file, reason: "products: expected an array, found \(list.kind)")
    }
    guard !records.isEmpty else { throw .notACatalog(file: file, reason: "products: the list is empty") }
    return records
  }
}
