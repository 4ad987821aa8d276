import Domain
import ViewModelTesting
import ViewModels

extension Scenario {
  static let editedWhileSaving = Scenario(
    "profile/edited-while-saving",
    """
    what is edited while a save is on its way stays in the form; a conflict is kept until \
    somebody decides; nothing that was saved elsewhere is overwritten unseen
    """, tasks: 4
  ) { world in
    struct Service: ProfileEditingService {
      let world: World
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
    }
    let stored = ObservableState(Profile(id: 1, name: "Ada", email: "ada@example.com"))
    let model = ProfileViewModel(
      service: Service(world: world, stored: stored), isolation: world.isolation)
    await model.load().value
    for name in ["Ada L", "Ada Lovelace"] {
      world.spawn("edits \(name)") {
        if world.flip() { await Task.yield() }
        try? await model.edit(.name, to: name)
        _ = try? await model.save().value
      }
    }
    world.spawn("edits elsewhere", canBeLeftOut: true) {
      try await world.faults.latency()
      _ = try? stored.update { profile throws(ProfileError) in
        let draft = Profile.Draft(name: profile.name, email: "lovelace@example.com")
        profile = try profile.replaced(by: draft, basedOn: profile.version)
      }
    }
    await world.settle()
    let state = model.state
    world.expect(!state.isSaving, "still saving")
    world.expect(state.draft.map { ["Ada L", "Ada Lovelace"].contains($0.name) } == true, "an edit was lost")
    if !state.isDirty, state.conflict == nil {
      world.expectEqual(stored.value.name, state.draft?.name ?? "", "stored:")
    }
    world.expect(
      stored.value.email == "ada@example.com" || stored.value.version > 1,
      "an edit from elsewhere was overwritten")
    if state.isDirty, state.conflict == nil, !state.isSaving {
      world.expect(state.canSave, "it cannot be saved again")
    }
  }
}
