public import Foundation

/// The reason that a catalog file cannot be used. The description is a single line.
public enum CatalogError: Error, Equatable, Sendable {
  /// The system cannot read the file, for this reason.
  case unreadable(file: String, reason: String)
  /// The text is not JSON. Lines and columns are counted from 1, columns in bytes.
  case notJSON(file: String, line: Int, column: Int, reason: String)
  /// The text is JSON, but does not contain a list of products.
  case notACatalog(file: String, reason: String)
  /// A field of a record is invalid. `index` is counted from 0. `id` is nil if the record has no readable id.
  /// `field` is a path such as `price.currency`.
  case invalidRecord(file: String, index: Int, id: Int?, field: String, reason: String)
}

extension CatalogError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let file, let reason):
      "\(file): cannot be read: \(reason)"
    case .notJSON(let file, let line, let column, let reason):
      "\(file):\(line):\(column): not JSON: \(reason)"
    case .notACatalog(let file, let reason):
      "\(file): not a catalog: \(reason)"
    case .invalidRecord(let file, let index, let id, let field, let reason):
      "\(file): product at index \(index)\(id.map { " (id \($0))" } ?? ""): \(field): \(reason)"
    }
  }

  public var errorDescription: String? { description }
}
