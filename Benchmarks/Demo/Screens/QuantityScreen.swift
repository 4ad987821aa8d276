import StorefrontDomain
import StorefrontViewModels

/// Asks for the quantity of a product in the cart. A sheet, whose result is the quantity.
enum QuantityScreen: ScreenContent {
  static let title = "Quantity"
  static let keys: KeyValuePairs = ["0-9": "type", "Enter": "set", "Esc": "leave as it is"]
  static let takesText = true

  static func itemCount(_ input: ScreenInput) -> Int { 0 }

  static func lines(_ input: ScreenInput, size: TerminalSize) -> [TextLine] {
    guard let item = item(input) else {
      return TextLine.wrapped("The product is no longer in the cart.", width: size.columns, .dim)
    }
    var field = TextLine("New quantity: ", .dim)
    field.append("\(input.typedQuantity)▏", .accent)
    return [
      TextLine("Quantity of \(item.product.name)", .bold), ContentLines.rule(min(size.columns, 44)), field,
      TextLine("In the cart: \(item.quantity), in stock: \(item.product.stock)", .dim),
    ].map { $0.limited(to: size.columns) }
  }

  private static func item(_ input: ScreenInput) -> CartItem? {
    input.states.cart.cart.items.first { $0.id == input.product }
  }

  static func action(for key: Key, _ input: ScreenInput) -> ScreenAction? {
    let typed = input.typedQuantity
    switch key {
    case .character(let digit) where digit.isASCII && digit.isNumber && typed.count < 4:
      return .typeQuantity(typed + String(digit))
    case .backspace: return .typeQuantity(String(typed.dropLast()))
    case .enter: return Int(typed).map { .finishQuantity($0) }
    case .escape: return .close
    default: return nil
    }
  }
}
