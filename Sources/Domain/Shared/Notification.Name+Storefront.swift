public import Foundation

extension Notification.Name {
  /// Posted by code that has changed the user's account without the view models, such as an old
  /// checkout.
  public static let storefrontAccountDidChange = Notification.Name("StorefrontAccountDidChange")
}
