#if canImport(Combine)
  public import Combine

  /// A token can be stored with the subscriptions of a screen: `token.store(in: &cancellables)`.
  extension CancellationToken: Cancellable {}

  extension CancellationToken {
    /// Creates a token that cancels a subscription, so that the subscription can end with ``ScreenBindings`` or a
    /// ``TaskBag``.
    ///
    /// - Parameter cancellable: The subscription. Its `cancel()` must be safe to call on any thread, as it is for the
    ///   subscriptions of Combine.
    public convenience init(_ cancellable: AnyCancellable) {
      nonisolated(unsafe) let cancellable = cancellable
      self.init { unsafe cancellable.cancel() }
    }
  }
#endif
