import AsyncViewModelsTesting
import AsyncViewModelsUI
import Foundation

@testable import Shop

/// The screen of a cart, with a service that the test answers. The guide changes this file.
@MainActor
final class Shop {
  let service = ScriptedCartService()
  let screen: CartViewController
  let host: ScreenHost
  let center = NotificationCenter()
  private(set) var badge = 0

  init() {
    screen = CartViewController(service: service, center: center)
    host = ScreenHost(screen)
    screen.onCountChange = { [weak self] count in self?.badge = count }
  }
}

/// A service whose calls the test answers.
final class ScriptedCartService: CartService {
  let loads = ScriptedCalls<Void, [CartItem]>(ignoringCancellation: true)
  let saves = ScriptedCalls<[CartItem], [CartItem]>(ignoringCancellation: true)

  func cart(completion: @escaping (Result<[CartItem], Error>) -> Void) -> CartRequest {
    nonisolated(unsafe) let completion = completion  // called once
    let token = loads(()) { completion($0) }
    return CartRequest { token.cancel() }
  }

  func save(
    _ changes: [CartItem], completion: @escaping (Result<[CartItem], Error>) -> Void
  ) -> CartRequest {
    nonisolated(unsafe) let completion = completion  // called once
    let token = saves(changes) { completion($0) }
    return CartRequest { token.cancel() }
  }
}
