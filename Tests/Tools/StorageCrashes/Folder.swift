import Foundation

/// The folder of one child, with the file that the child saves.
struct Folder {
  /// The contents of the folder before the child starts.
  enum Beginning: String, CaseIterable {
    case empty
    /// The file is damaged, another damaged file was set aside before, and a temporary file is left over.
    case damaged
  }

  let url: URL
  let beginning: Beginning

  static let name = "value.json"
  private static let damage = "this is not a value"
  private static let olderDamage = "this is not a value either"

  init(_ beginning: Beginning, at url: URL) throws {
    self.url = url
    self.beginning = beginning
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    guard beginning == .damaged else { return }
    try write(Self.damage, to: Self.name)
    try write(Self.olderDamage, to: "\(Self.name).damaged-1")
    try write("{", to: "\(Self.name).tmp-1-1")
  }

  var file: URL { url.appending(path: Self.name) }

  func remove() { try? FileManager.default.removeItem(at: url) }

  private func write(_ text: String, to name: String) throws {
    try text.write(to: url.appending(path: name), atomically: false, encoding: .utf8)
  }

  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }

  var hasTemporaryFile: Bool { (try? names().contains { $0.contains(".tmp-") }) ?? false }

  /// Returns what is unexpected after a store was opened and closed, or `nil`.
  func violation() throws -> String? {
    let names = try names()
    let damaged = names.filter { $0.hasPrefix("\(Self.name).damaged-") }
    let others = names.filter { !damaged.contains($0) && $0 != Self.name && $0 != "\(Self.name).lock" }
    guard others.isEmpty else { return "unexpected files are left: \(others.joined(separator: ", "))" }
    let texts = try damaged.map {
      try String(contentsOfFile: url.appending(path: $0).path, encoding: .utf8)
    }
    switch beginning {
    case .empty: return damaged.isEmpty ? nil : "a damaged file was found: \(damaged.joined(separator: ", "))"
    case .damaged:
      // A crash between the two steps of setting a file aside leaves it with two names.
      guard texts.contains(Self.damage), texts.contains(Self.olderDamage),
        texts.allSatisfy({ [Self.damage, Self.olderDamage].contains($0) })
      else { return "a damaged file was lost or changed: \(texts)" }
      return nil
    }
  }
}
