#if canImport(SwiftUI) && os(Linux)
  import ToolkitTestSupport
  @testable import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import SwiftUI
  import Testing

  extension SwiftUITests {
    @MainActor
    @Suite("navigation", .timeLimit(.minutes(5)), .endsWaits)
    struct NavigationTests {
      private struct App: View {
        let navigation: NavigationModel<TestRoute>
        let notes: ViewModelStore<Int, NoteModel>

        var body: some View {
          PathNavigationStack(following: navigation) {
            Text("home")
            NavigationLink("open the cart", value: TestRoute.cart)
          } destination: { route in
            switch route {
            case .product(let id): Product(id, notes)
            default: Text("\(route)")
            }
          }
        }
      }

      private struct Product: View {
        @StateViewModel private var note: ObservedViewModel<NoteModel>

        init(_ id: Int, _ notes: ViewModelStore<Int, NoteModel>) {
          _note = StateViewModel(leasing: id, from: notes)
        }

        var body: some View { Text("product \(note.model.name)") }
      }

      private let navigation = NavigationModel<TestRoute>()
      private let notes = ViewModelStore<Int, NoteModel>(retention: .zero, isolation: MainActor.shared) {
        NoteModel("\($0)")
      }

      private func withApp(_ body: (ViewHost) async throws -> Void) async throws {
        try await withHost(App(navigation: navigation, notes: notes), body)
      }

      @Test("the stack shows the path, and each screen leases its view model once")
      func path() async throws {
        navigation.push(.product(1))
        try await withApp { host in
          try await host.waitForText("product 1")
          navigation.push(.product(2))
          try await host.waitForText("product 2")
          #expect(notes.counts == ViewModelCounts(inUse: 2, leases: 2))
          try navigation.update { try $0.front.pop() }
          try await host.waitForText("product 1")
          try await until { notes.counts == ViewModelCounts(inUse: 1, leases: 1) }
          navigation.update { $0.front.popToRoot() }
          try await host.waitForText("home")
        }
      }

      @Test("a pop and a link of the user change the path")
      func user() async throws {
        try await withApp { host in
          host.tapLink("open the cart")
          try await host.waitForText("cart")
          #expect(navigation.tree.front.routes == [.cart])
          navigation.push(.orders)
          navigation.push(.profile)
          try await host.waitForText("profile")
          host.popTo(1)
          #expect(navigation.tree.front.routes == [.cart])
          try await host.waitForText("cart")
          host.pop()
          #expect(navigation.tree.front.routes.isEmpty)
          try await host.waitForText("home")
        }
      }

      @Test("a link that replaces the path during a swipe is shown after it, and the swipe does not undo it")
      func linkDuringSwipe() async throws {
        for link in [[TestRoute.orders], [.cart, .orders], [.cart, .product(1), .orders]] {
          navigation.update { $0.front = RoutePath([.cart, .product(1)]) }
          try await withApp { host in
            try await host.waitForText("product 1")
            host.beginPop()
            navigation.update { $0.front = RoutePath(link) }
            await host.settle()
            host.endPop()
            try await host.waitForText("orders")
            #expect(navigation.tree.front.routes == link)
          }
        }
      }

      @Test("a link during a swipe remains if its screen has been shown and popped earlier")
      func linkToAnEarlierScreen() async throws {
        navigation.push(.cart)
        navigation.push(.product(1))
        try await withApp { host in
          navigation.push(.orders)
          try await host.waitForText("orders")
          host.pop()
          try await host.waitForText("product 1")
          host.beginPop()
          navigation.push(.orders)
          host.endPop()
          try await host.waitForText("orders")
          #expect(navigation.tree.front.routes == [.cart, .product(1), .orders])
        }
      }

      @Test("the user can pop each screen of a path that was restored")
      func restoredPath() async throws {
        let routes = (1...4).map(TestRoute.product)
        navigation.update { $0.front = RoutePath(routes) }
        try await withApp { host in
          for count in [3, 2, 1, 0] {
            try await host.waitForText("product \(count + 1)")
            host.pop()
            #expect(navigation.tree.front.routes.count == count)
          }
          navigation.update { $0.front = RoutePath(routes) }
          try await host.waitForText("product 4")
          host.popTo(1)
          #expect(navigation.tree.front.routes == [.product(1)])
        }
      }

      @Test("a cancelled swipe changes nothing")
      func cancelledSwipe() async throws {
        navigation.push(.cart)
        try await withApp { host in
          try await host.waitForText("cart")
          host.beginPop()
          host.cancelPop()
          await host.settle()
          #expect(navigation.tree.front.routes == [.cart])
          #expect(host.isShowing("cart"))
        }
      }

      @Test("another model's path is shown")
      func otherModel() async throws {
        navigation.push(.cart)
        try await withApp { host in
          try await host.waitForText("cart")
          let other = NavigationModel<TestRoute>([.orders])
          host.replaceRoot(with: App(navigation: other, notes: notes))
          try await host.waitForText("orders")
          host.pop()
          #expect(other.tree.front.routes.isEmpty)
          #expect(navigation.tree.front.routes == [.cart])
        }
      }

      // MARK: Sheets

      private struct Sheets: View {
        let route: StateStore<TestRoute?>

        var body: some View {
          Text("home").sheet(following: route) { route in Text("sheet \(route)") }
        }
      }

      @Test("a sheet follows its route, and the user closes it")
      func sheet() async throws {
        let route = StateStore<TestRoute?>(nil)
        try await withHost(Sheets(route: route)) { host in
          #expect(host.sheetTexts == nil)
          route.send(.cart)
          try await until { host.sheetTexts == ["sheet cart"] }
          route.send(.orders)
          try await until { host.sheetTexts == ["sheet orders"] }
          host.dismissSheet()
          #expect(route.value == nil)
          await host.settle()
          #expect(host.sheetTexts == nil)
          route.send(.orders)
          try await until { host.sheetTexts == ["sheet orders"] }
          route.send(nil)
          try await until { host.sheetTexts == nil }
        }
      }

      @Test("a route that changes while the user closes the sheet is shown")
      func routeDuringDismissal() async throws {
        let route = StateStore<TestRoute?>(.cart)
        try await withHost(Sheets(route: route)) { host in
          try await until { host.sheetTexts == ["sheet cart"] }
          route.send(.profile)
          host.dismissSheet()
          #expect(route.value == .profile)
          try await until { host.sheetTexts == ["sheet profile"] }
        }
      }

      @Test("the stack, its model and the screens are released")
      func release() async throws {
        try await LeakTracker.check { tracker in
          let navigation = tracker.track(NavigationModel<TestRoute>([.product(1)]))
          try await withHost(App(navigation: navigation, notes: notes)) { host in
            try await host.waitForText("product 1")
          }
        }
        try await until { notes.counts == ViewModelCounts() }
      }
    }
  }
#endif
