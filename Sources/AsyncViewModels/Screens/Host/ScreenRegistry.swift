import Synchronization

/// Which screens have a host now: known in debug builds, for the sake of one precondition.
enum ScreenRegistry {
  #if DEBUG
    private static let screens = Mutex<Set<ObjectIdentifier>>([])
  #endif

  /// - Precondition: `screen` has no host.
  static func insert(_ screen: some HostedScreen) {
    #if DEBUG
      let isNew = screens.withLock { $0.insert(ObjectIdentifier(screen)).inserted }
      precondition(isNew, "ScreenHost: this \(type(of: screen)) has a host already")
    #endif
  }

  /// The host goes away. The screen, which it held, goes after that: its identifier is not given away before.
  static func remove(_ screen: some HostedScreen) {
    #if DEBUG
      _ = screens.withLock { $0.remove(ObjectIdentifier(screen)) }
    #endif
  }
}
