import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontTesting
import Testing

@testable import StorefrontServices

/// What a file store does with files that it cannot decode, and with older and newer schemas.
@Suite("File store: damage and schemas", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct FileStoreDamageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let migration = FileSchema<String>(version: 3) { payload, version in
    guard version == 2 else { throw CocoaError(.fileReadCorruptFile) }
    return String(try JSONDecoder().decode(Int.self, from: payload))
  }

  @Test(
    "a damaged file is set aside, kept and reported, and the store is empty", arguments: ServiceForm.allCases)
  func damaged(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      for number in 1...2 {
        try folder.write(Array("damage \(number)".utf8))
        let client = StoreClient(form, try folder.store(tracker, of: String.self))
        let damage = DamagedFile(name: "note.json.damaged-\(number)", reason: "The header is missing.")
        #expect(try await client.load() == StoredValue(nil, damagedFile: damage))
        try await client.save("new")
        try await client.close()
      }
      #expect(try folder.names == ["note.json", "note.json.damaged-1", "note.json.damaged-2"])
      for number in 1...2 {
        #expect(try folder.bytes(of: "note.json.damaged-\(number)") == Array("damage \(number)".utf8))
      }
    }
  }

  @Test("a save before the first load does not overwrite a damaged file", arguments: ServiceForm.allCases)
  func saveFirst(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      try folder.write([1, 2, 3])
      let client = StoreClient(form, try folder.store(tracker, of: String.self))
      try await client.save("new")
      try await client.close()
      #expect(try folder.bytes(of: "note.json.damaged-1") == [1, 2, 3])
    }
  }

  @Test("a cart that breaks a rule is set aside with the reason", arguments: ServiceForm.allCases)
  func invalidCart(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let payload = #"{"currency":"USD","items":[{"quantity":0}]}"#
      try folder.write(StoredFile(schema: 1, payload: Array(payload.utf8)).bytes)
      let client = StoreClient(form, try folder.store(tracker, of: Cart.self))
      let damage = try #require(try await client.load().damagedFile)
      #expect(damage.reason.contains("quantity"))
      try await client.close()
    }
  }

  @Test("an older schema is migrated, and the next save writes the new one", arguments: ServiceForm.allCases)
  func migration(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let old = StoredFile(schema: 2, payload: Array("42".utf8)).bytes
      try folder.write(old)
      let client = StoreClient(form, try folder.store(tracker, of: String.self, schema: Self.migration))
      #expect(try await client.load() == StoredValue("42"))
      #expect(try folder.bytes() == old)
      try await client.save("43")
      try await client.close()
      #expect(try StoredFile(folder.bytes()) == StoredFile(schema: 3, payload: Array(#""43""#.utf8)))
    }
  }

  @Test("a file that cannot be migrated is set aside", arguments: ServiceForm.allCases)
  func failedMigration(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let old = StoredFile(schema: 1, payload: Array("42".utf8)).bytes
      for schema in [Self.migration, FileSchema(version: 2)] {
        try folder.write(old)
        let client = StoreClient(form, try folder.store(tracker, of: String.self, schema: schema))
        let damage = try #require(try await client.load().damagedFile)
        #expect(try folder.bytes(of: damage.name) == old)
        try await client.close()
      }
    }
  }

  @Test("a newer schema is refused, and the file is not touched", arguments: ServiceForm.allCases)
  func newerSchema(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let newer = StoredFile(schema: 4, payload: Array("[42]".utf8)).bytes
      try folder.write(newer)
      let client = StoreClient(form, try folder.store(tracker, of: String.self, schema: Self.migration))
      let error = StorageError.newerSchema(file: "note.json", found: 4, supported: 3)
      await #expect(throws: error) { _ = try await client.load() }
      await #expect(throws: error) { try await client.save("43") }
      await #expect(throws: error) { try await client.close() }
      #expect(try folder.bytes() == newer)
      #expect(try folder.names == ["note.json"])
    }
  }

  @Test("the newest five damaged files are kept, and no other file is removed")
  func manyDamagedFiles() async throws {
    try await LeakTracker.check { tracker in
      let others = ["note.json.damaged-", "note.json.damaged-01", "note.json.damaged-x", "other.json"]
      for name in others { try folder.write([1], to: name) }
      for number in [2, 7] { try folder.write([2], to: "note.json.damaged-\(number)") }
      for number in 8...12 {
        try folder.write(Array("damage \(number)".utf8))
        let client = StoreClient(.async, try folder.store(tracker, of: String.self))
        #expect(try await client.load().damagedFile?.name == "note.json.damaged-\(number)")
        try await client.close()
      }
      #expect(try folder.names == (others + (8...12).map { "note.json.damaged-\($0)" }).sorted())
      #expect(try folder.bytes(of: "note.json.damaged-12") == Array("damage 12".utf8))
    }
  }

  @Test("damaged files with the largest numbers are removed like others")
  func largestNumbers() async throws {
    try await LeakTracker.check { tracker in
      let numbers: [UInt64] = [4_294_967_294, 4_294_967_295, 4_294_967_296, .max - 1, .max]
      for number in numbers { try folder.write([1], to: "note.json.damaged-\(number)") }
      for count in 1...6 {
        try folder.write(Array("damage \(count)".utf8))
        let client = StoreClient(.async, try folder.store(tracker, of: String.self))
        let name = try #require(try await client.load().damagedFile?.name)
        #expect(try folder.bytes(of: name) == Array("damage \(count)".utf8))
        #expect(try folder.names.count == 5)
        try await client.close()
      }
    }
  }

  @Test("a name that is too long for the temporary files is refused at the creation")
  func longName() async throws {
    try await LeakTracker.check { tracker in
      for (length, isAllowed) in [
        (StoreFiles.longestName, true), (StoreFiles.longestName + 1, false), (250, false), (255, false),
      ] {
        let url = folder.url.appending(path: String(repeating: "n", count: length))
        guard isAllowed else {
          let error = #expect(throws: StorageError.self) { try FileStore<Int>(at: url) }
          guard case .failed(.create, _, ENAMETOOLONG, _)? = error else {
            Issue.record("unexpected: \(String(describing: error))")
            continue
          }
          continue
        }
        let store = tracker.track(try FileStore<Int>(at: url))
        try await store.save(7)
        try await store.close()
      }
    }
  }

  @Test("old files that cannot be removed are reported, and the store works", arguments: ServiceForm.allCases)
  func unremovable(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      try folder.write([1])
      let folders = ["note.json.damaged-1", "note.json.tmp-1-1"]
      for name in folders {
        try FileManager.default.createDirectory(
          at: folder.url.appending(path: name), withIntermediateDirectories: false)
      }
      for number in 2...5 { try folder.write([2], to: "note.json.damaged-\(number)") }
      let client = StoreClient(form, try folder.store(tracker, of: String.self))
      let stored = try await client.load()
      #expect(stored.damagedFile?.name == "note.json.damaged-6")
      #expect(stored.unremovedFiles.sorted() == folders)
      try await client.save("new")
      try await client.close()
      let second = StoreClient(form, try folder.store(tracker, of: String.self))
      #expect(try await second.load() == StoredValue("new", unremovedFiles: ["note.json.tmp-1-1"]))
      try await second.close()
    }
  }

  private static var irregularFiles: [String] {
    // Elsewhere, only a server can create a socket.
    #if os(Linux)
      ["folder", "pipe", "socket"]
    #else
      ["folder", "pipe"]
    #endif
  }

  @Test(
    "a folder, a pipe or a socket at the URL is refused at once and not touched",
    arguments: ServiceForm.allCases,
    irregularFiles)
  func notRegular(form: ServiceForm, kind: String) async throws {
    try await LeakTracker.check { tracker in
      switch kind {
      case "folder":
        try FileManager.default.createDirectory(at: folder.file, withIntermediateDirectories: false)
      case "pipe": try #require(unsafe mkfifo(folder.file.path, 0o600) == 0)
      default:
        #if os(Linux)
          try #require(unsafe mknod(folder.file.path, S_IFSOCK | 0o600, 0) == 0)
        #endif
      }
      let client = StoreClient(form, try folder.store(tracker, of: String.self))
      let error = StorageError.notRegularFile(file: "note.json")
      await #expect(throws: error) { _ = try await client.load() }
      await #expect(throws: error) { try await client.save("new") }
      #expect(try folder.names == ["note.json"])
    }
  }

  @Test("a symbolic link is read, and the first save replaces it", arguments: ServiceForm.allCases)
  func symbolicLink(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let old = StoredFile(schema: 1, payload: Array(#""old""#.utf8)).bytes
      try folder.write(old, to: "target")
      let target = folder.url.appending(path: "target")
      try FileManager.default.createSymbolicLink(at: folder.file, withDestinationURL: target)
      let client = StoreClient(form, try folder.store(tracker, of: String.self))
      #expect(try await client.load() == StoredValue("old"))
      try await client.save("new")
      try await client.close()
      #expect(try folder.bytes(of: "target") == old)
      #expect(try StoredFile(folder.bytes()).payload == Array(#""new""#.utf8))
    }
  }

  @Test("a symbolic link to itself is an error of the system")
  func endlessLink() async throws {
    try await LeakTracker.check { tracker in
      try FileManager.default.createSymbolicLink(at: folder.file, withDestinationURL: folder.file)
      let store = try folder.store(tracker, of: String.self)
      let error = await #expect(throws: StorageError.self) { _ = try await store.load() }
      guard case .failed(.read, "note.json", ELOOP, _) = error else {
        Issue.record("unexpected: \(String(describing: error))")
        return
      }
    }
  }

  @Test(
    "a weaker flush is used only if the file system does not have the stronger one",
    arguments: [ENOTSUP, EINVAL, ENOTTY, EIO, ENOSPC, EBADF])
  func unsupported(code: Int32) {
    #expect(SystemCallError(code: code).meansUnsupported == [ENOTSUP, EINVAL, ENOTTY].contains(code))
  }

  @Test("temporary files of ended stores are removed, and no other file")
  func temporaryFiles() async throws {
    try await LeakTracker.check { tracker in
      let kept = ["note.json.tmp-", "note.json.tmp-1", "note.json.tmp-1-x", "other.json.tmp-1-1"]
      for name in kept + ["note.json.tmp-1-1", "note.json.tmp-77-300"] { try folder.write([1], to: name) }
      let client = StoreClient(.async, try folder.store(tracker, of: String.self))
      #expect(try await client.load() == StoredValue(nil))
      #expect(try folder.names == kept.sorted())
      try await client.close()
    }
  }
}
