/// From where somebody came to the screen of an item.
public enum DetailSource: String, Hashable, Codable, CaseIterable, Sendable {
  case list, search, recommendations, cart, link
}
