extension Task where Success == Void, Failure == Never {
  /// Waits for this task, which calls an intent. If the waiting task is cancelled, this task is cancelled, too.
  func valueAsCaller() async {
    await withTaskCancellationHandler {
      await value
    } onCancel: {
      cancel()
    }
  }
}
