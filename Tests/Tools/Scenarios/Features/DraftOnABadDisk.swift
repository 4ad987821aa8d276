import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Scenario {
  static let draftOnABadDisk = inEachStage(
    "profile/draft-on-a-bad-disk",
    """
    if the service keeps the profile on a disk that tears writes and fills up, the screen shows the profile on \
    the disk or the one that is being saved, a failed save keeps the typed text, and no older profile is back
    """, tasks: 4
  ) { world, stage, tracker in
    let file = ProfileFile(world, first: Profile(id: 1, name: "A", email: "ada@example.com"))
    let model = stage.makeProfile(service: file, isolation: world.isolation)
    tracker.track(model.subject)
    let states = model.states()
    let observer = world.spawn("screen") {
      var version = 0
      for await state in states {
        guard let profile = state.content.value else { continue }
        world.expect(profile.version >= version, "version \(profile.version) after \(version)")
        version = profile.version
      }
    }

    await model.load()
    await model.settle()
    world.spawn("edits and saves") {
      for name in ["Ad", "Ada"] {
        guard (try? model.edit(.name, to: name)) != nil else { continue }
        let before = file.profileOnDisk
        do {
          try await model.save().value
          world.expectEqual(file.profileOnDisk?.name, name, "saved:")
          world.expect(!model.state.isDirty, "saved, but dirty")
        } catch {
          world.expect(error is CocoaError, "a save failed with \(error)")
          world.expect(model.state.saveFailure is CocoaError, "the failure is not shown")
          world.expectEqual(file.profileOnDisk, before, "after a failed save:")
          world.expectEqual(model.state.draft?.name, name, "typed:")
        }
      }
    }
    world.spawn("refreshes", canBeLeftOut: true) {
      for _ in 1...2 { await model.refresh().value }
    }
    await world.settle()

    world.expectEqual(file.contents.count, 1, "files:")
    world.expect(file.profileOnDisk != nil, "the profile on the disk is torn")
    if let shown = model.state.content.value {
      world.expectEqual(shown, file.profileOnDisk, "shown:")
    } else {
      world.expect(model.state.content.error != nil, "neither loaded nor failed")
    }
    observer.cancel()
  }
}
