import StorefrontDomain
import StorefrontTesting

// The products that the rows of a screen show, by number.

extension [CatalogProduct] {
  static func rows(_ numbers: some Sequence<Int>, _ name: String = "") -> [CatalogProduct] {
    numbers.map { CatalogProduct($0, name) }
  }

  /// The address of the elements. Two arrays with the same address share their storage.
  var address: Int? {
    unsafe withUnsafeBytes { unsafe $0.baseAddress.map { Int(bitPattern: $0) } }
  }
}

extension Page<CatalogProduct> {
  static func rows(
    _ numbers: some Sequence<Int>, _ name: String = "", index: Int = 0, isLast: Bool = false
  ) -> Page {
    Page(items: .rows(numbers, name), index: index, isLast: isLast)
  }
}
