import Dispatch

extension CancellationToken {
  /// Cancels soon, on a global queue: for whoever is on a queue of its own, which the action may want to wait for.
  public func cancelOffQueue() {
    DispatchQueue.global().async { self.cancel() }
  }
}
