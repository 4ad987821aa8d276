// The part of SwiftUI that the examples use, for platforms without SwiftUI. Nothing is drawn: a test reads the values.

#if !canImport(SwiftUI)
  import AsyncViewModelsUI

  @MainActor
  protocol View {
    associatedtype Body: View
    var body: Body { get }
  }

  extension View {
    func initialTask<Model: StateSource>(
      of observed: ObservedViewModel<Model>, _ work: @escaping @MainActor @Sendable (Model) async -> Void
    ) -> ViewWithTask<Self> {
      ViewWithTask(content: self) { await work(observed.model) }
    }
  }

  extension Never: View {
    var body: Never { fatalError("a view without a body") }
  }

  struct ViewWithTask<Content: View>: View {
    let content: Content
    let task: @MainActor () async -> Void
    var body: Never { fatalError("a view without a body") }
  }

  struct Text: View {
    let text: String
    var body: Never { fatalError("a view without a body") }

    init(_ text: String) { self.text = text }
  }

  struct List<Row: View>: View {
    let rows: [Row]
    var body: Never { fatalError("a view without a body") }

    init<Item, ID: Hashable>(_ items: [Item], id: KeyPath<Item, ID>, row: (Item) -> Row) {
      rows = items.map(row)
    }
  }

  @MainActor
  @propertyWrapper
  struct StateViewModel<Model: StateSource> {
    let wrappedValue: ObservedViewModel<Model>

    init(_ model: Model) { wrappedValue = ObservedViewModel(model) }
  }
#endif
