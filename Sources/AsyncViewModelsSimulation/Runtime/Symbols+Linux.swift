#if !canImport(Darwin)
  import Foundation

  /// Looks up symbols of the libraries in this process.
  enum Symbols {
    static func address(of name: String) -> UnsafeMutableRawPointer? { unsafe dlsym(nil, name) }
  }
#endif
