import AsyncViewModelsSimulation
import Foundation
import StorefrontDomain

extension Scenario {
  static let draftOnABadDisk = Scenario(
    "profile/draft-on-a-bad-disk",
    """
    whoever reads a draft from a disk that tears writes and runs full gets a whole one, never an older one \
    than before; nothing is lost but what was never saved
    """, tasks: 4
  ) { world in
    let disk = BadDisk(world)
    let file = DraftFile(world, on: disk)
    let asked = EventLog<Profile>()
    let saved = EventLog<Profile>()
    // What is in place, by the bytes that are really there: no fault of reading hides them.
    @Sendable func checkDisk() {
      guard let bytes = disk.contents["draft"] else {
        return world.expect(saved.values.isEmpty, "what was saved is gone")
      }
      let isWhole = asked.values.contains { BadDisk.bytes(of: $0) == bytes }
      world.expect(isWhole, "a torn draft: \(String(decoding: bytes, as: UTF8.self))")
    }

    for (writer, names) in [["A", "Ad"], ["Ada", "Ada L"]].enumerated() {
      let task = world.spawn("writer \(writer)") {
        for name in names {
          // Made and asked for in one step, so that editions come to the file in their order.
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
        world.expect(asked.values.contains(draft), "nobody saved \(draft)")
        world.expect(draft.version >= last, "edition \(draft.version) after \(last)")
        last = draft.version
      }
    }
    await world.settle()

    checkDisk()
    let newest = saved.values.max { $0.version < $1.version }
    let inPlace = disk.contents["draft"].flatMap { try? JSONDecoder().decode(Profile.self, from: $0) }
    world.expectEqual(inPlace?.version, newest?.version, "edition in place:")
    world.expectEqual(disk.contents.keys.filter { $0 != "draft" }, [], "left behind:")
  }
}
