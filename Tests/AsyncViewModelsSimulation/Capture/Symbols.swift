#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The symbols of the libraries that this process is made of.
enum Symbols {
  static func address(of name: String) -> UnsafeMutableRawPointer? {
    #if canImport(Darwin)
      unsafe dlsym(UnsafeMutableRawPointer(bitPattern: -2), name)
    #else
      unsafe dlsym(nil, name)
    #endif
  }
}
