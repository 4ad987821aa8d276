#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension ScreenBindings {
    /// Binds the text of a field to a view model in both directions.
    ///
    /// ```swift
    /// bindings.bind(field, to: model, \.query) { [model] in model.setQuery($0) }
    /// ```
    ///
    /// The field shows the text of the model at once, and after each change. If the model has a
    /// different text after an edit, for example a shorter one, the field shows that text. While
    /// the user composes a text, for example in Japanese, the field keeps it.
    ///
    /// - Ordering: `onEdit` must change the model before it returns. The field then never shows an
    ///   older text than the user has typed.
    /// - Ownership: The binding keeps neither the field nor, unless `onEdit` captures it, the view
    ///   model alive.
    /// - Returns: A token that ends the binding earlier. On the main actor, the field is then as
    ///   before the binding; elsewhere, from a later turn of the main actor on.
    @MainActor @discardableResult
    public func bind<Model: StateSource>(
      _ field: UITextField, to model: Model, _ text: @escaping @MainActor (Model.State) -> String,
      onEdit: @escaping @MainActor (String) -> Void
    ) -> CancellationToken {
      let binding = TextFieldBinding(field, StateMirror(model, of: text), onEdit)
      return insert(CancellationToken { MainQueue.run { binding.end() } })
    }
  }

  /// A binding of a text field. Only its token keeps it.
  @MainActor
  private final class TextFieldBinding {
    private weak var field: UITextField?
    private let text: StateMirror<String>
    private let onEdit: @MainActor (String) -> Void
    private var changes: CancellationToken?
    private var action: UIAction?

    init(
      _ field: UITextField, _ text: StateMirror<String>, _ onEdit: @escaping @MainActor (String) -> Void
    ) {
      self.field = field
      self.text = text
      self.onEdit = onEdit
      changes = text.bind(on: self) { binding, _ in binding.show() }
      let action = UIAction { [weak self] _ in self?.edit() }
      self.action = action
      field.addAction(action, for: .editingChanged)
    }

    /// Removes the action from the field, which would otherwise collect the actions of all its
    /// bindings.
    func end() {
      changes = nil
      if let action = action.take() { field?.removeAction(action, for: .editingChanged) }
    }

    private func edit() {
      guard let field else { return }
      onEdit(field.text ?? "")
      show()
    }

    private func show() {
      guard let field, field.markedTextRange == nil, field.text != text.value else { return }
      field.text = text.value
    }
  }
#endif
