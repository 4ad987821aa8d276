package import Dispatch

extension DispatchQueue {
  /// Waits until this serial queue has run all blocks that are already submitted.
  package func drain() async {
    await withCheckedContinuation { continuation in
      async { continuation.resume() }
    }
  }

  /// Runs `work` on this queue and waits for it.
  package func run(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      async {
        work()
        continuation.resume()
      }
    }
  }
}
