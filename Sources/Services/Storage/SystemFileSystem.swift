import Foundation

/// The file system of the operating system. Every descriptor has `O_CLOEXEC`.
package struct SystemFileSystem: StorageFileSystem {
  package init() {}

  package func lock(_ path: String) throws(SystemCallError) -> Int32? {
    let descriptor = try open(path, O_RDWR | O_CREAT)
    do throws(SystemCallError) {
      try check { flock(descriptor, LOCK_EX | LOCK_NB) }
      return descriptor
    } catch {
      close(descriptor)
      guard error.code == EWOULDBLOCK else { throw error }
      return nil
    }
  }

  package func names(in folder: String) throws(SystemCallError) -> [String] {
    do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw SystemCallError(error)
    }
  }

  package func contents(of path: String) throws(SystemCallError) -> [UInt8]? {
    let descriptor: Int32
    // Without `O_NONBLOCK`, opening a pipe would wait until another process writes to the pipe.
    do throws(SystemCallError) { descriptor = try open(path, O_RDONLY | O_NONBLOCK) } catch {
      // A socket cannot be opened: Linux reports `ENXIO`, and Darwin `EOPNOTSUPP`.
      if [ENXIO, EOPNOTSUPP].contains(error.code) { throw .notRegularFile }
      guard error.code == ENOENT else { throw error }
      return nil
    }
    defer { close(descriptor) }
    guard try isRegular(descriptor) else { throw .notRegularFile }
    var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let count = try check { unsafe read(descriptor, &chunk, chunk.count) }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  package func create(_ path: String) throws(SystemCallError) -> Int32 {
    try open(path, O_WRONLY | O_CREAT | O_EXCL)
  }

  package func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemCallError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = try check {
        unsafe rest.withUnsafeBytes { unsafe PlatformFile.write(descriptor, $0) }
      }
      rest = rest.dropFirst(count)
    }
  }

  package func sync(_ descriptor: Int32) throws(SystemCallError) {
    do throws(SystemCallError) { try check { PlatformFile.fullSync(descriptor) } } catch {
      guard error.meansUnsupported else { throw error }
      try check { fsync(descriptor) }
    }
  }

  package func close(_ descriptor: Int32) {
    // A child process that has not run its program yet has a copy, which would keep the lock.
    _ = flock(descriptor, LOCK_UN)
    // The bytes are already on the disk, so a failure has no consequence.
    PlatformFile.close(descriptor)
  }

  package func rename(_ path: String, to newPath: String) throws(SystemCallError) {
    try check { unsafe PlatformFile.rename(path, newPath) }
  }

  package func link(_ path: String, to newPath: String) throws(SystemCallError) {
    try check { unsafe PlatformFile.link(path, newPath) }
  }

  package func remove(_ path: String) throws(SystemCallError) {
    try check { unsafe unlink(path) }
  }

  package func syncFolder(_ path: String) throws(SystemCallError) {
    let descriptor = try open(path, O_RDONLY | O_DIRECTORY)
    defer { close(descriptor) }
    do throws(SystemCallError) { try sync(descriptor) } catch {
      // Some file systems cannot sync a folder, because a rename is on the disk when it returns.
      guard error.meansUnsupported else { throw error }
    }
  }

  private func isRegular(_ descriptor: Int32) throws(SystemCallError) -> Bool {
    var status = stat()
    try check { unsafe fstat(descriptor, &status) }
    return status.st_mode & S_IFMT == S_IFREG
  }

  /// Opens a file that only the current user may read and write.
  private func open(_ path: String, _ flags: Int32) throws(SystemCallError) -> Int32 {
    try check { unsafe PlatformFile.open(path, flags | O_CLOEXEC, 0o600) }
  }

  /// Repeats a call that a signal interrupts.
  @discardableResult
  private func check<Output: SignedInteger>(_ call: () -> Output) throws(SystemCallError) -> Output {
    while true {
      let output = call()
      guard output == -1 else { return output }
      let code = errno
      guard code == EINTR else { throw SystemCallError(code: code) }
    }
  }
}

extension SystemCallError {
  /// The system call that failed in Foundation, or `EIO`.
  init(_ error: any Error) {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    self.init(code: cause.domain == NSPOSIXErrorDomain ? Int32(cause.code) : EIO)
  }
}
