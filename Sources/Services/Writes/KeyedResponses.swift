package import StorefrontDomain

/// The responses to the latest writes by their keys. A repeated write is not made again.
///
/// At the limit, a new response replaces the least recently used one. The limit must exceed the
/// number of writes between a write and its repetition.
///
/// - Complexity: O(1) for each method.
package struct KeyedResponses<Write: Equatable & Sendable, Response: Sendable>: Sendable {
  private struct Entry: Sendable {
    let write: Write
    let response: Response
  }

  private var entries: RecentEntries<IdempotencyKey, Entry>

  /// - Precondition: `limit` is positive.
  package init(limit: Int) {
    precondition(limit > 0, "KeyedResponses: the limit must be positive, but is \(limit)")
    entries = RecentEntries(costLimit: limit)
  }

  package var count: Int { entries.count }

  /// Returns the stored response to an earlier write with this key, if any.
  ///
  /// - Throws: ``/StorefrontDomain/ServiceError/keyReused(_:)`` if it was another write.
  package mutating func response(to write: Write, key: IdempotencyKey) throws(ServiceError) -> Response? {
    guard let entry = entries.use(key) else { return nil }
    guard entry.write == write else { throw .keyReused(key) }
    return entry.response
  }

  /// Stores the response to a write that was made or refused.
  package mutating func keep(_ response: Response, to write: Write, key: IdempotencyKey) {
    _ = entries.insert(Entry(write: write, response: response), for: key, cost: 1)
  }
}
