public import Foundation

/// The app. The stand-in has only the notification of low memory.
@MainActor
open class UIApplication: UIResponder {
  /// Posted when memory is low.
  public nonisolated static let didReceiveMemoryWarningNotification =
    NSNotification.Name("UIApplicationDidReceiveMemoryWarningNotification")
}
