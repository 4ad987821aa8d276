extension Task where Success == Void, Failure == Never {
  /// Waits for an intent as its caller: if the waiting task is cancelled, so is the caller of the intent.
  func valueAsCaller() async {
    await withTaskCancellationHandler {
      await value
    } onCancel: {
      cancel()
    }
  }
}
