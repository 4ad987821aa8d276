#if canImport(Darwin)
  import Darwin

  /// The functions of the C library for files that differ between Linux and Apple platforms.
  ///
  /// In a type with a method `write`, the C function `write` needs the name of its module.
  enum PlatformFile {
    /// Flushes a file to the disk. `fsync` alone leaves the bytes in the cache of the drive. File
    /// systems such as those of network volumes fail with an error that
    /// ``SystemCallError/meansUnsupported``.
    static func fullSync(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_FULLFSYNC) }

    static func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
      unsafe Darwin.open(path, flags, mode)
    }

    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
      unsafe Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    }

    static func close(_ descriptor: Int32) { _ = Darwin.close(descriptor) }

    static func rename(_ path: UnsafePointer<CChar>, _ newPath: UnsafePointer<CChar>) -> Int32 {
      unsafe Darwin.rename(path, newPath)
    }

    static func link(_ path: UnsafePointer<CChar>, _ newPath: UnsafePointer<CChar>) -> Int32 {
      unsafe Darwin.link(path, newPath)
    }
  }
#endif
