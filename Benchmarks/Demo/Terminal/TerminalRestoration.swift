import Foundation
import Synchronization

/// Gives the terminal back on every exit: at the end of the program, after `exit`, after a signal
/// that ends or stops the process, and after a crash.
///
/// There is one terminal for each process, and a signal handler cannot have an argument. So the
/// state is global. The handlers use only functions that POSIX allows in a signal handler, and
/// memory that was allocated before.
enum TerminalRestoration {
  /// Signals that ask the process to end, and signals of a crash.
  private static let endings = [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGSYS,
  ]

  /// Ends styles, shows the cursor, wraps long lines, and leaves the alternate screen. Never
  /// written.
  private nonisolated(unsafe) static let sequence = unsafe bytes(
    "\u{1B}[0m\u{1B}[?25h\u{1B}[?7h\u{1B}[?1049l")

  /// The modes of the terminal before the demo. Written before ``isActive`` is set, and then only
  /// read.
  private nonisolated(unsafe) static let savedModes = UnsafeMutablePointer<termios>.allocate(
    capacity: 1)
  /// The actions of the signals before the demo, by the number of the signal. Written before the
  /// handler of the signal is installed.
  private nonisolated(unsafe) static let savedActions = UnsafeMutablePointer<sigaction>.allocate(
    capacity: 65)
  private static let isActive = Atomic(false)

  /// Whether the alternate screen may be written to. A signal handler clears it, so that no frame
  /// follows the restored screen.
  static let isShown = Atomic(false)

  /// Whether a frame is being written.
  static let isWriting = Atomic(false)

  /// Remembers the modes of the terminal, and installs the signal handlers.
  ///
  /// - Precondition: The terminal is not active.
  static func activate(_ modes: termios) {
    precondition(!isActive.load(ordering: .acquiring), "the terminal is active")
    unsafe savedModes.initialize(to: modes)
    unsafe savedActions.initialize(repeating: sigaction(), count: 65)
    // Initializes the globals before a handler needs them.
    _ = unsafe sequence
    isShown.store(false, ordering: .sequentiallyConsistent)
    isWriting.store(false, ordering: .sequentiallyConsistent)
    isActive.store(true, ordering: .releasing)
    for signal in endings { install(signal) { TerminalRestoration.end($0) } }
    install(SIGTSTP) { TerminalRestoration.stop($0) }
    atexit { TerminalRestoration.restore() }
  }

  /// Restores the terminal and the signals' actions. Has no effect on a terminal that is not
  /// active.
  static func deactivate() {
    guard isActive.load(ordering: .acquiring) else { return }
    restore()
    isActive.store(false, ordering: .releasing)
    for signal in endings + [SIGTSTP] { unsafe sigaction(signal, savedActions + Int(signal), nil) }
  }

  private static func install(_ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    let saved = unsafe savedActions + Int(signal)
    unsafe sigaction(signal, nil, saved)
    guard unsafe !saved.pointee.isIgnored else { return }
    var action = sigaction(handler)
    unsafe sigaction(signal, &action, nil)
  }

  // MARK: - Async-signal-safe

  /// Does nothing if the terminal is restored already: the process may be in the background then.
  private static func restore() {
    guard isActive.load(ordering: .acquiring),
      isShown.exchange(false, ordering: .sequentiallyConsistent)
    else { return }
    // Waits for the frame of another thread. At most 100 ms, because this handler may have
    // interrupted the thread that writes.
    for _ in 0..<100 where isWriting.load(ordering: .sequentiallyConsistent) { _ = poll(nil, 0, 1) }
    _ = unsafe write(STDOUT_FILENO, sequence.baseAddress, sequence.count)
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, savedModes)
  }

  /// Restores the terminal, and lets the signal have its earlier effect, which usually ends the
  /// process.
  private static func end(_ signal: Int32) {
    let error = errno
    restore()
    unsafe sigaction(signal, savedActions + Int(signal), nil)
    // Blocked until this handler returns. Then the process ends where it crashed, and a debugger
    // sees that place.
    raise(signal)
    errno = error
  }

  /// Restores the terminal, stops the process, and returns when the process continues.
  private static func stop(_ signal: Int32) {
    let error = errno
    restore()
    var action = sigaction()
    unsafe sigaction(signal, savedActions + Int(signal), &action)
    raise(signal)
    var stops = sigset_t()
    unsafe sigemptyset(&stops)
    unsafe sigaddset(&stops, signal)
    unsafe pthread_sigmask(SIG_UNBLOCK, &stops, nil)
    // The process has stopped here, and continues. Without job control, the system does not stop
    // it, so it receives no `SIGCONT`.
    unsafe sigaction(signal, &action, nil)
    TerminalSignals.wake(SIGCONT)
    errno = error
  }

  private static func bytes(_ text: String) -> UnsafeBufferPointer<UInt8> {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = unsafe copy.initialize(from: text.utf8)
    return UnsafeBufferPointer(copy)
  }
}
