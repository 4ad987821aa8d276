/// https://developer.apple.com/documentation/swiftui/list
public struct List<SelectionValue: Hashable, Content: View> {
  let content: Content
}

extension List where SelectionValue == Never {
  public init(@ViewBuilder content: () -> Content) { self.init(content: content()) }

  public init<Data, RowContent>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
  )
  where
    Content == ForEach<Data, Data.Element.ID, RowContent>, Data: RandomAccessCollection, RowContent: View,
    Data.Element: Identifiable
  {
    self.init(content: ForEach(data, content: rowContent))
  }

  public init<Data, ID, RowContent>(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
  )
  where
    Content == ForEach<Data, ID, RowContent>, Data: RandomAccessCollection, ID: Hashable, RowContent: View
  {
    self.init(content: ForEach(data, id: id, content: rowContent))
  }
}

extension List: View, PrimitiveView {
  public typealias Body = Never
  func children(of node: Node) -> [Child] { [Child(content)] }
}
