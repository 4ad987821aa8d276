import Basket
import Testing

@Suite("basket: closures and a serial queue", .timeLimit(.minutes(5)))
struct BasketTests {
  private final class API: BasketAPI {
    let reloads = Requests<Void, ([BasketLine]?, Error?)>()
    let changes = Requests<Int, ([BasketLine]?, Error?)>()
    let vouchers = Requests<String, (Int?, Error?)>()

    func getBasket(completion: @escaping ([BasketLine]?, Error?) -> Void) {
      reloads.add(()) { completion($0.0, $0.1) }
    }

    func setQuantity(_ quantity: Int, sku: String, completion: @escaping ([BasketLine]?, Error?) -> Void) {
      changes.add(quantity) { completion($0.0, $0.1) }
    }

    func applyVoucher(_ code: String, completion: @escaping (Int?, Error?) -> Void) {
      vouchers.add(code) { completion($0.0, $0.1) }
    }
  }

  private static func tea(_ quantity: Int) -> [BasketLine] {
    [BasketLine(sku: "tea", quantity: quantity, cents: 250)]
  }

  @Test("a reload shows the number of items")
  func reload() async throws {
    try await inAnyOrder { world in
      let api = API()
      let model = BasketViewModel(api: api)
      let badge = BasketBadge(viewModel: model)
      await world.onMain { model.reload() }
      world.expectEqual(badge.texts, ["0…"])
      await world.onService { api.reloads.answer(0, (Self.tea(2), nil)) }
      world.expectEqual(badge.texts, ["0…", "2"])
      await world.onMain { world.expectEqual(model.total, 500) }
    }
  }

  @Test("a change during an update is ignored")
  func changeDuringUpdate() async throws {
    try await inAnyOrder { world in
      let api = API()
      let model = BasketViewModel(api: api)
      let badge = BasketBadge(viewModel: model)
      await world.onMain { model.setQuantity(3, of: "tea") }
      await world.onMain { model.setQuantity(4, of: "tea") }
      await world.onService { api.changes.answer(0, (Self.tea(3), nil)) }
      world.expectEqual(api.changes.inputs, [3])
      world.expectEqual(badge.texts, ["0…", "3"])
    }
  }

  @Test("a failed change keeps the lines and tells the reason")
  func failure() async throws {
    try await inAnyOrder { world in
      let api = API()
      let model = BasketViewModel(api: api)
      let badge = BasketBadge(viewModel: model)
      await world.onMain { model.reload() }
      await world.onService { api.reloads.answer(0, (Self.tea(2), nil)) }
      await world.onMain { model.setQuantity(9, of: "tea") }
      await world.onService { api.changes.answer(0, (nil, BasketAPIError.soldOut(sku: "tea"))) }
      world.expectEqual(badge.texts, ["0…", "2", "2…", "!tea is sold out", "2"])
      await world.onMain { world.expectEqual(model.lastError, "tea is sold out") }
    }
  }

  @Test("a voucher lowers the total, and its caller learns whether it is valid")
  func voucher() async throws {
    try await inAnyOrder { world in
      let api = API()
      let model = BasketViewModel(api: api)
      var answers: [Bool] = []
      await world.onMain { model.reload() }
      await world.onService { api.reloads.answer(0, (Self.tea(2), nil)) }
      await world.onMain { model.applyVoucher("TEN") { answers.append($0) } }
      await world.onService { api.vouchers.answer(0, (10, nil)) }
      await world.onMain { model.applyVoucher("NONE") { answers.append($0) } }
      await world.onService { api.vouchers.answer(1, (nil, BasketAPIError.server(code: 404))) }
      world.expectEqual(answers, [true, false])
      await world.onMain {
        world.expectEqual(model.total, 450)
        world.expectEqual(model.lastError, "Server error 404")
      }
    }
  }

  @Test("the legacy code shows the answer that comes last, also if it belongs to an older reload")
  func staleReload() async throws {
    try await inAnyOrder { world in
      let api = API()
      let model = BasketViewModel(api: api)
      let badge = BasketBadge(viewModel: model)
      await world.onMain { model.reload() }
      await world.onMain { model.reload() }
      await world.onService { api.reloads.answer(1, (Self.tea(2), nil)) }
      await world.onService { api.reloads.answer(0, (Self.tea(1), nil)) }
      world.expectEqual(badge.texts, ["0…", "0…", "2", "1"])
    }
  }
}
