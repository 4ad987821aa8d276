/// The toolchain with which the hooks of this folder were verified. They rely on details of the
/// concurrency runtime that another toolchain can change.
enum Toolchain {
  static let verified = "Swift 6.3"

  #if compiler(>=6.3) && compiler(<6.4)
    static let isVerified = true
  #else
    static let isVerified = false
  #endif
}
