#if canImport(SwiftUI)
  import Combine
  public import SwiftUI

  extension ObservedViewModel {
    /// Creates a binding of a control to a part of the state.
    ///
    /// ```swift
    /// TextField("Search", text: search.binding(\.query) { $0.setQuery($1) })
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value that the control shows.
    ///   - change: Calls the intent for a change by the user. It must change the view model before
    ///     it returns, as the synchronous edits of a view model do. Otherwise, a text field shows
    ///     the old text again, and the cursor jumps.
    public func binding<Value>(
      _ value: @escaping @MainActor (Model.State) -> Value,
      _ change: @escaping @MainActor (Model, Value) -> Void
    ) -> Binding<Value> {
      Binding { @MainActor in
        value(self.state)
      } set: { @MainActor in
        let value = $0
        self.perform { change($0, value) }
      }
    }
  }

  extension View {
    /// Runs `work` when the view first appears, and again when the view has got another view model.
    ///
    /// ```swift
    /// .initialTask(of: cart) { model in await model.load() }
    /// ```
    ///
    /// SwiftUI's `.task` ends when another screen covers the view, and starts again when the view
    /// is uncovered. Use `.task` for work that the user has to see, such as a live feed. Use this
    /// modifier for the first load, which continues while the view is covered. The task is
    /// cancelled when SwiftUI removes the view, or when the view gets another view model.
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
    /// SwiftUI can cancel the task of `.refreshable(action:)` when the view is evaluated again, and
    /// the first state of a refresh does that. This modifier does not pass the cancellation to
    /// `work`. The work is cancelled when SwiftUI removes the view.
    public func refreshable<Model: StateSource>(
      _ observed: ObservedViewModel<Model>, _ work: @escaping @MainActor @Sendable (Model) async -> Void
    ) -> some View {
      modifier(Refresh(observed: observed, work: work))
    }
  }

  private struct InitialTask<Model: StateSource>: ViewModifier {
    @StateObject private var tasks = ViewTasks()
    let observed: ObservedViewModel<Model>
    let work: @MainActor @Sendable (Model) async -> Void

    func body(content: Content) -> some View {
      content
        .onChange(of: ObjectIdentifier(observed)) { tasks.cancel() }
        .task(id: ObjectIdentifier(observed)) { @MainActor in
          guard tasks.source !== observed else { return }
          tasks.source = observed
          tasks.run { [model = observed.model, work] in await work(model) }
        }
    }
  }

  private struct Refresh<Model: StateSource>: ViewModifier {
    @StateObject private var tasks = ViewTasks()
    let observed: ObservedViewModel<Model>
    let work: @MainActor @Sendable (Model) async -> Void

    func body(content: Content) -> some View {
      content.refreshable { @MainActor [weak tasks, model = observed.model, work] in
        await tasks?.run { await work(model) }.value
      }
    }
  }

  /// The tasks that end with a view.
  ///
  /// The modifier has them, and not the view model, because the closures of the tasks can capture
  /// the view.
  @MainActor
  private final class ViewTasks: ObservableObject {
    /// The object for which the task was started.
    weak var source: AnyObject?
    private var bindings = ScreenBindings()

    nonisolated init() {}

    @discardableResult
    func run(_ work: @escaping @MainActor @Sendable () async -> Void) -> Task<Void, Never> {
      bindings.run(work)
    }

    /// Cancels all tasks.
    func cancel() { bindings = ScreenBindings() }
  }
#endif
