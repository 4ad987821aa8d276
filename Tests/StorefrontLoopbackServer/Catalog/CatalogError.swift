/// Why a catalogue file cannot be served. The description fits on one line.
public enum CatalogError: Error, Equatable, Sendable {
  /// The file cannot be read; the reason is the system's.
  case unreadable(file: String, reason: String)
  /// The text is not JSON. Line and column count from 1; the column counts bytes.
  case notJSON(file: String, line: Int, column: Int, reason: String)
  /// The text is JSON, but has no products in the place where a catalogue has them.
  case notACatalog(file: String, reason: String)
  /// A field of one record is wrong. `index` counts from 0; `id` is there where the record's id can be read;
  /// `field` is a path such as `price.currency`.
  case invalidRecord(file: String, index: Int, id: Int?, field: String, reason: String)
}

extension CatalogError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let file, let reason):
      "\(file): cannot be read: \(reason)"
    case .notJSON(let file, let line, let column, let reason):
      "\(file):\(line):\(column): not JSON: \(reason)"
    case .notACatalog(let file, let reason):
      "\(file): not a catalogue: \(reason)"
    case .invalidRecord(let file, let index, let id, let field, let reason):
      "\(file): product at index \(index)\(id.map { " (id \($0))" } ?? ""): \(field): \(reason)"
    }
  }
}
