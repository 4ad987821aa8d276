/// Which part of a link is wrong, and what stands there; the text is empty where the part is missing.
public enum DeepLinkParserError: Error, Hashable, Sendable {
  case scheme(String)
  case host(String)
  /// A component of the path that stands for nothing, at least not in that place.
  case component(String)
  /// What stands where the id of something should; `of` says of what.
  case id(String, of: String)
}

extension DeepLinkParserError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .scheme(let text): "the link's scheme leads nowhere: \"\(text)\""
    case .host(let text): "the link's host leads nowhere: \"\(text)\""
    case .component(let text): "the link's path leads nowhere from \"\(text)\" on"
    case .id(let text, let what): "the link needs the id of a \(what), but has \"\(text)\""
    }
  }
}
