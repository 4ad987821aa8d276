/// https://developer.apple.com/documentation/swiftui/foreach
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
  public var data: Data
  public var content: (Data.Element) -> Content
  let identify: (Data.Element) -> ID
}

extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    self.init(data: data, content: content) { $0.id }
  }
}

extension ForEach where Content: View {
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.init(data: data, content: content) { $0[keyPath: id] }
  }
}

extension ForEach where Data == Range<Int>, ID == Int, Content: View {
  public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
    self.init(data: data, content: content) { $0 }
  }
}

extension ForEach: View, PrimitiveView where Content: View {
  public typealias Body = Never

  func children(of node: Node) -> [Child] {
    var ids: Set<ID> = []
    return data.map { element in
      let id = identify(element)
      // SwiftUI prints a warning: its results are undefined.
      guard ids.insert(id).inserted else { fatalError("ForEach: the ID \(id) occurs more than once") }
      return Child(content(element), at: id)
    }
  }
}
