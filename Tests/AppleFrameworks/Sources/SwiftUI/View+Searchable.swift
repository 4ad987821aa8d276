extension View {
  /// https://developer.apple.com/documentation/swiftui/view/searchable(text:placement:prompt:)
  ///
  /// The title of the field is "Search".
  nonisolated public func searchable(text: Binding<String>) -> some View {
    modifier(SearchModifier(text: text))
  }
}

private struct SearchModifier {
  let text: Binding<String>
}

extension SearchModifier: PrimitiveModifier {
  typealias Body = Never

  func children(of node: Node, content: any View) -> [Child] {
    node.element = .field(title: "Search", shown: text.wrappedValue, text: text)
    return [Child(content)]
  }
}
