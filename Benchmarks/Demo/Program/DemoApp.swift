import AsyncViewModelsTesting
import AsyncViewModelsUI
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels

/// The demo without a terminal: it takes keys and returns frames.
///
/// The app owns the stage that runs. A switch of the stage ends it, and starts the next one on the
/// same server.
@MainActor
final class DemoApp {
  private let server: LoopbackHTTPServer
  private let url: URL
  private let navigation = NavigationModel(
    NavigationTree(.tabs(Screen.roots.map { .stack($0) })), links: .storefront)
  private var running: RunningStage
  private var earlier: (stage: MigrationStage, meter: LiveMeter, draws: SearchDraws)?
  private var earlierStatistics: FrameStatistics?
  /// Whether something of the earlier stage was alive at the last frame.
  private var isReleasing = false

  private var fault = DemoFault.none
  private var log: [String] = []
  private var prices = SplitMix64(seed: 1)
  private var shownPanel: SidePanel?
  private weak var shownScreen: FeatureScreen?
  private var shownAlert: NavigationAlert?

  var size: TerminalSize {
    didSet {
      running.resize(to: size)
      output.isChanged = true
    }
  }
  /// The frames of the running stage.
  var statistics = FrameStatistics()
  private(set) var hasQuit = false

  /// Starts the server, and the view models of `stage`.
  init(stage: MigrationStage, size: TerminalSize, catalog: Catalog) throws {
    server = LoopbackHTTPServer(catalog: catalog)
    url = try server.start()
    server.storeUpdates()
    self.size = size
    running = try RunningStage(stage, server: url, navigation: navigation, size: size)
    note("\(stage) stage started")
  }

  private var output: SessionOutput { running.output }
  private var session: any StorefrontSession { running.session }
  private var window: WindowScreen { running.window }
  /// The screen that takes the keys.
  private var screen: Screen { window.front.screen }

  /// Whether a frame would show something else than the last frame.
  var needsFrame: Bool {
    output.isChanged || shownScreen !== window.front || shownAlert != navigation.tree.alert
      || shownPanel != panel
  }

  /// Returns the frame of this moment.
  func frame() -> ScreenGrid {
    if let earlier, isReleasing, earlier.meter.counts.isZero {
      isReleasing = false
      note("\(earlier.stage) is released")
    }
    output.isChanged = false
    (shownScreen, shownAlert, shownPanel) = (window.front, navigation.tree.alert, panel)
    return DemoFrame(
      size: size, tab: window.tab, screen: screen, lines: size.isLargeEnough ? window.front.lines : [],
      cartCount: output.states.cart.cart.itemCount, panel: panel, statistics: statistics,
      earlierStatistics: earlierStatistics, alert: shownAlert.map { Prompt(alert: $0.state, isOffer: false) },
      notice: output.notice
    ).grid
  }

  private var panel: SidePanel {
    SidePanel(
      current: SidePanel.Stage(
        stage: running.stage, counts: output.meter.counts, draws: output.draws),
      earlier: earlier.map {
        SidePanel.Stage(stage: $0.stage, counts: $0.meter.counts, draws: $0.draws)
      },
      requestCount: server.requestCount, feedCount: server.feedCount, fault: fault, log: log)
  }

  private func note(_ event: String) { log = log.suffix(99) + [event] }

  // MARK: - Stage and faults

  /// Releases the view models and the screens, and creates those of another stage. The search text,
  /// the second screen, slow drawing, the tab, the open product or sheet, the open post and the
  /// selected rows stay.
  func setStage(_ stage: MigrationStage) {
    let old = running
    do {
      running = try RunningStage(stage, server: url, navigation: navigation, size: size)
    } catch {
      old.output.notice = Notice(error)
      return
    }
    (output.post, output.selections) = (old.output.post, old.output.selections)
    (output.typedQuantity, output.isSlow) = (old.output.typedQuantity, old.output.isSlow)
    if old.hasSecondScreen { running.openSecondScreen() }
    if let query = old.output.typedQuery, !query.isEmpty { search(for: query) }
    (earlier, isReleasing) = ((old.stage, old.output.meter, old.output.draws), true)
    (earlierStatistics, statistics) = (statistics, FrameStatistics())
    note("\(old.stage) → \(stage)")
    old.end()
  }

  func setFault(_ fault: DemoFault) {
    self.fault = fault
    fault.apply(to: server)
    note("fault: \(fault.rawValue)")
    output.notice = Notice("Fault \(fault.rawValue): \(fault.summary).")
  }

  /// Changes the price and the stock of the product that the user looks at, and sends the change to
  /// every reader of the feed.
  private func publishPrice() {
    let list = output.states.list.items
    let row = output.selections[.list] ?? 0
    let selected = list.indices.contains(row) ? list[row].id : nil
    let id = output.states.page?.detail.itemID ?? selected
    guard let product = id.flatMap(server.catalog.product) else { return }
    // Divided first if the product of a catalog is so expensive that the multiplication would
    // overflow.
    let (units, percent) = (product.price.minorUnits, prices.next(in: 70...130))
    let price = Money(
      minorUnits: units < .max / 200 ? units * percent / 100 : units / 200 * percent,
      currency: product.price.currency)
    server.publish(ProductUpdate(product: product.id, price: price, stock: prices.next(in: 0...250)))
    note("price of \(product.id): \(price)")
    output.notice = Notice("The server changed the price of \(product.name) to \(price).")
  }

  private func search(for query: String) {
    output.typedQuery = query
    session.search(for: query)
  }

  private func toggleSecondScreen() {
    if running.hasSecondScreen { running.closeSecondScreen() } else { running.openSecondScreen() }
    let isOpen = running.hasSecondScreen
    note("second screen: \(isOpen ? "on" : "off")")
    output.notice = Notice(
      isOpen ? "A second screen observes this search. Type a text." : "The second screen is closed.")
  }

  private func toggleSlowDrawing() {
    output.isSlow.toggle()
    note("slow drawing: \(output.isSlow ? "on" : "off")")
    output.notice = Notice(
      output.isSlow
        ? "A state of the search takes \(SessionOutput.slowDrawing) ms to draw. Type fast, or paste a text."
        : "The search is drawn fast again.")
  }

  /// Asks for the quantity of a product in the cart. The stage that runs at the answer sets it.
  private func askQuantity(of id: CatalogProduct.ID) {
    output.typedQuantity = ""
    Task { [navigation, weak self] in
      guard let quantity = await navigation.present(.quantity(of: id)) else { return }
      self?.session.setQuantity(quantity, of: id)
    }
  }

  // MARK: - Keys

  func handle(_ key: Key) {
    output.notice = nil
    switch key {
    case .control("c"): hasQuit = true
    case .control("s"): setStage(running.stage.next)
    case .control("f"): setFault(fault.next)
    case .control("r"): session.reload(screen)
    case .control("p"): publishPrice()
    case .tab: showTab(at: window.tab.rawValue)
    case .backTab: showTab(at: window.tab.rawValue - 2)
    default: handleOnScreen(key)
    }
  }

  private func handleOnScreen(_ key: Key) {
    if let alert = navigation.tree.alert {
      let prompt = Prompt(alert: alert.state, isOffer: false)
      if let button = prompt.button(for: key) { navigation.tap(button.action, in: alert) }
      return
    }
    let screen = screen
    var input = window.front.input
    (input.states.search, input.states.profile) = (session.searchState, session.profileState)
    let action = screen.content.action(for: key, input)
    move(key, from: input)
    if let action { return perform(action) }
    guard !screen.content.takesText, case .character(let character) = key else { return }
    if character == "q" { hasQuit = true }
    if let digit = character.wholeNumberValue, Screen.tabs.indices ~= digit - 1 { showTab(at: digit - 1) }
  }

  /// Shows the tab at an index. The first tab follows the last one.
  private func showTab(at index: Int) {
    window.show(Screen.tabs[(index + Screen.tabs.count) % Screen.tabs.count])
    output.isChanged = true
  }

  private func move(_ key: Key, from input: ScreenInput) {
    let page = DemoFrame.contentSize(size).rows - 3
    let last = screen.content.itemCount(input) - 1
    let position: Int
    switch key {
    case .up: position = input.selection - 1
    case .down: position = input.selection + 1
    case .pageUp: position = input.selection - page
    case .pageDown: position = input.selection + page
    case .home: position = 0
    case .end: position = last
    default: return
    }
    output.selections[screen] = max(0, min(position, last))
  }

  private func perform(_ action: ScreenAction) {
    switch action {
    case .loadNextPage: session.loadNextPage()
    case .loadNextPosts: session.loadNextPosts()
    case .search(let query):
      output.selections[.search] = 0
      search(for: query)
    case .toggleSecondScreen: toggleSecondScreen()
    case .toggleSlowDrawing: toggleSlowDrawing()
    case .submitSearch: session.submitSearch()
    case .loadNextHits: session.loadNextHits()
    case .open(let id, let source):
      // A second key before the page is shown opens no second page.
      if navigation.tree.front.routes.isEmpty { navigation.push(.product(id, source: source)) }
    case .close:
      output.post = nil
      window.closeFront()
    case .add(let product):
      if screen != .cart { output.notice = Notice("Added to the cart: \(product.name).") }
      if screen == .detail { session.addOpenProduct() } else { session.add(product) }
    case .setQuantity(let quantity, let id): session.setQuantity(quantity, of: id)
    case .askQuantity(let id): askQuantity(of: id)
    case .typeQuantity(let text): output.typedQuantity = text
    case .finishQuantity(let quantity):
      if case .quantity(let id) = window.front.entry?.route {
        window.finish(.quantity(of: id), with: quantity)
      }
    case .edit(let field, let text): session.edit(field, to: text)
    case .saveProfile: session.saveProfile()
    case .resolve(let choice): session.resolve(choice)
    case .select(let id): session.select(id)
    case .delete(let id): session.delete(id)
    case .choose(let button):
      output.offer = nil
      if let action = button.action { session.perform(action) }
    }
  }
}

extension ResultRoute where Route == StorefrontRoute, Result == Int {
  /// The sheet that asks for the quantity of a product in the cart.
  fileprivate static func quantity(of id: CatalogProduct.ID) -> Self { Self(.quantity(of: id)) }
}

extension CaseIterable where Self: Equatable, AllCases.Index == Int {
  /// The case after this one. After the last case follows the first.
  fileprivate var next: Self {
    let cases = Self.allCases
    let index = cases.firstIndex(of: self).map { $0 + 1 } ?? 0
    return cases[index == cases.count ? 0 : index]
  }
}
