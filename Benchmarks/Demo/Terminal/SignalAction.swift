import Foundation

/// What the process does when it receives a signal.
extension sigaction {
  /// Calls a C function, which must be async-signal-safe.
  init(_ handler: @escaping @convention(c) (Int32) -> Void) {
    self.init()
    // A stack overflow leaves no room on the usual stack.
    sa_flags = Int32(SA_RESTART) | Int32(SA_ONSTACK)
    #if canImport(Glibc)
      unsafe __sigaction_handler.sa_handler = handler
    #elseif canImport(Musl)
      unsafe __sa_handler.sa_handler = handler
    #else
      unsafe __sigaction_u.__sa_handler = handler
    #endif
  }

  /// Whether the signal is ignored, for example because the program was started with `nohup`.
  var isIgnored: Bool {
    #if canImport(Glibc)
      let handler = unsafe __sigaction_handler.sa_handler
    #elseif canImport(Musl)
      let handler = unsafe __sa_handler.sa_handler
    #else
      let handler = unsafe __sigaction_u.__sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
