import Foundation
import StorefrontDomain
import Synchronization

/// The files of one store.
///
/// | name | what it is |
/// | --- | --- |
/// | `cart.json` | the value |
/// | `cart.json.lock` | an empty file, which is never removed: a process could lock a removed file |
/// | `cart.json.tmp-PID-NUMBER` | the next contents of `cart.json`, while they are written |
/// | `cart.json.damaged-NUMBER` | a file that could not be decoded. The newest one has the largest number |
///
/// All methods run on the queue of the store. Their errors name `cart.json`.
struct StoreFiles: Sendable {
  let name: String
  private let folder: String
  private let fileSystem: any StorageFileSystem

  init(at url: URL, in fileSystem: any StorageFileSystem) throws(StorageError) {
    let path = url.absoluteURL.path(percentEncoded: false)
    let name = url.lastPathComponent
    guard url.isFileURL, !path.hasSuffix("/"), !["", ".", ".."].contains(name),
      !path.contains("\0"), !name.contains("/")
    else {
      throw .invalidLocation(url.isFileURL ? url.absoluteString : url.withoutSecrets)
    }
    guard name.utf8.count <= Self.longestName else {
      let error = SystemCallError(code: ENAMETOOLONG)
      throw .failed(.create, file: name, code: error.code, reason: error.reason)
    }
    self.name = name
    folder = url.absoluteURL.deletingLastPathComponent().path(percentEncoded: false)
    self.fileSystem = fileSystem
  }

  /// The most bytes of the name. Temporary names are longer, and file systems allow 255.
  static let longestName = 255 - ".tmp-".utf8.count - "-".utf8.count - 2 * "\(UInt32.max)".utf8.count

  private var path: String { path(name) }

  private func path(_ name: String) -> String { folder + (folder.hasSuffix("/") ? "" : "/") + name }

  /// Returns the descriptor for ``unlock(_:)``, or `nil` if another store has the lock.
  func lock() throws(StorageError) -> Int32? {
    try step(.lock) { () throws(SystemCallError) in try fileSystem.lock(path + ".lock") }
  }

  func unlock(_ descriptor: Int32) { fileSystem.close(descriptor) }

  func names() throws(StorageError) -> [String] {
    try step(.list) { () throws(SystemCallError) in try fileSystem.names(in: folder) }
  }

  /// Removes the temporary files of stores that have ended. Requires the lock.
  ///
  /// - Returns: The names of the files that cannot be removed. They only take up disk space.
  func removeTemporaryFiles(among names: [String]) -> [String] {
    names.filter { isTemporary($0) && !isRemoved($0) }.sorted()
  }

  private func isRemoved(_ name: String) -> Bool {
    do throws(SystemCallError) { try fileSystem.remove(path(name)) } catch { return error.code == ENOENT }
    return true
  }

  private var temporaryPrefix: String { name + ".tmp-" }

  private func isTemporary(_ candidate: String) -> Bool {
    guard candidate.hasPrefix(temporaryPrefix) else { return false }
    let numbers = candidate.dropFirst(temporaryPrefix.count).split(
      separator: "-", omittingEmptySubsequences: false)
    return numbers.count == 2 && numbers.allSatisfy { UInt64($0) != nil }
  }

  func contents() throws(StorageError) -> [UInt8]? {
    do throws(SystemCallError) { return try fileSystem.contents(of: path) } catch {
      throw error == .notRegularFile ? .notRegularFile(file: name) : failure(.read, error)
    }
  }

  /// Replaces the file in one step. Requires the lock.
  ///
  /// The file is complete even if the power fails at any point: the new bytes are on the disk
  /// before the new name, and the new name before this method returns.
  ///
  /// - Throws: The error of the first operation that fails. The file then has its old contents.
  ///   After ``StorageStep/syncFolder`` has failed, it has its new ones until a power cut.
  func replace(with bytes: [UInt8]) throws(StorageError) {
    let temporary = path("\(temporaryPrefix)\(ProcessInfo.processInfo.processIdentifier)-\(Self.nextNumber)")
    let descriptor = try step(.create) { () throws(SystemCallError) in try fileSystem.create(temporary) }
    do throws(StorageError) {
      try fill(descriptor, with: bytes)
      try step(.replace) { () throws(SystemCallError) in try fileSystem.rename(temporary, to: path) }
    } catch {
      // If the removal fails, too, the next store removes the file.
      try? fileSystem.remove(temporary)
      throw error
    }
    try syncFolder()
  }

  private static let numbers = Atomic<UInt64>(0)

  /// The number of the next temporary file, unique in this process.
  private static var nextNumber: UInt64 { numbers.add(1, ordering: .relaxed).newValue }

  private func fill(_ descriptor: Int32, with bytes: [UInt8]) throws(StorageError) {
    defer { fileSystem.close(descriptor) }
    try step(.write) { () throws(SystemCallError) in try fileSystem.write(bytes[...], to: descriptor) }
    try step(.sync) { () throws(SystemCallError) in try fileSystem.sync(descriptor) }
  }

  /// Gives the damaged file a new name, and returns this name. Requires the lock.
  ///
  /// The new name is on the disk before the old name is removed. After a crash in between, the next
  /// store sets the file aside again. A file system such as FAT cannot give a file two names.
  /// There, the file is renamed: the lock keeps other stores from using the new name.
  func setAside(among names: [String]) throws(StorageError) -> String {
    // Another program can have used the largest number. The search then begins again.
    var number = (names.compactMap(damagedNumber).max() ?? 0) &+ 1
    while true {
      let newName = "\(damagedPrefix)\(number)"
      do throws(SystemCallError) { try fileSystem.link(path, to: path(newName)) } catch {
        if error.code == EEXIST {
          number &+= 1
          continue
        }
        guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(error.code) else { throw failure(.setAside, error) }
        try step(.setAside) { () throws(SystemCallError) in try fileSystem.rename(path, to: path(newName)) }
        try syncFolder()
        return newName
      }
      try syncFolder()
      try remove(path)
      return newName
    }
  }

  /// The largest number of damaged files that a store keeps.
  static let damagedFileLimit = 5

  /// Removes the oldest damaged files, so that ``damagedFileLimit`` are left with the newest one.
  ///
  /// - Parameter names: The names in the folder before the newest file was set aside.
  /// - Returns: The names of the files that cannot be removed.
  func removeOldDamagedFiles(among names: [String]) -> [String] {
    let numbers = names.compactMap(damagedNumber).sorted()
    let old = numbers.dropLast(Self.damagedFileLimit - 1).map { "\(damagedPrefix)\($0)" }
    return old.filter { !isRemoved($0) }
  }

  private var damagedPrefix: String { name + ".damaged-" }

  /// The number in the name of a damaged file.
  private func damagedNumber(_ candidate: String) -> UInt64? {
    guard candidate.hasPrefix(damagedPrefix), let number = UInt64(candidate.dropFirst(damagedPrefix.count)),
      candidate == "\(damagedPrefix)\(number)"
    else { return nil }
    return number
  }

  private func remove(_ path: String) throws(StorageError) {
    try step(.remove) { () throws(SystemCallError) in try fileSystem.remove(path) }
  }

  private func syncFolder() throws(StorageError) {
    try step(.syncFolder) { () throws(SystemCallError) in try fileSystem.syncFolder(folder) }
  }

  private func step<Output>(
    _ step: StorageStep, _ operation: () throws(SystemCallError) -> Output
  ) throws(StorageError) -> Output {
    do throws(SystemCallError) { return try operation() } catch { throw failure(step, error) }
  }

  private func failure(_ step: StorageStep, _ error: SystemCallError) -> StorageError {
    .failed(step, file: name, code: error.code, reason: error.reason)
  }
}

extension SystemCallError {
  /// The system's text for people, such as "No space left on device".
  var reason: String { unsafe String(cString: unsafe strerror(code)) }
}
