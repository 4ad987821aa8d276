import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontTesting
import Testing

@testable import StorefrontServices

@Suite("Storage folder", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct StorageFolderTests {
  private let parent: TemporaryFolder

  init() throws { parent = try TemporaryFolder() }

  @Test("a folder is created once, and then found")
  func creation() throws {
    for _ in 0..<2 {
      let folder = try StorageFolder.folder("Storefront", in: parent.url)
      #expect(folder == parent.url.appending(path: "Storefront", directoryHint: .isDirectory))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
    #expect(try parent.names == ["Storefront"])
  }

  @Test(
    "a name that is not the name of a folder is refused",
    arguments: ["", ".", "..", "a/b", "/", "a\0b", "\0"])
  func invalidName(name: String) throws {
    #expect(throws: StorageError.invalidLocation(name)) { try StorageFolder.folder(name, in: parent.url) }
    #expect(try parent.names.isEmpty)
  }

  @Test("a file with the name of the folder stays, and the error names it")
  func fileInPlace() throws {
    try Data("x".utf8).write(to: parent.url.appending(path: "Storefront"))
    let error = #expect(throws: StorageError.self) { try StorageFolder.folder("Storefront", in: parent.url) }
    guard case .failed(.createFolder, file: "Storefront", _, _)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(try Data(contentsOf: parent.url.appending(path: "Storefront")) == Data("x".utf8))
  }
}
