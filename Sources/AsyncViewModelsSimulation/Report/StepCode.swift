/// The code in which a step of a run continues, or which it calls first.
struct StepCode: Hashable, Sendable {
  /// The app's innermost function, after its caller if the function is a closure. Empty if no
  /// function of the app waits for this code, or if the program is stripped.
  let app: [String]
  /// The toolkit's outermost function, if it is known.
  let library: String?
  /// Whether the code and its callers all belong to the toolkit, the Swift runtime or the system.
  let isLibrary: Bool
  /// The innermost function, also of the toolkit, and its caller if the function is a closure.
  let detail: String

  init(app: [String], library: String?, isLibrary: Bool, detail: String) {
    (self.app, self.library, self.isLibrary, self.detail) = (app, library, isLibrary, detail)
  }

  /// The end of a call that has waited.
  ///
  /// - Parameter code: The code that has made the call.
  init(call: String, in code: StepCode?) {
    let app = code?.app ?? []
    self.init(app: app.isEmpty ? [call] : app, library: nil, isLibrary: false, detail: call)
  }
}
