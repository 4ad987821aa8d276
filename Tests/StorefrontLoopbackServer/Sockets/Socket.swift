import Foundation

/// A nonblocking TCP socket on 127.0.0.1. It closes when its last reference is released.
///
/// A socket has no mutable state, so every method may run on any thread. The owner must not read or write on
/// two threads at the same time.
final class Socket: Sendable {
  let descriptor: Int32

  /// Takes ownership of an open descriptor.
  ///
  /// - Precondition: No other code closes `descriptor`.
  private init(owning descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    PlatformSocket.suppressBrokenPipeSignal(of: descriptor)
  }

  deinit { _ = close(descriptor) }

  /// Creates a socket that listens on a free port of 127.0.0.1, and returns it with the port.
  static func listening() throws(LoopbackError) -> (socket: Socket, port: UInt16) {
    let descriptor = socket(AF_INET, PlatformSocket.stream, 0)
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

  /// The result of a nonblocking call.
  enum Progress {
    case bytes(Int)
    /// The call would block.
    case later
    /// The peer closed the connection, or it broke.
    case over
  }

  enum Acceptance {
    case accepted(Socket)
    /// No connection is waiting.
    case noConnection
    /// The process or the system has no descriptors left.
    case exhausted
  }

  /// Accepts the next waiting connection.
  func accept() -> Acceptance {
    while true {
      let descriptor = PlatformSocket.accept(descriptor)
      guard descriptor < 0 else {
        let socket = Socket(owning: descriptor)
        // Without this option, a small response waits until the client has acknowledged the previous one.
        socket.set(TCP_NODELAY, at: Int32(IPPROTO_TCP))
        return .accepted(socket)
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
      default: return .noConnection
      }
    }
  }

  /// Appends the available bytes to `buffer`, at most `limit`.
  func read(into buffer: inout [UInt8], limit: Int) -> Progress {
    unsafe withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { space in
      let progress = Self.progress { unsafe recv(descriptor, space.baseAddress, limit, 0) }
      guard case .bytes(let count) = progress else { return progress }
      guard count > 0 else { return .over }
      unsafe buffer.append(contentsOf: space.prefix(count))
      return progress
    }
  }

  /// Writes as many of the bytes as possible without blocking.
  func write(_ bytes: ArraySlice<UInt8>) -> Progress {
    unsafe bytes.withUnsafeBytes { bytes in
      Self.progress { unsafe PlatformSocket.send(descriptor, bytes) }
    }
  }

  /// Signals the end of the output to the peer.
  func endOutput() {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Lets the system reset the connection when the socket is closed, instead of ending it in order.
  func resetOnClose() {
    var none = linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &none, socklen_t(MemoryLayout<linger>.size))
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
