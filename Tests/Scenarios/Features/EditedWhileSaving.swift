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
    let stored = ObservableState(Profile(id: 1, name: "Ada", email: "a@b.c"))
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

    for name in ["Ad", "Al"] {
      world.spawn("edits \(name)") {
        if world.flip() { await Task.yield() }
        try? model.edit(.name, to: name)
        _ = try? await model.save().value
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
    let state = model.state
    world.expect(!state.isSaving, "still saving")
    world.expect(state.draft.map { ["Ad", "Al"].contains($0.name) } == true, "an edit was lost")
    if !state.isDirty, state.conflict == nil {
      world.expectEqual(stored.value.name, state.draft?.name ?? "", "stored:")
    }
    // The model does not load this edit, and its user resolves no conflict. So no later save may succeed.
    if let edited = elsewhere.values.last {
      world.expectEqual(stored.value, edited, "after an edit from elsewhere:")
    }
    if state.isDirty, state.conflict == nil, !state.isSaving {
      world.expect(state.canSave, "it cannot be saved again")
    }
  }
}

/// A profile that others edit, too. Its service is late, and may refuse a save.
struct ShakyProfile: ProfileEditingService, ProfileEditingClosureService {
  let world: SimulatedWorld
  let stored: ObservableState<Profile>

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
    performAsync(completion: completion) { try await save(draft, basedOn: version) }
  }
}
