import AsyncViewModels
import StorefrontDomain
import StorefrontServices

/// Opens the file after a child was killed, and checks what the child has left.
enum Inspection {
  /// Returns the first violation, or `nil`.
  ///
  /// The lock must be free. The file must contain the complete last value that was reported as saved, or a complete newer
  /// value that the child was about to save. The store must be able to save the next value. Afterward, only the file, its lock and
  /// damaged files from before the run may be left.
  static func violation(in folder: Folder, after report: ChildReport) throws -> String? {
    guard report.failures.isEmpty else { return report.failures.joined(separator: "\n") }
    let stored: StoredValue<GrowingValue>
    do { stored = try next(report.begun + 1, in: folder) } catch {
      return "the store cannot be used: \(error)"
    }
    if folder.beginning == .empty, let damaged = stored.damagedFile {
      return "the file is damaged: \(damaged.reason)"
    }
    if let value = stored.value, !value.isWhole { return "value \(value.number) is incomplete" }
    let number = stored.value?.number ?? 0
    guard (report.saved...max(report.saved, report.begun)).contains(number) else {
      return "the file contains value \(number), but \(report.saved) was saved and \(report.begun) was begun"
    }
    return try folder.violation()
  }

  /// Loads the value, and saves the next one.
  private static func next(_ number: Int, in folder: Folder) throws -> StoredValue<GrowingValue> {
    let store = try FileStore<GrowingValue>(at: folder.file)
    let stored = try blocking { store.load(completion: $0) }
    try blocking { store.save(GrowingValue(number), completion: $0) }
    try blocking { store.close(completion: $0) }
    return stored
  }
}
