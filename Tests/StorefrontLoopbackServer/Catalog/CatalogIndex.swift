import StorefrontDomain

/// Finds products whose names contain all words of a query.
struct CatalogIndex: Sendable {
  private let entries: [(product: CatalogProduct, name: [UInt8])]

  init(_ catalog: Catalog) {
    entries = catalog.products.map { ($0, Array($0.name.lowercased().utf8)) }
  }

  /// The products whose names contain every word of the query, ignoring case.
  ///
  /// Names equal to the query come first, then names that begin with it, then names in which each query word
  /// begins a word, then all others. Products of equal rank keep the order of the catalog.
  ///
  /// - Parameter product: Returns a product of the catalog with its current price and stock.
  /// - Complexity: O(length of all names).
  func hits(for query: String, product: (CatalogProduct) -> CatalogProduct) -> [SearchHit] {
    let words = query.lowercased().split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
    guard !words.isEmpty else { return [] }
    let phrase = Array(words.joined(separator: [Self.space]))
    var byRank: [[CatalogProduct]] = [[], [], [], []]
    for entry in entries {
      guard let rank = Self.rank(of: entry.name, words: words, phrase: phrase) else { continue }
      byRank[rank].append(entry.product)
    }
    return byRank.joined().map(product).map { product in
      SearchHit(id: product.id, title: product.name, detail: "\(product.price) · \(product.stock) in stock")
    }
  }

  private static let space = UInt8(ascii: " ")

  /// The rank of a match, 0 for the best, or nil if the name does not match.
  private static func rank(of name: [UInt8], words: [[UInt8]], phrase: [UInt8]) -> Int? {
    var beginsWords = true
    for word in words {
      switch match(of: word, in: name) {
      case .none: return nil
      case .inside: beginsWords = false
      case .wordStart: break
      }
    }
    if name == phrase { return 0 }
    if name.starts(with: phrase) { return 1 }
    return beginsWords ? 2 : 3
  }

  private enum Match {
    case none, inside, wordStart
  }

  private static func match(of word: [UInt8], in name: [UInt8]) -> Match {
    var match = Match.none
    for start in name.indices.dropLast(word.count - 1)
    where name[start] == word[0] && name[start...].starts(with: word) {
      if start == 0 || name[start - 1] == space { return .wordStart }
      match = .inside
    }
    return match
  }
}
