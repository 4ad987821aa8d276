//// harmless: the function keeps another argument
final class Sidebar {
  private var selected: IndexPath?

  func select(_ path: IndexPath?, completion: (() -> Void)? = nil) {
    selected = path
    completion?()
  }

  func restore(_ path: IndexPath) {
    select(path) { self.scroll(to: path) }
  }
}

//// hazard: the function keeps the closure beside another argument
final class Outline {
  private var selected: IndexPath?
  private var completion: (() -> Void)?

  func select(_ path: IndexPath?, completion: (() -> Void)? = nil) {
    selected = path
    self.completion = completion
  }

  func restore(_ path: IndexPath) {
    select(path) { self.scroll(to: path) }  // ← here
  }
}
