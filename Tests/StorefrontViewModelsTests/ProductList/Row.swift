import StorefrontDomain

/// An item for the generic view models, which do not depend on products.
struct Row: Identifiable, Equatable, Sendable {
  let id: Int
  var text = ""
}

extension [Row] {
  static func rows(_ ids: some Sequence<Int>, _ text: String = "") -> [Row] {
    ids.map { Row(id: $0, text: text) }
  }
}

extension [Row] {
  /// The address of the elements. Two arrays with the same address share their storage.
  var address: Int? {
    unsafe withUnsafeBytes { unsafe $0.baseAddress.map { Int(bitPattern: $0) } }
  }
}

extension Page<Row> {
  static func rows(
    _ ids: some Sequence<Int>, _ text: String = "", index: Int = 0, isLast: Bool = false
  ) -> Page<Row> {
    Page(items: .rows(ids, text), index: index, isLast: isLast)
  }
}
