import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Limitations of the closure stage of a profile that the async stage does not have.
@Suite("Profile: limitations of the closure stage", .timeLimit(.minutes(5)), .endsWaits)
struct ProfileClosureLimitations {
  @Test("a slow observer receives a state for every keystroke and does not skip to the latest")
  func noConflation() async throws {
    let (model, _, callbackQueue) = try await makeModel()
    callbackQueue.suspend()
    let (states, continuation) = AsyncStream<ProfileState>.makeStream()
    let token = model.bind { continuation.yield($0) }
    let name = "Ada Lovelace"
    for count in 1...name.count { try model.edit(.name, to: String(name.prefix(count))) }
    callbackQueue.resume()
    let log = StateRecorder(states)
    try await log.first { $0.draft?.name == name }
    #expect(log.states.count == 1 + name.count)
    token.cancel()
  }

  @Test("an intent's error is lost if the caller passes no completion handler")
  func ignoredError() async throws {
    let (model, service, callbackQueue) = try await makeModel()
    try model.edit(.name, to: "")
    let (states, continuation) = AsyncStream<ProfileState>.makeStream()
    let token = model.bind { continuation.yield($0) }
    model.save()
    model.cancel()  // Returns only after the view model's queue has handled the save.
    callbackQueue.sync {}
    token.cancel()
    continuation.finish()
    let seen = try await StateRecorder(states).waitForEnd()
    #expect(seen.count == 1, "the observer receives no state after the save")
    #expect(model.state.saveFailure == nil)
    #expect(service.saves.requests.isEmpty)

    let error = await withCheckedContinuation { continuation in
      model.save { result in
        if case .failure(let error) = result { continuation.resume(returning: error as? ProfileEditError) }
      }
    }
    #expect(error == .invalid([.missing(.name)]), "a completion handler receives the error")
  }

  @Test("an observer is not notified when the view model is released, or when a save ends afterwards")
  func noEnd() async throws {
    let (states, continuation) = AsyncStream<ProfileState>.makeStream()
    let log = StateRecorder(states)
    var token: CancellationToken?
    var call: ScriptedCall<ProfileSave, Profile>?
    let saved = Gate()
    try await LeakTracker.check { tracker in
      let (model, service, _) = try await makeModel()
      tracker.track(model)
      token = model.bind { continuation.yield($0) }
      try model.edit(.name, to: "Ada King")
      model.save { _ in saved.open() }
      call = try await service.saves.next()
      try await log.first { $0.isSaving }
    }
    let count = log.states.count
    if let call { call.succeed(call.request.answer) }
    await saved.wait()
    #expect(log.states.count == count)
    #expect(token?.isCancelled == false)
  }

  private func makeModel() async throws -> (
    ProfileClosureViewModel, ScriptedProfileEditingService, DispatchQueue
  ) {
    let (service, callbackQueue) = (ScriptedProfileEditingService(), DispatchQueue(label: "callbacks"))
    let model = ProfileClosureViewModel(service: service, callbackQueue: callbackQueue)
    let loaded = Gate()
    model.load { loaded.open() }
    try await service.loads.next().succeed(.ada)
    await loaded.wait()
    try #require(model.state.content.value == .ada)
    return (model, service, callbackQueue)
  }
}
