//// harmless: two actions of an alert answer, and a person takes one
import UIKit
import WebKit

final class PageDelegate: NSObject {
  func webView(
    _ webView: WKWebView, runJavaScriptConfirmPanelWithMessage message: String,
    completionHandler: @escaping (Bool) -> Void
  ) {
    let alert = UIAlertController(title: nil, message: message, preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "OK", style: .default, handler: { _ in completionHandler(true) }))
    alert.addAction(UIAlertAction(title: "Cancel", style: .cancel) { _ in completionHandler(false) })
    present(alert)
  }
}

//// hazard: the action answers, and the code after it answers as well
import UIKit

final class Confirmation {
  func ask(completion: @escaping (Bool) -> Void) {
    let alert = UIAlertController(title: nil, message: nil, preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "OK", style: .default) { _ in completion(true) })
    completion(false)  // ← here
  }
}

//// harmless: the alert answers, or the code that cannot show it
import UIKit

final class WebScreen: UIViewController {
  func confirm(_ message: String, completion: @escaping (Bool) -> Void) {
    let alert = UIAlertController(title: nil, message: message, preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "OK", style: .default) { _ in completion(true) })
    alert.addAction(UIAlertAction(title: "Cancel", style: .cancel) { _ in completion(false) })
    if presentedViewController != nil {
      completion(false)
    } else {
      present(alert, animated: true)
    }
  }
}

//// harmless: the guard answers if no screen can show the alert
import UIKit

final class DeletionPrompt {
  func ask(completion: @escaping (Bool) -> Void) {
    let alert = UIAlertController(title: "Delete?", message: nil, preferredStyle: .actionSheet)
    alert.addAction(UIAlertAction(title: "Delete", style: .destructive) { _ in completion(true) })
    guard let screen = UIApplication.shared.topScreen else {
      completion(false)
      return
    }
    screen.present(alert, animated: true)
  }
}

//// hazard: the code that cannot show the alert goes on to show it
import UIKit

final class RatingPrompt: UIViewController {
  func ask(completion: @escaping (Bool) -> Void) {
    let alert = UIAlertController(title: "Rate?", message: nil, preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "Rate", style: .default) { _ in completion(true) })
    if isBusy {
      completion(false)  // ← here
    }
    present(alert, animated: true)
  }
}

//// hazard: the alert is shown, and the branch answers as well
import UIKit

final class LogoutPrompt: UIViewController {
  func ask(completion: @escaping (Bool) -> Void) {
    let alert = UIAlertController(title: "Log out?", message: nil, preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "Log out", style: .default) { _ in completion(true) })
    if presentedViewController == nil {
      present(alert, animated: true)
      completion(false)  // ← here
    } else {
      completion(false)
    }
  }
}

//// harmless: a sheet calls the cancellation or the confirmation
import UIKit

final class MarkReadMenu {
  func makeAction(completion: @escaping (Bool) -> Void) -> UIAlertAction {
    let cancel = { completion(false) }
    return UIAlertAction(title: "Mark as Read", style: .default) { _ in
      Confirmation.show(in: self.window, cancelled: cancel) {
        self.mark()
        completion(true)
      }
    }
  }
}

//// hazard: a local closure answers, and the sheet answers as well
import UIKit

final class MuteMenu {
  func mute(completion: @escaping (Bool) -> Void) {
    let cancel = { completion(false) }
    cancel()
    Confirmation.show(in: window) {
      completion(true)  // ← here
    }
  }
}
