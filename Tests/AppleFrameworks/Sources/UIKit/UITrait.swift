/// A property of the environment of a view. Its type is its key.
public protocol UITraitDefinition {
  associatedtype Value
  static var defaultValue: Value { get }
}

/// The key of a trait.
public typealias UITrait = any UITraitDefinition.Type

public struct UITraitHorizontalSizeClass: UITraitDefinition, Sendable {
  public static let defaultValue = UIUserInterfaceSizeClass.unspecified
}

public struct UITraitVerticalSizeClass: UITraitDefinition, Sendable {
  public static let defaultValue = UIUserInterfaceSizeClass.unspecified
}

public struct UITraitUserInterfaceStyle: UITraitDefinition, Sendable {
  public static let defaultValue = UIUserInterfaceStyle.unspecified
}

/// Traits that can be changed.
public protocol UIMutableTraits {
  var horizontalSizeClass: UIUserInterfaceSizeClass { get set }
  var verticalSizeClass: UIUserInterfaceSizeClass { get set }
  var userInterfaceStyle: UIUserInterfaceStyle { get set }
}

/// The values of all traits of the stand-in.
struct TraitValues: UIMutableTraits, Hashable, Sendable {
  var horizontalSizeClass = UITraitHorizontalSizeClass.defaultValue
  var verticalSizeClass = UITraitVerticalSizeClass.defaultValue
  var userInterfaceStyle = UITraitUserInterfaceStyle.defaultValue

  func differ(from other: TraitValues, in trait: UITrait) -> Bool {
    if trait == UITraitHorizontalSizeClass.self { return horizontalSizeClass != other.horizontalSizeClass }
    if trait == UITraitVerticalSizeClass.self { return verticalSizeClass != other.verticalSizeClass }
    if trait == UITraitUserInterfaceStyle.self { return userInterfaceStyle != other.userInterfaceStyle }
    return false
  }
}
