public import Foundation

extension RoutePath where Route: Codable {
  /// The path as data to be restored by ``init(restoring:version:)``. O(screens).
  ///
  /// - Parameter version: of the app's routes: it has to change whenever old data would be read as something else.
  /// - Throws: what a route throws when it encodes itself.
  public func archived(version: Int) throws -> Data {
    try JSONEncoder().encode(Archive(version: version, routes: routes))
  }

  /// The path that ``archived(version:)`` has made of another. O(size of the data).
  ///
  /// - Throws: ``RoutePathRestorationError``. A version other than this one is found before the routes are looked at, so that they need not
  ///   make sense.
  public init(restoring data: Data, version: Int) throws(RoutePathRestorationError) {
    let found: Int = try Self.reading { try JSONDecoder().decode(Header.self, from: data).version }
    guard found == version else { throw .otherVersion(found: found, expected: version) }
    self.init(try Self.reading { try JSONDecoder().decode(Archive.self, from: data).routes })
  }

  private static func reading<Value>(_ read: () throws -> Value) throws(RoutePathRestorationError) -> Value {
    do { return try read() } catch { throw .malformed(error.decodingReason) }
  }

  private struct Header: Decodable {
    let version: Int
  }

  private struct Archive: Codable {
    let version: Int
    let routes: [Route]
  }
}
