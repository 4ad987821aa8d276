import AsyncViewModelsTesting
import Dispatch
import Foundation
import StorefrontDomain
import StorefrontServices

@testable import StorageCrashes

/// Logs the operations of a file system, and makes them fail or wait.
final class StepScript: Sendable {
  private struct State {
    var steps: [StorageStep] = []
    var failures: [StorageStep: (left: Int, code: Int32, moment: InterceptedFileSystem.Moment)] = [:]
    var blocked: StorageStep?
    var isWaiting = false
  }

  private let state = Monitor(State())
  private let semaphore = DispatchSemaphore(value: 0)

  /// The operating system's files, with this script.
  var fileSystem: InterceptedFileSystem { fileSystem(on: SystemFileSystem()) }

  /// Another file system, with this script.
  func fileSystem(on base: any StorageFileSystem) -> InterceptedFileSystem {
    InterceptedFileSystem(base) { [self] step, moment throws(SystemCallError) in
      try intercept(step, moment)
    }
  }

  /// The operations so far, including those that failed.
  var steps: [StorageStep] { state.snapshot.steps }

  /// Makes the next `count` operations of this kind fail.
  func fail(
    _ step: StorageStep, count: Int = 1, code: Int32 = ENOSPC,
    _ moment: InterceptedFileSystem.Moment = .before
  ) {
    state.update { $0.failures[step] = (count, code, moment) }
  }

  /// Makes the next operation of this kind wait for ``unblock()``.
  func block(_ step: StorageStep) { state.update { $0.blocked = step } }

  /// Waits until the operation of ``block(_:)`` has begun.
  func waitUntilBlocked() async { await state.wait { $0.isWaiting } }

  /// Continues the operation that waits.
  func unblock() { semaphore.signal() }

  private func intercept(
    _ step: StorageStep, _ moment: InterceptedFileSystem.Moment
  ) throws(SystemCallError) {
    let (isBlocked, code) = state.update { state -> (Bool, Int32?) in
      if moment == .before { state.steps.append(step) }
      let isBlocked = moment == .before && state.blocked == step
      if isBlocked { (state.blocked, state.isWaiting) = (nil, true) }
      guard let failure = state.failures[step], failure.left > 0, failure.moment == moment else {
        return (isBlocked, nil)
      }
      state.failures[step]?.left -= 1
      return (isBlocked, failure.code)
    }
    // Blocks the thread of the store's queue, which is not a thread of the concurrency pool.
    if isBlocked {
      semaphore.wait()
      state.update { $0.isWaiting = false }
    }
    if let code { throw SystemCallError(code: code) }
  }
}
