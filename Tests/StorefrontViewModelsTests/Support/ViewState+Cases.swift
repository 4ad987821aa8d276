import AsyncViewModels

extension ViewState {
  var isIdle: Bool { if case .idle = self { true } else { false } }
  var isEmpty: Bool { if case .empty = self { true } else { false } }
}
