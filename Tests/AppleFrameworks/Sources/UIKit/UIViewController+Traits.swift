extension UIViewController: UITraitChangeObservable {
  @discardableResult
  public func registerForTraitChanges<TraitEnvironment>(
    _ traits: [UITrait], handler: @escaping TraitChangeHandler<TraitEnvironment>
  ) -> any UITraitChangeRegistration where TraitEnvironment: UITraitEnvironment {
    let registration = TraitRegistration(traits: traits) { controller, previousTraits in
      guard let environment = controller as? TraitEnvironment else {
        preconditionFailure("A trait handler of \(type(of: controller)) expects a \(TraitEnvironment.self).")
      }
      handler(environment, previousTraits)
    }
    traitRegistrations.append(registration)
    return registration
  }

  public func unregisterForTraitChanges(_ registration: any UITraitChangeRegistration) {
    traitRegistrations.removeAll { $0 === registration }
  }

  /// How many handlers are registered. Only test code uses this property.
  public var traitRegistrationCount: Int { traitRegistrations.count }

  /// Takes the traits of the window. Calls the handlers of the traits that have changed.
  func update(to traits: UITraitCollection) {
    let previousTraits = traitStorage
    guard traits.values != previousTraits.values else { return }
    traitStorage = traits
    for registration in traitRegistrations
    where registration.traits.contains(where: { traits.values.differ(from: previousTraits.values, in: $0) }) {
      registration.handler(self, previousTraits)
    }
  }
}
