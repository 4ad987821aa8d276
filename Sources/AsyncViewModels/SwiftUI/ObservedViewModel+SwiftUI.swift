#if canImport(SwiftUI)
  public import SwiftUI

  extension ObservedViewModel {
    /// Creates a binding of a control to a part of the state.
    ///
    /// ```swift
    /// TextField("Search", text: search.binding(\.query) { $0.setQuery($1) })
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value that the control shows. It is read from the view model, so it contains all earlier changes.
    ///   - change: Calls the intent for a change by the user. It must change the view model before it returns, as the
    ///     synchronous edits of a view model do. Otherwise, a text field shows the old text again, and the cursor jumps.
    public func binding<Value>(
      _ value: @escaping @MainActor (Model.State) -> Value,
      _ change: @escaping @MainActor (Model, Value) -> Void
    ) -> Binding<Value> {
      Binding { @MainActor in
        value(self.state)
      } set: { @MainActor in
        change(self.model, $0)
      }
    }
  }

  extension View {
    /// Runs `work` when the view first appears, and again only for another view model.
    ///
    /// ```swift
    /// .initialTask(of: cart) { model in await model.load() }
    /// ```
    ///
    /// SwiftUI's `.task` ends when another screen covers the view, and starts again when the view is uncovered. Use `.task`
    /// for work that the user has to see, such as a live feed. Use this modifier for the first load, which continues while
    /// the view is covered. The task is cancelled when `observed` is released.
    public func initialTask<Model: StateSource>(
      of observed: ObservedViewModel<Model>, _ work: @escaping @MainActor @Sendable (Model) async -> Void
    ) -> some View {
      modifier(InitialTask(observed: observed, work: work))
    }

    /// Runs `work` when the user refreshes the view, and shows the progress until its end.
    ///
    /// ```swift
    /// .refreshable(list) { model in await model.refresh() }
    /// ```
    ///
    /// SwiftUI can cancel the task of its own `.refreshable(action:)` when the view is evaluated again, and the first state
    /// of a refresh does that. This modifier does not pass the cancellation to `work`. The work is cancelled when `observed`
    /// is released.
    public func refreshable<Model: StateSource>(
      _ observed: ObservedViewModel<Model>, _ work: @escaping @MainActor @Sendable (Model) async -> Void
    ) -> some View {
      refreshable { @MainActor [weak observed] in
        guard let task = observed?.run(work) else { return }
        await task.value
      }
    }
  }

  private struct InitialTask<Model: StateSource>: ViewModifier {
    @StateObject private var started = OwnedObject<ObservedViewModel<Model>>()
    let observed: ObservedViewModel<Model>
    let work: @MainActor @Sendable (Model) async -> Void

    func body(content: Content) -> some View {
      content.task(id: ObjectIdentifier(observed)) { @MainActor in
        guard started.current !== observed else { return }
        started.object(for: OwnedObjectKey(observed)) { observed }.run(work)
      }
    }
  }
#endif
