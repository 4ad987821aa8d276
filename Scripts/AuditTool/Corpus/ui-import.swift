//// hazard: view model makes colors
import UIKit  // ← here

final class StatusViewModel {
  var isOnline = false
  var color: UIColor { isOnline ? .systemGreen : .systemGray }
}

//// hazard: presenter returns a SwiftUI image
import Foundation
import SwiftUI  // ← here

final class AvatarPresenter {
  func icon(for user: User) -> Image { Image(systemName: user.isAdmin ? "star" : "person") }
}

//// hazard: interface of a model in an AppKit app
import AppKit  // ← here

@MainActor
final class DocumentViewModel {
  private(set) var title = ""
  func alert() -> NSAlert { NSAlert() }
}

//// hazard: view model presents a controller
import UIKit  // ← here

class LoginViewModel: NSObject {
  weak var host: UIViewController?

  func failed(_ message: String) {
    let alert = UIAlertController(title: "Login", message: message, preferredStyle: .alert)
    host?.present(alert, animated: true)
  }
}

//// hazard: observable model with a navigation path
import SwiftUI  // ← here

@Observable
final class CheckoutModel {
  var path = NavigationPath()
  var tint = Color.blue
}

//// harmless: a controller imports UIKit
import UIKit

final class StatusViewController: UIViewController {
  private let label = UILabel()
}

//// harmless: view model with Foundation only
import Foundation

final class StatusViewModel {
  var isOnline = false
  var colorName: String { isOnline ? "green" : "gray" }
}

//// harmless: Combine and Observation are no UI frameworks
import Combine
import Observation

@Observable
final class CheckoutModel {
  var steps: [String] = []
}

//// harmless: a view with a value that has Model in its name
import SwiftUI

struct BadgeModel { let count: Int }

struct BadgeView: View {
  let model: BadgeModel
  var body: some View { Text("\(model.count)") }
}

//// harmless: a service that draws
import UIKit

final class ThumbnailRenderer {
  func draw(_ text: String, size: CGSize) -> UIImage {
    UIGraphicsImageRenderer(size: size).image { _ in
      (text as NSString).draw(at: .zero, withAttributes: nil)
    }
  }
}
