import AsyncViewModelsCommandLine
import Dispatch
import Foundation
import Synchronization

/// The terminal of the process, in a mode in which it passes each key on, with the alternate
/// screen.
///
/// Ctrl-C, Ctrl-\ and Ctrl-Z stay signals, so they work even if the program hangs.
@MainActor
final class Terminal {
  private let rawModes: termios
  private let hasColor: Bool
  private let output = DispatchQueue(label: "Terminal")
  /// What the terminal shows, or `nil` if that is unknown.
  private var shown: ScreenGrid?
  private var input: (any DispatchSourceRead)?
  private var signals: TerminalSignals?
  private var parser = KeyParser()
  private var readCount = 0

  /// How long an escape byte waits for the rest of a sequence, before it counts as the Escape key.
  private static let escapeDelay = DispatchTimeInterval.milliseconds(50)

  /// Enters the alternate screen.
  ///
  /// - Throws: ``AsyncViewModelsCommandLine/UsageError/noTerminal(reason:)``.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) throws(UsageError) {
    for (descriptor, name) in [(STDIN_FILENO, "standard input"), (STDOUT_FILENO, "standard output")] {
      guard isatty(descriptor) == 1 else { throw .noTerminal(reason: "\(name) is not a terminal") }
    }
    if let type = environment["TERM"], type != "dumb", !type.isEmpty {
      hasColor = environment["NO_COLOR"].map(\.isEmpty) ?? true
    } else {
      throw .noTerminal(
        reason: "TERM is '\(environment["TERM"] ?? "")', a terminal that cannot move the cursor")
    }
    var modes = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &modes) == 0 else {
      throw .noTerminal(reason: "its modes cannot be read: \(unsafe String(cString: strerror(errno)))")
    }
    TerminalRestoration.activate(modes)
    modes.c_iflag &= ~tcflag_t(ICRNL | INLCR | IXON | ISTRIP)
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    rawModes = modes
    enter()
  }

  /// Leaves the alternate screen, and restores the terminal.
  func leave() {
    input?.cancel()
    signals?.stop()
    (input, signals) = (nil, nil)
    // A frame that is still being written must not follow.
    output.sync {}
    TerminalRestoration.deactivate()
  }

  /// The current size.
  var size: TerminalSize {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return .smallest
    }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Calls `onKey` for each key, `onEnd` once if the input has ended, and `onResize` when the
  /// screen has to be drawn again.
  func listen(
    onKey: @escaping @MainActor (Key) -> Void, onEnd: @escaping @MainActor () -> Void,
    onResize: @escaping @MainActor () -> Void
  ) {
    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    input.setEventHandler { [weak self] in
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
      if count < 0, [EINTR, EAGAIN].contains(errno) { return }
      let keys = bytes.prefix(max(0, count))
      MainActor.assumeIsolated {
        if !keys.isEmpty { return self?.receive(keys, onKey) ?? () }
        self?.input?.cancel()
        onEnd()
      }
    }
    input.resume()
    self.input = input
    signals = TerminalSignals(onResize: onResize) { [weak self] in
      self?.enter()
      onResize()
    }
  }

  private func receive(_ bytes: ArraySlice<UInt8>, _ onKey: @escaping @MainActor (Key) -> Void) {
    parser.keys(in: bytes).forEach(onKey)
    readCount += 1
    guard parser.isWaiting else { return }
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.escapeDelay) { [weak self, readCount] in
      MainActor.assumeIsolated {
        guard let self, self.readCount == readCount else { return }
        self.parser.flush().forEach(onKey)
      }
    }
  }

  private func enter() {
    var modes = rawModes
    // Before the modes change, so that a signal restores them.
    TerminalRestoration.isShown.store(true, ordering: .sequentiallyConsistent)
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    // The alternate screen, without a cursor and without wrapping of long lines.
    Self.send("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
    shown = nil
  }

  /// Writes all of `text`, and waits while the terminal does not take more. Ends early if the
  /// terminal is restored.
  private nonisolated static func send(_ text: String) {
    var rest = Array(text.utf8)[...]
    TerminalRestoration.isWriting.store(true, ordering: .sequentiallyConsistent)
    defer { TerminalRestoration.isWriting.store(false, ordering: .sequentiallyConsistent) }
    while !rest.isEmpty, TerminalRestoration.isShown.load(ordering: .sequentiallyConsistent) {
      let count = unsafe rest.withUnsafeBytes {
        unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&output, 1, 1_000)
      } else if errno != EINTR {
        // The terminal is gone. The end of the input ends the program.
        return
      }
    }
  }
}

extension Terminal: FrameSink {
  func show(_ frame: ScreenGrid, completion: @escaping @Sendable (ContinuousClock.Instant) -> Void) {
    let changes = frame.changes(from: shown, hasColor: hasColor)
    shown = frame
    output.async {
      Self.send(changes)
      completion(.now)
    }
  }
}
