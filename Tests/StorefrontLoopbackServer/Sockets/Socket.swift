#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A non-blocking TCP socket on 127.0.0.1. It closes when its last reference goes away.
///
/// Every call goes to the system at once and may come from any thread; it is up to the owner not to read or write
/// from two of them at a time.
final class Socket: Sendable {
  let descriptor: Int32

  /// - Precondition: nobody else closes `descriptor`.
  private init(owning descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    #if canImport(Darwin)
      set(SO_NOSIGPIPE, at: SOL_SOCKET)
    #endif
  }

  deinit { _ = close(descriptor) }

  /// A socket that listens on a free port of 127.0.0.1, and that port.
  static func listening() throws(LoopbackError) -> (socket: Socket, port: UInt16) {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw .system(call: "socket", code: errno) }
    let listener = Socket(owning: descriptor)

    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        guard unsafe bind(descriptor, generic, length) == 0 else { return "bind" as String? }
        guard listen(descriptor, 512) == 0 else { return "listen" }
        guard unsafe getsockname(descriptor, generic, &length) == 0 else { return "getsockname" }
        return nil
      }
    }
    if let call = bound { throw .system(call: call, code: errno) }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  /// What came of a call that does not wait.
  enum Progress {
    case bytes(Int)
    /// Nothing can be read, or written, at present.
    case later
    /// The other side has closed, or the connection broke.
    case over
  }

  enum Acceptance {
    case accepted(Socket)
    case nobody
    /// The process, or the system, has no descriptor left.
    case exhausted
  }

  /// Takes the next connection that waits.
  func accept() -> Acceptance {
    while true {
      #if canImport(Glibc)
        let descriptor = Glibc.accept(descriptor, nil, nil)
      #elseif canImport(Musl)
        let descriptor = Musl.accept(descriptor, nil, nil)
      #else
        let descriptor = Darwin.accept(descriptor, nil, nil)
      #endif
      guard descriptor < 0 else {
        let socket = Socket(owning: descriptor)
        // Small answers must not wait for the acknowledgement of the one before.
        socket.set(TCP_NODELAY, at: Int32(IPPROTO_TCP))
        return .accepted(socket)
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
      default: return .nobody
      }
    }
  }

  /// Appends what there is to read, at most `limit` bytes.
  func read(into buffer: inout [UInt8], limit: Int) -> Progress {
    unsafe withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { space in
      let progress = Self.progress { unsafe recv(descriptor, space.baseAddress, limit, 0) }
      guard case .bytes(let count) = progress else { return progress }
      guard count > 0 else { return .over }
      unsafe buffer.append(contentsOf: space.prefix(count))
      return progress
    }
  }

  /// Writes as much of `bytes` as goes at once.
  func write(_ bytes: ArraySlice<UInt8>) -> Progress {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    return unsafe bytes.withUnsafeBytes { bytes in
      Self.progress { unsafe send(descriptor, bytes.baseAddress, bytes.count, flags) }
    }
  }

  /// Tells the other side that no more will come.
  func endOutput() {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  private static func progress(_ call: () -> Int) -> Progress {
    while true {
      let count = call()
      guard count < 0 else { return .bytes(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: return .later
      default: return .over
      }
    }
  }

  private func set(_ option: Int32, at level: Int32) {
    var on: Int32 = 1
    _ = unsafe setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
  }
}
