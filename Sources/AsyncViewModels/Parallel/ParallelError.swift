/// What is wrong with a request to run things in parallel. Nothing was started.
public enum ParallelError: Error, Equatable {
  /// A limit below 1, under which nothing could ever run.
  case invalidLimit(Int)
  /// Two parts have this name: their results could not be told apart.
  case duplicateName(String)
}

extension ParallelError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalidLimit(let limit): "a concurrency limit is at least 1, not \(limit)"
    case .duplicateName(let name): "two parts have the name \(name)"
    }
  }
}

extension ParallelError {
  @inlinable
  static func check(limit: Int?) throws(ParallelError) {
    if let limit, limit < 1 { throw .invalidLimit(limit) }
  }
}
