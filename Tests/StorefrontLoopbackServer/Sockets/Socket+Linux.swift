#if !canImport(Darwin)
  import Foundation

  /// The differences between sockets on Linux and on Apple platforms.
  package enum PlatformSocket {
    /// The type of a TCP socket. glibc declares it as an enumeration, and musl declares it as a number.
    #if canImport(Musl)
      package static let stream = SOCK_STREAM
    #else
      package static let stream = Int32(SOCK_STREAM.rawValue)
    #endif

    /// The flags of each `send`. They suppress `SIGPIPE`, which ends the process after a write to a closed
    /// connection.
    static let sendFlags = Int32(MSG_NOSIGNAL)

    /// Calls `accept` of the C library. A type with its own method `accept` has to name the module of the C
    /// function, which differs between platforms.
    package static func accept(_ listener: Int32) -> Int32 { Foundation.accept(listener, nil, nil) }

    /// Calls `send` of the C library with ``sendFlags``.
    package static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
      unsafe Foundation.send(descriptor, bytes.baseAddress, bytes.count, sendFlags)
    }

    /// Does nothing. On Linux, ``sendFlags`` suppress the signal.
    package static func suppressBrokenPipeSignal(of descriptor: Int32) {}
  }
#endif
