import AsyncViewModelsSimulation
import Foundation
import StorefrontDomain

extension Scenario {
  static let draftOnABadDisk = Scenario(
    "profile/draft-on-a-bad-disk",
    """
    on a disk that tears writes and fills up, a reader gets only whole drafts, and never an older draft \
    after a newer one; only a newer draft replaces a saved one
    """, tasks: 4
  ) { world in
    let disk = BadDisk(world)
    let file = DraftFile(world, on: disk)
    let asked = EventLog<Profile>()
    let saved = EventLog<Profile>()
    // Reads the true bytes, without the faults of reading.
    @Sendable func checkDisk() {
      guard let bytes = disk.contents["draft"] else {
        return world.expect(saved.values.isEmpty, "a saved draft is gone")
      }
      let isWhole = asked.values.contains { BadDisk.bytes(of: $0) == bytes }
      world.expect(isWhole, "a torn draft: \(String(decoding: bytes, as: UTF8.self))")
    }

    for (writer, names) in [["A", "Ad"], ["Ada", "Ada L"]].enumerated() {
      let task = world.spawn("writer \(writer)") {
        for name in names {
          // One step creates the draft and starts to save it, so the saves start in the order of the versions.
          let draft = Profile(
            id: 1, name: name, email: "ada@example.com", version: asked.begin())
          asked.append(draft)
          do {
            try await file.save(draft)
            saved.append(draft)
          } catch is CocoaError {
            world.log("\(name) was not saved")
          }
          checkDisk()
        }
      }
      if world.flip() { world.faults.cancellation(of: task) }
    }
    world.spawn("reader", canBeLeftOut: true) {
      var last = 0
      for _ in 1...4 {
        guard let draft = try? await file.load() else { continue }
        world.expect(asked.values.contains(draft), "an unknown draft: \(draft)")
        world.expect(draft.version >= last, "version \(draft.version) after \(last)")
        last = draft.version
      }
    }
    await world.settle()

    checkDisk()
    let newest = saved.values.max { $0.version < $1.version }
    let inPlace = disk.contents["draft"].flatMap { try? JSONDecoder().decode(Profile.self, from: $0) }
    world.expectEqual(inPlace?.version, newest?.version, "version in place:")
    world.expectEqual(disk.contents.keys.filter { $0 != "draft" }, [], "left behind:")
  }
}
