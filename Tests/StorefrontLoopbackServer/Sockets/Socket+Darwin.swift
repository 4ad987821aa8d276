#if canImport(Darwin)
  import Darwin

  /// The differences between sockets on Linux and on Apple platforms.
  package enum PlatformSocket {
    /// The type of a TCP socket.
    package static let stream = SOCK_STREAM

    /// The flags of each `send`. The socket itself suppresses `SIGPIPE`.
    static let sendFlags: Int32 = 0

    /// Calls `accept` of the C library. A type with its own method `accept` has to name the module of the C
    /// function, which differs between platforms.
    package static func accept(_ listener: Int32) -> Int32 { Darwin.accept(listener, nil, nil) }

    /// Calls `send` of the C library with ``sendFlags``.
    package static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
      unsafe Darwin.send(descriptor, bytes.baseAddress, bytes.count, sendFlags)
    }

    /// Makes a write to a closed connection fail. Otherwise it raises `SIGPIPE`, which ends the process.
    package static func suppressBrokenPipeSignal(of descriptor: Int32) {
      var on: Int32 = 1
      _ = unsafe setsockopt(
        descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    }
  }
#endif
