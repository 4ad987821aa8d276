import AsyncViewModelsUI
import Foundation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

@testable import Benchmarks

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ScreenTests {
  nonisolated private static let sizes = [
    TerminalSize(columns: 80, rows: 24), TerminalSize(columns: 120, rows: 40),
    TerminalSize(columns: 200, rows: 60),
  ]

  @Test("no line of any screen is wider than the screen", arguments: Screen.allCases, sizes)
  func width(screen: Screen, size: TerminalSize) throws {
    for (name, input) in Self.inputs {
      var frame = try Self.frame(screen, input, size)
      if let offer = input.offer { frame.alert = Self.alert(like: offer) }
      let columns = size.columns - SidePanel.width(of: size.columns) - 4
      for line in frame.lines {
        #expect(line.columns <= columns, "\(name): \(line.cells.map(\.text).joined())")
      }
      let grid = frame.grid
      #expect(grid.text.count == size.rows)
      for row in grid.text { #expect(Glyph.columns(of: row) <= size.columns, "\(name): \(row)") }
    }
  }

  @Test("the text of a server cannot contain an escape sequence", arguments: Screen.allCases)
  func hostileText(screen: Screen) throws {
    let input = Self.loaded(name: Self.hostileName)
    var frame = try Self.frame(screen, input, .smallest)
    frame.alert = try Self.alert(like: #require(input.offer))
    let output = frame.grid.changes(from: nil)
    // The grid's own sequences move the cursor, clear the screen and select styles.
    let rest = output.replacing(/\u{1B}\[[0-9;]*[HmJ]/, with: "")
    #expect(!rest.unicodeScalars.contains { $0.properties.generalCategory == .control })
    #expect(!output.contains("\u{1B}[31m"))
  }

  @Test("the footer fits into 80 columns", arguments: Screen.allCases)
  func footer(screen: Screen) {
    #expect(DemoFrame.line(of: screen.content.keys).columns <= 80)
    #expect(DemoFrame.line(of: DemoFrame.commonKeys).columns <= 80)
  }

  @Test(
    "a terminal that is too small shows the size that the demo needs",
    arguments: [(79, 24), (80, 23), (10, 3), (1, 1)])
  func tooSmall(columns: Int, rows: Int) throws {
    let size = TerminalSize(columns: columns, rows: rows)
    let text = try Self.frame(.list, Self.loaded(name: "Lamp"), size).grid.text
    #expect(!text.contains { $0.contains("ALIVE") })
    #expect(rows < 10 || text.joined(separator: " ").contains("80x24"))
  }

  @Test("prices are aligned on the right")
  func alignment() throws {
    let text = try Self.frame(.list, Self.loaded(name: "Lamp"), .smallest).grid.text
    let columns = text.compactMap { row in
      row.firstRange(of: " USD").map { row.distance(from: row.startIndex, to: $0.lowerBound) }
    }
    #expect(columns.count > 1 && Set(columns).count == 1)
  }

  @Test(
    "a failure is shown with the key that tries again",
    arguments: [Screen.list, .search, .dashboard, .detail, .profile, .posts])
  func failure(screen: Screen) throws {
    let text = try Self.frame(screen, Self.failed, .smallest).grid.text.joined(separator: "\n")
    #expect(text.contains("✗") && text.contains("^R tries again"))
  }

  @Test(
    "the buttons of an alert and of an offer are keys; Enter is the first button of an alert only")
  func prompt() throws {
    let input = Self.loaded(name: "Lamp")
    let offer = try #require(input.offer)
    let buttons = offer.alert.buttons
    let alert = Prompt(alert: offer.alert, isOffer: false)
    for key in [Key.character("r"), .character("R"), .enter] { #expect(alert.button(for: key) == buttons[0]) }
    for key in [Key.character("c"), .escape] { #expect(alert.button(for: key) == buttons[1]) }
    #expect(alert.button(for: .delete) == nil)
    #expect(PostsScreen.action(for: .delete, input) == .delete(1))
    #expect(PostsScreen.action(for: .enter, input) == .select(1))
    #expect(PostsScreen.action(for: .character("r"), input) == .choose(buttons[0]))
    let lines = PostsScreen.lines(input, size: TerminalSize(columns: 50, rows: 18))
    #expect(lines.count == 18)
    let text = lines.suffix(2).map { $0.cells.map(\.text).joined() }
    #expect(text[0].hasSuffix("Lamp: Lamp") && text[1].hasPrefix("R Retry   C Cancel"))
  }

  @Test("the keys of a text field are text, also the digits and q")
  func typing() {
    var input = ScreenInput()
    #expect(SearchScreen.action(for: .character("q"), input) == .search("q"))
    #expect(SearchScreen.action(for: .character("7"), input) == .search("7"))
    input = Self.loaded(name: "Lamp")
    #expect(SearchScreen.action(for: .control("o"), input) == .toggleSecondScreen)
    #expect(SearchScreen.action(for: .control("d"), input) == .toggleSlowDrawing)
    #expect(ProfileScreen.action(for: .character("1"), input) == .edit(.name, "Grace1"))
    #expect(ProfileScreen.action(for: .backspace, input) == .edit(.name, "Grac"))
  }

  @Test("a quantity has digits only, at most four, and Enter needs one")
  func quantity() {
    var input = Self.loaded(name: "Lamp")
    #expect(CartScreen.action(for: .character("n"), input) == .askQuantity(1))
    #expect(QuantityScreen.action(for: .character("7"), input) == .typeQuantity("7"))
    for key in [Key.character("x"), .character("٣"), .enter, .up] {
      #expect(QuantityScreen.action(for: key, input) == nil)
    }
    input.typedQuantity = "1234"
    #expect(QuantityScreen.action(for: .character("5"), input) == nil)
    #expect(QuantityScreen.action(for: .backspace, input) == .typeQuantity("123"))
    #expect(QuantityScreen.action(for: .enter, input) == .finishQuantity(1_234))
    #expect(QuantityScreen.action(for: .escape, input) == .close)
    func text() -> [String] {
      QuantityScreen.lines(input, size: .smallest).map { $0.cells.map(\.text).joined() }
    }
    #expect(text()[0].hasPrefix("The product is no longer"))
    input.product = 1
    #expect(text()[0] == "Quantity of Lamp" && text()[2] == "New quantity: 1234▏")
    input.states = Self.loaded(name: Self.hostileName).states
    #expect(text().allSatisfy { Glyph.columns(of: $0) <= TerminalSize.smallest.columns })
    #expect(!text().joined().contains("\u{1B}"))
  }

  @Test("near the end of the hits, moving down loads the next page")
  func nextHits() {
    func status(_ input: ScreenInput) -> String? {
      SearchScreen.lines(input, size: TerminalSize(columns: 120, rows: 40)).last?.cells.map(\.text).joined()
    }
    var input = Self.loaded(name: "Lamp")
    #expect(SearchScreen.action(for: .down, input) == nil)
    #expect(SearchScreen.action(for: .end, input) == .loadNextHits)
    input.selection = 40
    #expect(SearchScreen.action(for: .pageDown, input) == .loadNextHits)
    #expect(SearchScreen.action(for: .up, input) == nil)
    #expect(status(input) == "60 hits, more below")
    if case .search(let request) = input.states.search.loadNextPage() {
      input.states.search.receive(.failure(ServiceError.offline), for: request)
    }
    #expect(status(input) == "60 hits, more below  ✗ \(ServiceError.offline)")
    #expect(SearchScreen.action(for: .down, input) == .loadNextHits)
  }

  @Test("near the end of the posts, moving down loads the next page, also if all loaded posts are deleted")
  func nextPosts() throws {
    var input = ScreenInput()
    let request = PageRequest(size: StorefrontStates.postsPageSize)
    input.states.posts.begin(request)
    let next = PageCursor(rawValue: "next")
    let posts = (1...20).map { Post(id: Post.ID(rawValue: $0), title: "\($0)", body: "") }
    _ = input.states.posts.receive(.success(Page(items: posts, next: next)))
    #expect(PostsScreen.action(for: .down, input) == nil)
    #expect(PostsScreen.action(for: .end, input) == .loadNextPosts)
    input.selection = 10
    #expect(PostsScreen.action(for: .down, input) == .loadNextPosts)
    for post in posts {
      _ = input.states.posts.end(try input.states.posts.beginDeletion(of: post.id), .success(()))
    }
    #expect(PostsScreen.action(for: .down, input) == .loadNextPosts)
    #expect(PostsScreen.action(for: .delete, input) == nil)
    input.states.posts.begin(PageRequest(at: .cursor(next), size: request.size))
    _ = input.states.posts.receive(.failure(ServiceError.offline))
    let lines = PostsScreen.lines(input, size: TerminalSize(columns: 120, rows: 40))
    #expect(lines.last?.cells.map(\.text).joined() == "0 posts, more below  ✗ \(ServiceError.offline)")
  }

  @Test("the search shows its second screen, and which screen lacks the typed text")
  func secondScreen() throws {
    func text(_ input: ScreenInput) -> [String] {
      SearchScreen.lines(input, size: TerminalSize(columns: 50, rows: 18)).map { line in
        line.cells.map(\.text).joined()
      }
    }
    var input = Self.loaded(name: "Lamp")
    input.typedQuery = "lamp"
    #expect(text(input)[1] == "")
    #expect(!text(input).contains { $0.contains("✗") || $0.contains("The panel counts") })
    input.states.secondSearch = SearchState()
    input.isSlow = true
    let lines = text(input)
    #expect(lines.count == 18)
    #expect(lines[0].hasPrefix("Search: lamp") && !lines[0].contains("✗"))
    #expect(lines[1] == "Second screen:    ✗ typed: lamp")
    #expect(lines[2] == "! A state takes 150 ms to draw.")
    #expect(lines[3].hasPrefix("The panel counts") && lines[5] == "")
  }

  @Test("the search says that the second screen has replaced the first one, also after it is closed")
  func replacedScreen() throws {
    func text(_ input: ScreenInput) -> String {
      SearchScreen.lines(input, size: TerminalSize(columns: 50, rows: 18))
        .map { $0.cells.map(\.text).joined().trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
    }
    var input = Self.loaded(name: "Lamp")
    #expect(!text(input).contains("no more states"))
    input.isFirstScreenReplaced = true
    #expect(text(input).contains("The first screen receives no more states"))
    #expect(text(input).contains("which the second screen has replaced, although it is closed. ^S:"))
    input.states.secondSearch = SearchState()
    #expect(text(input).contains("which the second screen has replaced. ^S: the other stages serve both."))
  }

  @Test("the panel has the counts of both stages beside each other")
  func panel() throws {
    var (frames, earlier) = (FrameStatistics(), FrameStatistics())
    let tick = ContinuousClock.now
    for (delay, count) in [(Duration.milliseconds(166), 1), (.milliseconds(3_249), 2)] {
      frames.record(tick: tick, end: tick + FrameStatistics.interval + .milliseconds(25))
      for _ in 0..<count { earlier.record(tick: tick, end: tick + FrameStatistics.interval + delay) }
    }
    let panel = SidePanel(
      current: .init(stage: .stream, counts: .init(), draws: SearchDraws(first: 3, second: 3, old: 0)),
      earlier: .init(stage: .closure, counts: .init(), draws: SearchDraws(first: 2, second: 1_015, old: 12)))
    let lines = panel.lines(frames, earlier, size: TerminalSize(columns: 26, rows: 18)).map { line in
      line.cells.map(\.text).joined()
    }
    #expect(lines.count == 18)
    #expect(
      lines[7...12] == [
        "SEARCH, STATES DRAWN", "1st screen       3       2", "2nd screen       3   1,015",
        "old text         0      12", "late frames      2       3", "worst delay  25 ms   3.2 s",
      ])
    let taller = panel.lines(frames, nil, size: TerminalSize(columns: 26, rows: 19))
    #expect(taller.count == 19)
    #expect(taller[13].cells.map(\.text).joined() == "██")
  }

  // MARK: - Inputs

  private static let hostileName =
    "\u{1B}[31mOak\u{7}\u{9B}2J 光のランプ 👩‍👩‍👧 " + String(repeating: "long ", count: 60)

  private static var inputs: [(String, ScreenInput)] {
    [
      ("initial", ScreenInput()), ("loading", loading), ("failed", failed), ("loaded", loaded(name: "Lamp")),
      ("hostile", loaded(name: hostileName)), ("trial", trial),
    ]
  }

  /// The frame of a screen in a host.
  private static func frame(
    _ screen: Screen, _ input: ScreenInput, _ size: TerminalSize
  ) throws -> DemoFrame {
    let output = SessionOutput()
    (output.states, output.post, output.offer) = (input.states, input.post, input.offer?.alert)
    let feature = FeatureScreen(screen, nil, output)
    let host = ScreenHost(feature)
    try host.resize(to: ViewportSize(DemoFrame.contentSize(size)))
    try host.show()
    return DemoFrame(
      size: size, tab: .cart, screen: screen, lines: size.isLargeEnough ? feature.lines : [],
      cartCount: output.states.cart.cart.itemCount,
      panel: SidePanel(
        current: .init(
          stage: .closure, counts: .init(viewModels: 7, streams: 1_000_000, observers: 8, tasks: 9)),
        earlier: .init(stage: .async, counts: .init()), requestCount: 12_345_678, feedCount: 1,
        fault: .malformed,
        log: [hostileName]),
      notice: Notice(ServiceError.malformed(hostileName)))
  }

  /// An alert with the texts of an offer.
  private static func alert(like offer: Prompt<PostsAction>) -> Prompt<Int> {
    let buttons = offer.alert.buttons.map { AlertState<Int>.Button($0.title) }
    return Prompt(
      alert: AlertState(offer.alert.title, message: offer.alert.message, buttons: buttons), isOffer: false)
  }

  private static var loading: ScreenInput {
    var input = ScreenInput()
    input.states.list.begin(PageRequest(index: 0, size: 60))
    input.states.dashboard.begin(DashboardPart.allCases, for: .current)
    input.states.profile.begin()
    input.states.posts.begin(PageRequest(size: StorefrontStates.postsPageSize))
    input.showDetail { $0.begin() }
    _ = input.states.search.setQuery("lamp")
    _ = input.states.cart.beginLoad()
    return input
  }

  private static var trial: ScreenInput {
    var input = loaded(name: "Lamp")
    (input.states.secondSearch, input.typedQuery, input.isSlow) = (input.states.search, hostileName, true)
    return input
  }

  private static var failed: ScreenInput {
    let error = ServiceError.status(code: 503, message: hostileName)
    var input = loading
    input.states.list.receive(.failure(error))
    for part in DashboardPart.allCases { _ = input.states.dashboard.receive(.failure(error), for: part) }
    input.states.profile.receive(.failure(error))
    _ = input.states.posts.receive(.failure(error))
    input.showDetail { $0.receive(.failure(error)) }
    if case .search(let request) = input.states.search.submit() {
      input.states.search.receive(.failure(error), for: request)
    }
    _ = input.states.cart.beginCartRequest()
    input.states.cart.receiveCart(.failure(error))
    return input
  }

  private static func loaded(name: String) -> ScreenInput {
    let products = (1...60).map { index in
      CatalogProduct(
        id: .init(rawValue: index), name: name,
        price: Money(minorUnits: index * index * 1_000, currency: .usd),
        stock: index % 8)
    }
    var input = loading
    input.states.list.receive(.success(Page(items: products, index: 0, isLast: false)))
    _ = input.states.dashboard.receive(
      .success(.profile(Profile(id: 1, name: name, email: "grace@example.com"))), for: .profile)
    let orders = products.prefix(12).map {
      Order(id: $0.id.rawValue, total: $0.price, itemCount: 1, status: .unknown(name))
    }
    _ = input.states.dashboard.receive(.success(.orders(Array(orders))), for: .orders)
    _ = input.states.dashboard.receive(.success(.recommendations(products)), for: .recommendations)
    input.states.profile.receive(
      .success(Profile(id: 1, name: name == "Lamp" ? "Grace" : name, email: "grace@example.com")))
    let posts = (1...30).map { Post(id: .init(rawValue: $0), title: name, body: name) }
    _ = input.states.posts.receive(.success(Page(items: posts, next: PageCursor(rawValue: "more"))))
    input.showDetail { $0.receive(.success(products[0])) }
    if case .search(let request) = input.states.search.submit() {
      let hits = products.map { SearchHit(id: $0.id, title: name, detail: name) }
      let cursor = PageCursor(rawValue: "next")
      input.states.search.receive(.success(Page(items: hits, next: cursor)), for: request)
    }
    _ = input.states.cart.beginCartRequest()
    input.states.cart.receiveCart(
      .success(Cart(currency: .usd, items: products.map { CartItem(product: $0, quantity: 2) })))
    input.post = 7
    input.offer = Prompt(
      alert: AlertState(
        name, message: name,
        buttons: [.init("Retry", action: .delete(7)), .init("Cancel", role: .cancel)]), isOffer: true)
    return input
  }
}

extension ScreenInput {
  /// Changes the detail of the open product's page, and opens the page if it is closed.
  fileprivate mutating func showDetail(_ change: (inout ProductDetailState) -> Void) {
    var detail = states.page?.detail ?? ProductDetailState(itemID: 1, source: .list)
    change(&detail)
    states.page = ProductPageState(detail: detail, cart: states.cart)
  }
}
