#if canImport(UIKit) && os(Linux)
  import Testing

  /// The tests of the parts for UIKit. They share the animations of the stand-in, so they run one at a time.
  @Suite("UIKit", .serialized, .timeLimit(.minutes(5)))
  enum UIKitTests {}
#endif
