//// hazard: inline initial value
import SwiftUI

struct TimerView: View {
  @ObservedObject var model = TimerModel()  // ← here

  var body: some View {
    Text("\(model.seconds)")
  }
}

//// hazard: private property with a type annotation
import SwiftUI

struct LoginForm: View {
  @ObservedObject private var viewModel: LoginViewModel = LoginViewModel(service: .live)  // ← here
  @State private var name = ""

  var body: some View {
    TextField("Name", text: $name)
  }
}

//// hazard: initialized in init
import SwiftUI

struct ArticleView: View {
  @ObservedObject var loader: ArticleLoader

  init(id: Int) {
    self.loader = ArticleLoader(id: id)  // ← here
  }

  var body: some View { Text(loader.title) }
}

//// hazard: underscore form in init
import SwiftUI

struct RatingView: View {
  @ObservedObject private var store: RatingStore

  init(product: String, initial: Int = 0) {
    _store = ObservedObject(wrappedValue: RatingStore(product: product, stars: initial))  // ← here
  }

  var body: some View { Text("\(store.stars)") }
}

//// hazard: default argument of the initializer owns it
import SwiftUI

public struct DownloadsView: View {
  @ObservedObject public var manager: DownloadManager

  public init(manager: DownloadManager = DownloadManager()) {  // ← here
    self.manager = manager
  }

  public var body: some View { List(manager.items) { Text($0.name) } }
}

//// hazard: attribute on the line before
import SwiftUI

struct WeatherCard: View {
  @ObservedObject
  var weather = WeatherFetcher.make(city: "Bern")  // ← here

  var body: some View { Text(weather.summary) }
}

//// harmless: the parent passes it
import SwiftUI

struct TimerView: View {
  @ObservedObject var model: TimerModel

  var body: some View { Text("\(model.seconds)") }
}

//// harmless: shared instance that lives with the app
import SwiftUI

struct StatusBar: View {
  @ObservedObject private var session = Session.shared

  var body: some View { Text(session.userName) }
}

//// harmless: state object owns it
import SwiftUI

struct LoginForm: View {
  @StateObject private var viewModel = LoginViewModel()

  var body: some View { TextField("Name", text: $viewModel.name) }
}

//// harmless: init takes the model
import SwiftUI

struct ArticleView: View {
  @ObservedObject private var loader: ArticleLoader

  init(loader: ArticleLoader) {
    self.loader = loader
  }

  var body: some View { Text(loader.title) }
}

//// harmless: environment object
import SwiftUI

struct CartButton: View {
  @EnvironmentObject var cart: CartStore

  var body: some View { Text("\(cart.count)") }
}
