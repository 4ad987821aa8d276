public import Foundation

/// An object that calls handlers when its traits change.
@MainActor
public protocol UITraitChangeObservable {
  typealias TraitChangeHandler<TraitEnvironment> =
    (_ traitEnvironment: TraitEnvironment, _ previousTraitCollection: UITraitCollection) -> Void
  where TraitEnvironment: UITraitEnvironment

  /// Calls `handler` with this object and its previous traits, each time at least one of `traits` has
  /// changed. The registration ends with this object.
  @discardableResult
  func registerForTraitChanges<TraitEnvironment>(
    _ traits: [UITrait], handler: @escaping TraitChangeHandler<TraitEnvironment>
  ) -> any UITraitChangeRegistration where TraitEnvironment: UITraitEnvironment

  func unregisterForTraitChanges(_ registration: any UITraitChangeRegistration)
}

/// A registration for trait changes.
@MainActor
public protocol UITraitChangeRegistration: NSObjectProtocol {}

/// A registration of the stand-in.
@MainActor
final class TraitRegistration: NSObject, UITraitChangeRegistration {
  let traits: [UITrait]
  let handler: (UIViewController, UITraitCollection) -> Void

  init(traits: [UITrait], handler: @escaping (UIViewController, UITraitCollection) -> Void) {
    self.traits = traits
    self.handler = handler
    super.init()
  }
}
