extension Array where Element: Identifiable {
  /// The items, each identity once. A later item takes the place of an earlier one.
  ///
  /// - Complexity: O(items).
  var latestOfEachID: [Element] {
    var (items, positions): ([Element], [Element.ID: Int]) = ([], [:])
    for item in self {
      if let position = positions[item.id] {
        items[position] = item
      } else {
        positions[item.id] = items.count
        items.append(item)
      }
    }
    return items
  }
}
