public import Foundation

/// Why the load of a page failed although the service returned one.
public enum PagedItemsError: Error {
  /// The page adds no item, or its next page is the first one, although it is not the last one.
  case nothingNew
}

extension PagedItemsError: CustomStringConvertible, LocalizedError {
  public var description: String { "The service returned a page without a new item." }

  public var errorDescription: String? { description }
}
