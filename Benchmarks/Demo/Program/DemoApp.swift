import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels

/// The demo without a terminal: it takes keys and returns frames.
///
/// The app owns the session of one stage. A switch of the stage releases the session, and creates the next one on the same server.
@MainActor
final class DemoApp {
  private let server: LoopbackHTTPServer
  private let url: URL
  private var stage: MigrationStage
  private var session: (any StorefrontSession)?
  private var output = SessionOutput()
  private var earlier: (stage: MigrationStage, meter: LiveMeter)?
  /// Whether something of the earlier stage was alive at the last frame.
  private var isReleasing = false

  private var screen = Screen.list
  private var origin = Screen.list
  private var selections: [Screen: Int] = [:]
  private var fault = DemoFault.none
  private var log: [String] = []
  private var prices = SplitMix64(seed: 1)
  private var shownPanel: SidePanel?

  var size: TerminalSize { didSet { output.isChanged = true } }
  var statistics = FrameStatistics()
  private(set) var hasQuit = false

  /// Starts the server, and the view models of `stage`.
  init(stage: MigrationStage, size: TerminalSize, catalog: Catalog) throws {
    server = LoopbackHTTPServer(catalog: catalog)
    url = try server.start()
    server.storeUpdates()
    self.stage = stage
    self.size = size
    session = try stage.session.init(server: url, output: output)
    note("\(stage) stage started")
  }

  /// Whether a frame would show something else than the last frame.
  var needsFrame: Bool { output.isChanged || shownPanel != panel }

  /// Returns the frame of this moment.
  func frame() -> ScreenGrid {
    if let earlier, isReleasing, earlier.meter.counts.isZero {
      isReleasing = false
      note("\(earlier.stage) is released")
    }
    output.isChanged = false
    shownPanel = panel
    return DemoFrame(
      size: size, screen: screen, input: input, panel: panel, statistics: statistics, notice: output.notice
    ).grid
  }

  private var input: ScreenInput {
    var input = ScreenInput(
      states: output.states, selection: 0, post: output.post, prompt: output.prompts.first)
    input.selection = max(0, min(selections[screen] ?? 0, screen.content.itemCount(input) - 1))
    return input
  }

  private var panel: SidePanel {
    SidePanel(
      current: SidePanel.Stage(stage: stage, counts: output.meter.counts),
      earlier: earlier.map { SidePanel.Stage(stage: $0.stage, counts: $0.meter.counts) },
      requestCount: server.requestCount, feedCount: server.feedCount, fault: fault, log: log)
  }

  private func note(_ event: String) { log = log.suffix(99) + [event] }

  // MARK: - Stage and faults

  /// Releases the view models, and creates those of another stage. The search text, the open product and the open post stay.
  func setStage(_ stage: MigrationStage) {
    let (query, detail) = (output.states.search.query, output.states.page?.detail)
    (earlier, isReleasing) = ((self.stage, output.meter), true)
    note("\(self.stage) → \(stage)")
    self.stage = stage
    session = nil
    let post = output.post
    output = SessionOutput()
    output.post = post
    do {
      let session = try stage.session.init(server: url, output: output)
      if !query.isEmpty { session.search(for: query) }
      if let detail { session.open(detail.itemID, from: detail.source) }
      self.session = session
    } catch {
      output.notice = Notice(error)
    }
  }

  func setFault(_ fault: DemoFault) {
    self.fault = fault
    fault.apply(to: server)
    note("fault: \(fault.rawValue)")
    output.notice = Notice("Fault \(fault.rawValue): \(fault.summary).")
  }

  /// Changes the price and the stock of the product that the user looks at, and sends the change to every reader of the feed.
  private func publishPrice() {
    let list = output.states.list.items
    let selected = list.indices.contains(selections[.list] ?? 0) ? list[selections[.list] ?? 0].id : nil
    let id = output.states.page?.detail.itemID ?? selected
    guard let product = id.flatMap(server.catalog.product) else { return }
    // Divided first if the product of a catalog is so expensive that the multiplication would overflow.
    let (units, percent) = (product.price.minorUnits, prices.next(in: 70...130))
    let price = Money(
      minorUnits: units < .max / 200 ? units * percent / 100 : units / 200 * percent,
      currency: product.price.currency)
    server.publish(ProductUpdate(product: product.id, price: price, stock: prices.next(in: 0...250)))
    note("price of \(product.id): \(price)")
    output.notice = Notice("The server changed the price of \(product.name) to \(price).")
  }

  // MARK: - Keys

  func handle(_ key: Key) {
    output.notice = nil
    switch key {
    case .control("c"): hasQuit = true
    case .control("s"): setStage(stage.next)
    case .control("f"): setFault(fault.next)
    case .control("r"): session?.reload(screen)
    case .control("p"): publishPrice()
    case .tab: show(screen.next)
    case .backTab: show(screen.previous)
    default: handleOnScreen(key)
    }
  }

  private func handleOnScreen(_ key: Key) {
    var input = input
    if let session {
      input.states.search = session.searchState
      input.states.profile = session.profileState
    }
    let action = screen.content.action(for: key, input)
    move(key, from: input)
    if let action { return perform(action) }
    guard !screen.content.takesText, case .character(let character) = key else { return }
    if character == "q" { hasQuit = true }
    if let screen = character.wholeNumberValue.flatMap(Screen.init) { show(screen) }
  }

  private func show(_ screen: Screen) {
    self.screen = screen
    output.isChanged = true
  }

  private func move(_ key: Key, from input: ScreenInput) {
    let page = DemoFrame.contentRows(size) - 3
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
    selections[screen] = max(0, min(position, last))
    output.isChanged = true
  }

  private func perform(_ action: ScreenAction) {
    switch action {
    case .loadNextPage: session?.loadNextPage()
    case .loadNextPosts: session?.loadNextPosts()
    case .search(let query):
      selections[.search] = 0
      session?.search(for: query)
    case .submitSearch: session?.submitSearch()
    case .loadNextHits: session?.loadNextHits()
    case .open(let id, let source):
      origin = screen
      session?.open(id, from: source)
      show(.detail)
    case .close: close()
    case .add(let product):
      if screen != .cart { output.notice = Notice("Added to the cart: \(product.name).") }
      if screen == .detail { session?.addOpenProduct() } else { session?.add(product) }
    case .setQuantity(let quantity, let id): session?.setQuantity(quantity, of: id)
    case .edit(let field, let text): session?.edit(field, to: text)
    case .saveProfile: session?.saveProfile()
    case .resolve(let choice): session?.resolve(choice)
    case .select(let id): session?.select(id)
    case .delete(let id): session?.delete(id)
    case .choose(let button):
      output.prompts.removeFirst()
      if let action = button.action { session?.perform(action) }
    }
  }

  private func close() {
    output.post = nil
    guard screen == .detail else { return }
    session?.closeDetail()
    show(origin)
  }
}

extension CaseIterable where Self: Equatable, AllCases.Index == Int {
  /// The case after this one. After the last case follows the first.
  fileprivate var next: Self {
    let cases = Self.allCases
    let index = cases.firstIndex(of: self).map { $0 + 1 } ?? 0
    return cases[index == cases.count ? 0 : index]
  }
}
