#if canImport(Darwin)
  import Foundation

  /// Looks up symbols of the libraries in this process.
  enum Symbols {
    static func address(of name: String) -> UnsafeMutableRawPointer? {
      // `RTLD_DEFAULT`, a macro that Swift does not import.
      unsafe dlsym(UnsafeMutableRawPointer(bitPattern: -2), name)
    }
  }
#endif
