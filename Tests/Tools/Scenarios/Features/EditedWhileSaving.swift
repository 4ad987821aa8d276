import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Scenario {
  static let editedWhileSaving = inEachStage(
    "profile/edited-while-saving",
    """
    an edit during a save stays in the form; a conflict lasts until the user decides; no save silently \
    overwrites an edit from elsewhere
    """, tasks: 4
  ) { world, stage, tracker in
    let stored = StateStore(Profile(id: 1, name: "Ada", email: "a@b.c"))
    let model = stage.makeProfile(
      service: ShakyProfile(world: world, stored: stored), isolation: world.isolation)
    tracker.track(model.subject)

    await model.load()
    if world.flip() {
      try await world.faults.latency()
      await model.cancel()
      let isThere = model.state.content.value != nil
      world.expect(!model.state.isLoading, "loading after a cancel")
      await world.expectQuiet(model.states())
      world.expectEqual(model.state.content.value != nil, isThere, "there after a cancel:")
      await model.load()
    }
    await world.settle()

    let conflicts = EventLog<String>()
    for name in ["Ad", "Al"] {
      world.spawn("edits \(name)") {
        if world.flip() { await Task.yield() }
        try? model.edit(.name, to: name)
        _ = try? await model.save().value
        if model.state.conflict != nil { conflicts.append(name) }
      }
    }
    let elsewhere = EventLog<Profile>()
    world.spawn("edits elsewhere", canBeLeftOut: true) {
      try await world.faults.latency()
      elsewhere.append(
        try stored.update { profile throws(ProfileError) in
          let draft = Profile.Draft(name: profile.name, email: "l@b.c")
          profile = try profile.replaced(by: draft, basedOn: profile.version)
          return profile
        })
    }
    await world.settle()
    world.expect(!model.state.isSaving, "still saving")
    if !conflicts.values.isEmpty {
      world.expect(model.state.conflict != nil, "a conflict ended without a decision")
    }
    while model.state.isDirty, model.state.conflict == nil {
      do {
        try await model.save().value
      } catch let error as ProfileEditError {
        return world.expect(false, "it cannot be saved again: \(error)")
      } catch {}
    }
    let state = model.state
    world.expect(state.draft.map { ["Ad", "Al"].contains($0.name) } == true, "an edit was lost")
    if state.conflict == nil {
      world.expectEqual(stored.value.name, state.draft?.name ?? "", "stored:")
    }
    // The model does not load this edit, and its user resolves no conflict. So no later save may succeed.
    if let edited = elsewhere.values.last {
      world.expectEqual(stored.value, edited, "after an edit from elsewhere:")
    }
  }
}

/// A service for a profile that the scenario also edits elsewhere. It answers late, and a save may fail.
struct ShakyProfile: ProfileEditingService, ProfileEditingClosureService {
  let world: SimulatedWorld
  let stored: StateStore<Profile>

  func profile() async throws -> Profile {
    try await world.faults.latency()
    return stored.value
  }

  func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile {
    await world.faults.deafLatency()
    try world.faults.failure(ServiceError.timedOut)
    return try stored.update { profile throws(ProfileError) in
      profile = try profile.replaced(by: draft, basedOn: version)
      return profile
    }
  }

  func profile(completion: @escaping @Sendable (Result<Profile, any Error>) -> Void) -> CancellationToken {
    callBack(in: world, completion) { try await profile() }
  }

  func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    .run(completion: completion) { try await save(draft, basedOn: version) }
  }
}
