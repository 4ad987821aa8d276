#if canImport(Combine)
  public import Combine

  /// A token can be stored with the subscriptions of a screen: `token.store(in: &cancellables)`.
  extension CancellationToken: Cancellable {}

  extension CancellationToken {
    /// Creates a token that cancels a subscription, so that the subscription can end with
    /// ``ScreenBindings`` or a ``TaskBag``.
    ///
    /// - Parameter cancellable: The subscription. No other code uses it from now on. Cancelling or
    ///   releasing the token cancels it, on the thread that does so, and so does ``finish()``,
    ///   which releases it. A pipeline with operators that belong to the main actor must be
    ///   cancelled there.
    public convenience init(_ cancellable: AnyCancellable) {
      nonisolated(unsafe) let cancellable = cancellable
      self.init { unsafe cancellable.cancel() }
    }
  }
#endif
