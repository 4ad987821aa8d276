#if os(Linux)
  import Foundation
  import Testing

  /// A pseudo-terminal with the demo in it, as a terminal window has it.
  final class PseudoTerminal {
    private let controller: Int32
    /// Keeps the modes of the terminal after the program has ended.
    private let terminal: Int32
    /// Ends when the program has ended.
    private let life: Int32
    private let process: pid_t
    private(set) var output = ""
    private var bytes: [UInt8] = []
    private var isClosed = false

    // Swift does not import these constants of Linux: TIOCSPTLCK, TIOCGPTN and POSIX_SPAWN_SETSID.
    private static let unlock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430
    private static let newSession: Int16 = 0x80

    private struct Timeout: Error {
      let expected: String
      let output: String
    }

    /// Starts a program in a new session whose controlling terminal is the new one.
    init(
      _ program: String, _ arguments: [String], environment: [String: String], columns: Int = 80,
      rows: Int = 24
    ) throws {
      controller = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var (number, lock): (Int32, Int32) = (0, 0)
      try #require(unsafe ioctl(controller, Self.unlock, &lock) == 0)
      try #require(unsafe ioctl(controller, Self.getNumber, &number) == 0)
      let path = "/dev/pts/\(number)"
      terminal = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
      try #require(terminal >= 0)
      var ends: [Int32] = [0, 0]
      // Not a pipe, which is closed on `exec` only by a second call: before it, another test could start a process.
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      try #require(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
      life = ends[0]
      try Self.resize(controller, columns: columns, rows: rows)
      initialDescription = Self.description(of: terminal)

      var actions = unsafe posix_spawn_file_actions_t()
      unsafe posix_spawn_file_actions_init(&actions)
      // The first terminal that a session opens becomes its controlling terminal.
      unsafe posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
      unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
      unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
      unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 3)
      var attributes = posix_spawnattr_t()
      unsafe posix_spawnattr_init(&attributes)
      unsafe posix_spawnattr_setflags(
        &attributes, Self.newSession | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
      var all = sigset_t()
      unsafe sigfillset(&all)
      unsafe posix_spawnattr_setsigdefault(&attributes, &all)
      let values = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      var argv: [UnsafeMutablePointer<CChar>?] =
        unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
      var envp: [UnsafeMutablePointer<CChar>?] = unsafe values.map { unsafe strdup("\($0)=\($1)") } + [nil]
      var process: pid_t = 0
      let error = unsafe posix_spawn(&process, program, &actions, &attributes, &argv, &envp)
      unsafe (argv + envp).forEach { unsafe free($0) }
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
      close(ends[1])
      self.process = process
      try #require(error == 0)
    }

    deinit {
      // Without effect on a program that has ended.
      if !hasEnded {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
      }
      if !isClosed {
        close(controller)
        close(terminal)
      }
      close(life)
    }

    private var hasEnded = false

    /// Whether the terminal passes each key on, instead of editing lines.
    var isRaw: Bool { Self.modes(of: terminal).c_lflag & tcflag_t(ICANON | ECHO) == 0 }

    /// The modes of the terminal as text, which can be compared.
    var description: String { Self.description(of: terminal) }

    /// The modes before the program has started.
    private(set) var initialDescription = ""

    private static func description(of terminal: Int32) -> String {
      let modes = modes(of: terminal)
      return "\(modes.c_iflag) \(modes.c_oflag) \(modes.c_cflag) \(modes.c_lflag) \(modes.c_cc)"
    }

    private static func modes(of terminal: Int32) -> termios {
      var modes = termios()
      unsafe tcgetattr(terminal, &modes)
      return modes
    }

    func send(_ text: String) throws {
      let count = unsafe write(controller, text, text.utf8.count)
      try #require(count == text.utf8.count)
    }

    func signal(_ number: Int32) { kill(process, number) }

    func resize(columns: Int, rows: Int) throws { try Self.resize(controller, columns: columns, rows: rows) }

    /// Closes the terminal, as a terminal window does.
    func hangUp() {
      isClosed = true
      close(controller)
      close(terminal)
    }

    /// Reads until the output since the last call contains `text`, and forgets the output up to there.
    func expect(_ text: String) throws {
      while true {
        if let range = output.range(of: text) {
          output.removeSubrange(..<range.upperBound)
          return
        }
        guard try readMore() else { throw Timeout(expected: text, output: output) }
      }
    }

    /// Reads until the program has ended, and returns its exit code, or minus the number of the signal that ended it.
    func end() throws -> Int32 {
      while try readMore() {}
      if !isClosed { try readRest() }
      var status: Int32 = 0
      unsafe waitpid(process, &status, 0)
      hasEnded = true
      return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }

    /// Reads the last output of a program that has ended, which the system passes on later.
    private func readRest() throws {
      // The terminal passes all output on in order, so the mark comes after the output of the program.
      let mark = "\0end of the output"
      let count = unsafe write(terminal, mark, mark.utf8.count)
      try #require(count == mark.utf8.count)
      while !output.hasSuffix(mark) { _ = try readMore(afterTheEnd: true) }
      output.removeLast(mark.count)
    }

    /// Waits for output. Returns `false` after the program has ended, unless `afterTheEnd` is true.
    private func readMore(afterTheEnd: Bool = false) throws -> Bool {
      var waiting = [
        pollfd(fd: isClosed ? -1 : controller, events: Int16(POLLIN), revents: 0),
        pollfd(fd: afterTheEnd ? -1 : life, events: Int16(POLLIN), revents: 0),
      ]
      guard unsafe poll(&waiting, 2, 60_000) > 0 else {
        throw Timeout(expected: "output", output: output)
      }
      if waiting[0].revents & Int16(POLLIN) != 0 {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe read(controller, &buffer, buffer.count)
        bytes += buffer.prefix(max(0, count))
        // A read can end within a character.
        let end = bytes.lastIndex { $0 & 0xC0 != 0x80 } ?? 0
        let complete = bytes.last.map { $0 < 0x80 } == true ? bytes.count : end
        output += String(decoding: bytes[..<complete], as: UTF8.self)
        bytes.removeFirst(complete)
        return true
      }
      return afterTheEnd || waiting[1].revents == 0
    }

    private static func resize(_ controller: Int32, columns: Int, rows: Int) throws {
      var size = winsize()
      (size.ws_col, size.ws_row) = (UInt16(columns), UInt16(rows))
      try #require(unsafe ioctl(controller, UInt(TIOCSWINSZ), &size) == 0)
    }
  }
#endif
