public import Foundation

/// The traits of an environment. A collection never changes.
open class UITraitCollection: NSObject, @unchecked Sendable {
  public typealias TraitMutations = (inout any UIMutableTraits) -> Void

  let values: TraitValues

  init(values: TraitValues) {
    self.values = values
    super.init()
  }

  public convenience override init() { self.init(values: TraitValues()) }

  public convenience init(horizontalSizeClass: UIUserInterfaceSizeClass) {
    self.init(values: TraitValues(horizontalSizeClass: horizontalSizeClass))
  }

  public convenience init(verticalSizeClass: UIUserInterfaceSizeClass) {
    self.init(values: TraitValues(verticalSizeClass: verticalSizeClass))
  }

  public convenience init(userInterfaceStyle: UIUserInterfaceStyle) {
    self.init(values: TraitValues(userInterfaceStyle: userInterfaceStyle))
  }

  /// Combines collections. The last specified value of a trait wins.
  public convenience init(traitsFrom traitCollections: [UITraitCollection]) {
    var values = TraitValues()
    for other in traitCollections.map({ $0.values }) {
      if other.horizontalSizeClass != .unspecified { values.horizontalSizeClass = other.horizontalSizeClass }
      if other.verticalSizeClass != .unspecified { values.verticalSizeClass = other.verticalSizeClass }
      if other.userInterfaceStyle != .unspecified { values.userInterfaceStyle = other.userInterfaceStyle }
    }
    self.init(values: values)
  }

  public convenience init(mutations: TraitMutations) {
    var traits: any UIMutableTraits = TraitValues()
    mutations(&traits)
    self.init(
      values: TraitValues(
        horizontalSizeClass: traits.horizontalSizeClass, verticalSizeClass: traits.verticalSizeClass,
        userInterfaceStyle: traits.userInterfaceStyle))
  }

  open var horizontalSizeClass: UIUserInterfaceSizeClass { values.horizontalSizeClass }
  open var verticalSizeClass: UIUserInterfaceSizeClass { values.verticalSizeClass }
  open var userInterfaceStyle: UIUserInterfaceStyle { values.userInterfaceStyle }

  open override func isEqual(_ object: Any?) -> Bool { (object as? UITraitCollection)?.values == values }

  open override var hash: Int { values.hashValue }

  /// The traits of a window, and of a controller that was in no window yet: a phone in portrait orientation.
  static let initial = UITraitCollection(
    values: TraitValues(
      horizontalSizeClass: .compact, verticalSizeClass: .regular, userInterfaceStyle: .light))
}
