//// hazard: observed view gets a new model in body
import SwiftUI

struct HomeView: View {
  let service: FeedService

  var body: some View {
    VStack {
      Text("Home")
      FeedView(viewModel: FeedViewModel(service: service))  // ← here
    }
  }
}
struct FeedView: View {
  @ObservedObject var viewModel: FeedViewModel
  var body: some View { EmptyView() }
}

//// hazard: navigation link creates the model of its destination
import SwiftUI

struct ContactList: View {
  let contacts: [Contact]

  var body: some View {
    List(contacts) { contact in
      NavigationLink(contact.name) {
        ContactDetail(model: ContactDetailModel(contact: contact))  // ← here
      }
    }
  }
}
struct ContactDetail: View {
  @ObservedObject var model: ContactDetailModel
  var body: some View { EmptyView() }
}

//// hazard: sheet builds its view model
import SwiftUI

struct SettingsScreen: View {
  @State private var showsAccount = false
  var api: AccountAPI

  var body: some View {
    Button("Account") { showsAccount = true }
      .sheet(isPresented: $showsAccount) {
        let viewModel = AccountViewModel(api: api)  // ← here
        AccountView(viewModel: viewModel)
      }
  }
}
struct AccountView: View {
  @ObservedObject var viewModel: AccountViewModel
  var body: some View { EmptyView() }
}

//// hazard: computed property returns a new model each time
import SwiftUI

struct PlayerView: View {
  let track: Track

  private var viewModel: PlayerViewModel {
    PlayerViewModel(track: track)  // ← here
  }

  var body: some View {
    Button("Play") { viewModel.play() }
  }
}

//// hazard: view builder function of a tab
import SwiftUI

struct MainTabs: View {
  let container: Container

  var body: some View {
    TabView {
      profileTab
      settingsTab()
    }
  }

  @ViewBuilder private var profileTab: some View {
    Text("Profile")
  }

  @ViewBuilder private func settingsTab() -> some View {
    SettingsView(store: SettingsViewModel(container.defaults))  // ← here
  }
}
struct SettingsView: View {
  @ObservedObject var store: SettingsViewModel
  var body: some View { EmptyView() }
}

//// hazard: navigation destination of a stack
import SwiftUI

struct ShopView: View {
  @State private var path: [Product] = []

  var body: some View {
    NavigationStack(path: $path) {
      ProductGrid(path: $path)
        .navigationDestination(for: Product.self) { product in
          ProductView(presenter: ProductPresenter(product))  // ← here
        }
    }
  }
}
struct ProductView: View {
  @ObservedObject var presenter: ProductPresenter
  var body: some View { EmptyView() }
}

//// harmless: state object creates it once
import SwiftUI

struct FeedView: View {
  @StateObject private var viewModel: FeedViewModel

  init(service: FeedService) {
    _viewModel = StateObject(wrappedValue: FeedViewModel(service: service))
  }

  var body: some View {
    List(viewModel.posts) { Text($0.title) }
  }
}

//// harmless: observable model in a state property
import SwiftUI

struct PlayerView: View {
  @State private var model = PlayerModel()

  var body: some View {
    Button("Play") { model.play() }
  }
}

//// harmless: the action of a button makes a model once per tap
import SwiftUI

struct InboxView: View {
  @State private var composer: ComposeViewModel?
  let mail: MailService

  var body: some View {
    Button("New message") {
      composer = ComposeViewModel(mail: mail)
    }
    .sheet(item: $composer) { composer in
      ComposeView(viewModel: composer)
    }
  }
}

//// harmless: row data is a value with Model in its name
import SwiftUI

struct RowModel {
  let title: String
}

struct ContactList: View {
  let names: [String]

  var body: some View {
    List(names, id: \.self) { name in
      ContactRow(model: RowModel(title: name))
    }
  }
}

//// harmless: destination owns its model
import SwiftUI

struct ShopView: View {
  let products: [Product]

  var body: some View {
    NavigationStack {
      List(products) { product in
        NavigationLink(product.name, value: product)
      }
      .navigationDestination(for: Product.self) { product in
        ProductView(product: product)
      }
    }
  }
}

//// harmless: preview makes its own model
import SwiftUI

struct FeedView: View {
  @ObservedObject var viewModel: FeedViewModel

  var body: some View {
    List(viewModel.posts) { Text($0.title) }
  }
}

struct FeedView_Previews: PreviewProvider {
  static var previews: some View {
    FeedView(viewModel: FeedViewModel(service: .preview))
  }
}

//// harmless: the action of a button of the app
struct ChevronButton: View {
  private let action: () -> Void
  init(_ title: String, action: @escaping () -> Void) { self.action = action }
  init(action: @escaping () -> Void, @ViewBuilder label: () -> Label) { self.action = action }
  var body: some View { Button("x", action: action) }
}
struct PlainRow: View {
  let title: String
  let select: (() -> Void)?
  var body: some View { Button(title) { select?() } }
}
struct EditorView: View {
  let router: Router
  var body: some View {
    List {
      ChevronButton("Images") { router.route(to: .images(viewModel: ImageViewModel(item: 1))) }
      PlainRow(title: "Texts", select: { router.open(ImageViewModel(item: 2)) })
      row("Sounds") { router.open(ImageViewModel(item: 3)) }
      ProminentButton("Films") { router.open(ImageViewModel(item: 4)) }
    }
  }
  private func row(_ title: String, whenChosen: @escaping () -> Void) -> some View {
    Button(title, action: whenChosen)
  }
}

//// harmless: a view that is not in the scope can keep the model
struct HelpView: View {
  @State private var isShown = false
  var body: some View {
    Button("Help") { isShown = true }
      .sheet(isPresented: $isShown) {
        let model = SupportFormViewModel()
        SupportForm(viewModel: model)
      }
      .fullScreenCover(isPresented: $isShown) { SupportForm(viewModel: SupportFormViewModel()) }
  }
}

//// hazard: the content of a container of the app
struct Card<Content: View>: View {
  let content: Content
  init(@ViewBuilder content: () -> Content) { self.content = content() }
  var body: some View { content }
}
struct FrontView: View {
  var body: some View {
    Card { StoryView(viewModel: StoryViewModel()) }  // ← here
  }
}
struct StoryView: View {
  @ObservedObject var viewModel: StoryViewModel
  var body: some View { EmptyView() }
}

//// harmless: a state object takes the closure that makes its model
struct LibraryRoot: View {
  let library: Library
  var body: some View {
    ItemList { ItemListViewModel(library: library) }
      .sheet(isPresented: .constant(true)) {
        ItemSettings(title: "Settings", make: { ItemSettingsViewModel(library: library) })
      }
  }
}
struct ItemList: View {
  @StateObject private var model: ItemListViewModel
  init(initModel: @escaping () -> ItemListViewModel) { self._model = .init(wrappedValue: initModel()) }
  var body: some View { List(model.items) { Text($0.title) } }
}
struct ItemSettings<VM: SettingsModel>: View {
  @StateObject private var settings: VM
  let title: String
  init(title: String, make: @escaping () -> VM) {
    self.title = title
    let first = make()
    _settings = StateObject(wrappedValue: first)
  }
  var body: some View { Text(title) }
}

//// harmless: an initializer gives its argument to a state object
struct StudioView: View {
  var body: some View { MixerView(source: MixerViewModel()) }
}
struct MixerView: View {
  @StateObject private var mixer: MixerViewModel
  init(source: @autoclosure @escaping () -> MixerViewModel) { _mixer = StateObject(wrappedValue: source()) }
  var body: some View { EmptyView() }
}

//// hazard: a closure makes the model of an observed object
struct ShelfRoot: View {
  var body: some View {
    ShelfView { ShelfViewModel() }  // ← here
  }
}
struct ShelfView: View {
  @ObservedObject private var model: ShelfViewModel
  init(initModel: @escaping () -> ShelfViewModel) { self._model = .init(wrappedValue: initModel()) }
  var body: some View { List(model.books) { Text($0.title) } }
}

//// hazard: a view keeps the closure and calls it again
struct DrawerRoot: View {
  var body: some View {
    DrawerView(make: { DrawerViewModel() })  // ← here
  }
}
struct DrawerView: View {
  @StateObject private var first: DrawerViewModel
  let make: () -> DrawerViewModel
  init(make: @escaping () -> DrawerViewModel) {
    _first = StateObject(wrappedValue: make())
    self.make = make
  }
  var body: some View { DrawerContent(model: make()) }
}
