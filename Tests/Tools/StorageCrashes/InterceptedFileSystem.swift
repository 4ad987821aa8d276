import StorefrontDomain
import StorefrontServices

/// A file system that calls a function before and after each operation of another file system, and in the middle of each
/// write.
///
/// If the function throws an error before an operation, or in the middle of a write, the operation fails with this error.
struct InterceptedFileSystem: StorageFileSystem {
  /// The time of a call, relative to the operation.
  enum Moment: String, Sendable { case before, during, after }

  let base: any StorageFileSystem
  let intercept: @Sendable (StorageStep, Moment) throws(SystemCallError) -> Void

  init(
    _ base: any StorageFileSystem = SystemFileSystem(),
    _ intercept: @escaping @Sendable (StorageStep, Moment) throws(SystemCallError) -> Void
  ) {
    self.base = base
    self.intercept = intercept
  }

  private func run<Output>(
    _ step: StorageStep, _ operation: () throws(SystemCallError) -> Output
  ) throws(SystemCallError) -> Output {
    try intercept(step, .before)
    let answer = try operation()
    try intercept(step, .after)
    return answer
  }

  func lock(_ path: String) throws(SystemCallError) -> Int32? {
    try run(.lock) { () throws(SystemCallError) in try base.lock(path) }
  }
  func names(in folder: String) throws(SystemCallError) -> [String] {
    try run(.list) { () throws(SystemCallError) in try base.names(in: folder) }
  }
  func contents(of path: String) throws(SystemCallError) -> [UInt8]? {
    try run(.read) { () throws(SystemCallError) in try base.contents(of: path) }
  }
  func create(_ path: String) throws(SystemCallError) -> Int32 {
    try run(.create) { () throws(SystemCallError) in try base.create(path) }
  }
  func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemCallError) {
    try run(.write) { () throws(SystemCallError) in
      let half = bytes.count / 2
      try base.write(bytes.prefix(half), to: descriptor)
      try intercept(.write, .during)
      try base.write(bytes.dropFirst(half), to: descriptor)
    }
  }
  func sync(_ descriptor: Int32) throws(SystemCallError) {
    try run(.sync) { () throws(SystemCallError) in try base.sync(descriptor) }
  }
  func close(_ descriptor: Int32) { base.close(descriptor) }
  func rename(_ path: String, to newPath: String) throws(SystemCallError) {
    try run(.replace) { () throws(SystemCallError) in try base.rename(path, to: newPath) }
  }
  func link(_ path: String, to newPath: String) throws(SystemCallError) {
    try run(.setAside) { () throws(SystemCallError) in try base.link(path, to: newPath) }
  }
  func remove(_ path: String) throws(SystemCallError) {
    try run(.remove) { () throws(SystemCallError) in try base.remove(path) }
  }
  func syncFolder(_ path: String) throws(SystemCallError) {
    try run(.syncFolder) { () throws(SystemCallError) in try base.syncFolder(path) }
  }
}
