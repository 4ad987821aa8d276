public import Foundation
public import ListSnapshots

/// `ListSnapshots` itself imports nothing.
extension ListSnapshotError: LocalizedError {
  public var errorDescription: String? { description }
}
