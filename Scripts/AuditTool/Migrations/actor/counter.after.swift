import AsyncViewModels
import Dispatch

actor Counter {
  /// How often.
  private(set) var count = 0

  func increment() { count += 1 }
}
