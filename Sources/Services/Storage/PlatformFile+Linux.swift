#if !canImport(Darwin)
  import Foundation

  /// The functions of the C library for files that differ between Linux and Apple platforms.
  ///
  /// In a type with a method `write`, the C function `write` needs the name of its module.
  enum PlatformFile {
    /// Flushes a file to the disk, and the cache of the drive with it.
    static func fullSync(_ descriptor: Int32) -> Int32 { fsync(descriptor) }

    static func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
      unsafe Foundation.open(path, flags, mode)
    }

    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
      unsafe Foundation.write(descriptor, bytes.baseAddress, bytes.count)
    }

    static func close(_ descriptor: Int32) { _ = Foundation.close(descriptor) }

    static func rename(_ path: UnsafePointer<CChar>, _ newPath: UnsafePointer<CChar>) -> Int32 {
      unsafe Foundation.rename(path, newPath)
    }

    static func link(_ path: UnsafePointer<CChar>, _ newPath: UnsafePointer<CChar>) -> Int32 {
      unsafe Foundation.link(path, newPath)
    }
  }
#endif
