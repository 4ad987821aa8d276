/// The entries of a ``TaskBag`` or of `ScreenBindings`, numbered in the order in which they were
/// added.
@usableFromInline
package struct NumberedEntries<Entry: Sendable>: Sendable {
  @usableFromInline package var byNumber: [UInt64: Entry] = [:]
  @usableFromInline var last: UInt64 = 0
  /// The number of entries at which the ended ones are removed next.
  @usableFromInline var limit = 32

  @export(implementation)
  package init() {}

  /// Returns the next number, and adds an entry with this number.
  @export(implementation)
  package mutating func reserve(_ entry: Entry?) -> UInt64 {
    last += 1
    byNumber[last] = entry
    return last
  }

  @export(implementation)
  package func count(where isCounted: (Entry) -> Bool) -> Int { byNumber.values.count(where: isCounted) }

  /// Removes the entries for which `hasEnded` returns `true`, if the number of entries has doubled
  /// since the last removal.
  ///
  /// - Returns: The removed entries. Release them after the unlock.
  /// - Complexity: Amortized O(1) for each added entry.
  @export(implementation)
  package mutating func removeOften(where hasEnded: (Entry) -> Bool) -> [Entry] {
    guard byNumber.count >= limit else { return [] }
    let ended = byNumber.filter { hasEnded($0.value) }
    for number in ended.keys { byNumber[number] = nil }
    limit = max(32, 2 * byNumber.count)
    return Array(ended.values)
  }

  /// Removes all entries, and returns them in the order in which they were added.
  @export(implementation)
  package mutating func removeAll() -> [Entry] {
    defer { byNumber = [:] }
    return byNumber.keys.sorted().compactMap { byNumber[$0] }
  }
}
