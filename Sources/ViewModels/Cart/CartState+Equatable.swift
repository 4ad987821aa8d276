/// Two states are equal where a screen shows the same for both: the same cart, with as many changes that nobody has confirmed.
extension CartState: Equatable {
  public static func == (one: CartState, other: CartState) -> Bool {
    one.pendingCount == other.pendingCount && one.cart == other.cart
  }
}
