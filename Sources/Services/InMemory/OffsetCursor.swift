import Foundation
package import StorefrontDomain

/// The cursors of a service whose lists are complete in memory: offsets in one list.
///
/// The text is encoded, so that no client depends on its meaning. In another generation or for
/// another list, a cursor has expired.
package struct OffsetCursor: Sendable, Equatable {
  private let generation: Int
  private let offset: Int
  private let list: String

  /// Returns the requested page of a list. A cursor keeps its place while items are excluded.
  ///
  /// - Parameters:
  ///   - list: The name of the list.
  ///   - generation: The generation of the cursors that the service knows.
  ///   - isIncluded: Whether an item is part of the list now.
  /// - Throws: ``/StorefrontDomain/PageError/expired(_:)`` for an unknown cursor, and
  ///   ``/StorefrontDomain/PageError/unsupported(_:)`` for a number except the start.
  /// - Complexity: O(page size), plus the excluded items up to the next page.
  package static func page<Item>(
    _ request: PageRequest, of items: some RandomAccessCollection<Item>, list: String, generation: Int = 0,
    where isIncluded: (Item) -> Bool = { _ in true }
  ) throws(PageError) -> Page<Item> {
    var offset = 0
    if let cursor = request.position.cursor {
      guard let known = OffsetCursor(cursor), known.list == list, known.generation == generation,
        known.offset < items.count
      else { throw .expired(cursor) }
      offset = known.offset
    } else if !request.isFirst {
      throw .unsupported(request.position)
    }
    var page: [Item] = []
    var end = offset
    for (index, item) in zip(offset..., items.dropFirst(offset)) where isIncluded(item) {
      if page.count == request.size {
        return Page(items: page, next: OffsetCursor(generation: generation, offset: end, list: list).encoded)
      }
      page.append(item)
      end = index + 1
    }
    return Page(items: page, next: nil)
  }

  private init(generation: Int, offset: Int, list: String) {
    self.generation = generation
    self.offset = offset
    self.list = list
  }

  private init?(_ cursor: PageCursor) {
    guard let data = Data(base64Encoded: cursor.rawValue) else { return nil }
    let parts = String(decoding: data, as: UTF8.self).split(separator: "/", maxSplits: 2)
    guard parts.count == 3, let generation = Int(parts[0]), let offset = Int(parts[1]), offset > 0 else {
      return nil
    }
    self.init(generation: generation, offset: offset, list: String(parts[2]))
  }

  private var encoded: PageCursor {
    PageCursor(rawValue: Data("\(generation)/\(offset)/\(list)".utf8).base64EncodedString())
  }
}
