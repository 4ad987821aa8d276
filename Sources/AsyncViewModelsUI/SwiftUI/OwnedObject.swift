#if canImport(SwiftUI)
  import Combine
  import SwiftUI

  /// An object that a view owns. It is made for the first evaluation of the view, and again when
  /// its key changes.
  ///
  /// A view stores this in a `@StateObject`, which makes its object once with each version of
  /// Xcode. Before Xcode 27, a `@State` property evaluates its initial value each time SwiftUI
  /// describes the view. This object never announces a change: the view is being evaluated when the
  /// key changes.
  @MainActor
  final class OwnedObject<Object: AnyObject>: ObservableObject {
    private var owned: (key: OwnedObjectKey, object: Object)?

    /// The object, if it has been made.
    var current: Object? { owned?.object }

    nonisolated init() {}

    /// Returns the object for a key, and makes it if the key has changed.
    @discardableResult
    func object(for key: OwnedObjectKey, _ make: @MainActor () -> Object) -> Object {
      if let owned, owned.key == key { return owned.object }
      let object = make()
      // The old object is released after the access has ended: its `deinit` can run any code.
      withExtendedLifetime(exchange(&owned, with: (key, object))) {}
      return object
    }
  }

  /// Identifies the source from which a view makes its object.
  ///
  /// It keeps the source, so that no other object can have the same address.
  @MainActor
  struct OwnedObjectKey: @MainActor Equatable {
    let source: AnyObject?
    let identity: AnyHashable?

    init(_ source: AnyObject?, _ identity: AnyHashable? = nil) {
      self.source = source
      self.identity = identity
    }

    static func == (left: OwnedObjectKey, right: OwnedObjectKey) -> Bool {
      left.source === right.source && left.identity == right.identity
    }
  }
#endif
