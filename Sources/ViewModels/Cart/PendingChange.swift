public import StorefrontDomain

/// A change that is shown, and that the service has not answered yet.
public struct PendingChange: Identifiable, Sendable {
  public let id: Int

  /// What the service is told. A change that waits for its turn may come to another one by then.
  public let change: CartChange

  /// Whether the service is to be told now. Else an earlier change of its product is under way, and a ``CartTurn`` says when.
  public internal(set) var isDue: Bool
}

/// The end of a change's wait for the earlier ones of its product.
public struct CartTurn: Identifiable, Sendable {
  public let id: PendingChange.ID

  /// The change as the service is to be told now. A failure where it cannot be done any more, because what it stood on was
  /// refused: the service is not told, and it is not shown any more.
  public let result: Result<PendingChange, CartError>
}
