import StorefrontDomain

/// A table of products. A wide table also has the availability in words, and a wider one a bar for
/// the stock.
struct ProductTable {
  private let nameWidth: Int
  private let barWidth: Int
  private let hasAvailability: Bool

  private static let idWidth = 5
  private static let stockWidth = 6
  private static let priceWidth = 12
  private static let availabilityWidth = 13
  private static let longestName = 40

  init(columns: Int) {
    hasAvailability = columns >= 66
    let fixed =
      Self.idWidth + 1 + Self.stockWidth + Self.priceWidth + (hasAvailability ? Self.availabilityWidth : 0)
    nameWidth = columns < 100 ? columns - fixed : Self.longestName
    barWidth = columns - fixed - nameWidth
  }

  var header: TextLine {
    line(
      id: TextLine("id", .bold), name: "product", bar: TextLine(), status: TextLine("  status", .bold),
      stock: TextLine("stock", .bold), price: "price", .bold)
  }

  func line(_ product: CatalogProduct, isSelected: Bool) -> TextLine {
    let availability = product.availability
    var line = line(
      id: TextLine("\(product.id)", .dim), name: product.name, bar: Self.stockBar(product, width: barWidth),
      status: TextLine("  " + availability.label, availability.style),
      stock: TextLine("\(product.stock)", availability == .inStock ? .plain : availability.style),
      price: "\(product.price)", .plain)
    if isSelected { line.reverse() }
    return line
  }

  /// A bar that is full for a stock of 250.
  static func stockBar(_ product: CatalogProduct, width: Int) -> TextLine {
    let filled = min(width, (min(product.stock, 250) * width + 249) / 250)
    var bar = TextLine(String(repeating: "━", count: filled), product.availability.style)
    bar.append(String(repeating: "─", count: width - filled), .dim)
    return bar
  }

  private func line(
    id: TextLine, name: String, bar: TextLine, status: TextLine, stock: TextLine, price: String,
    _ style: TextStyle
  ) -> TextLine {
    var line = TextLine()
    line.append(id, width: Self.idWidth, .right)
    line.append(" ")
    line.append(name, width: nameWidth, .left, style)
    line.append(bar, width: barWidth)
    if hasAvailability { line.append(status, width: Self.availabilityWidth) }
    line.append(stock, width: Self.stockWidth, .right)
    line.append(price, width: Self.priceWidth, .right, style)
    return line
  }
}
