//// hazard: deinit sends a farewell with self
import Foundation

final class Session {
  let id: String
  let server: Server
  init(id: String, server: Server) { self.id = id; self.server = server }

  deinit {
    Task { await self.server.close(self.id) }  // ← here
  }
}

//// hazard: main-actor clean-up comes later
import UIKit

final class HUDController {
  private let window: UIWindow
  init(window: UIWindow) { self.window = window }

  deinit {
    Task { @MainActor [window] in  // ← here
      window.isHidden = true
    }
  }
}

//// hazard: detached task stores state at the end
import Foundation

final class DraftEditor {
  private var text = ""
  private let storage: Storage
  init(storage: Storage) { self.storage = storage }

  deinit {
    let text = self.text, storage = self.storage
    Task.detached(priority: .background) {  // ← here
      try? await storage.save(text)
    }
  }
}

//// hazard: actor unregisters in a task
import Foundation

actor Subscriber {
  nonisolated let token: UUID
  private let hub: Hub
  init(token: UUID, hub: Hub) { self.token = token; self.hub = hub }

  deinit {
    if hub.isOpen {
      Task { [hub, token] in await hub.remove(token) }  // ← here
    }
  }
}

//// hazard: helper function of deinit starts the task
import Foundation

final class PlayerModel {
  private let player: Player
  init(player: Player) { self.player = player }

  deinit { tearDown() }

  private func tearDown() {
    Task { [player] in await player.stop() }  // ← here
  }
}

//// hazard: main queue async with self in deinit
import UIKit

final class OverlayOwner {
  let overlay: UIView
  init(overlay: UIView) { self.overlay = overlay }

  deinit {
    DispatchQueue.main.async { self.overlay.removeFromSuperview() }  // ← here
  }
}

//// harmless: deinit cancels a stored task
import Foundation

final class Session {
  private var heartbeat: Task<Void, Never>?

  func start(_ server: Server) {
    heartbeat?.cancel()
    heartbeat = Task {
      while !Task.isCancelled {
        await server.ping()
        try? await Task.sleep(for: .seconds(20))
      }
    }
  }

  deinit { heartbeat?.cancel() }
}

//// harmless: synchronous clean-up
import Foundation

final class TemporaryFile {
  let url: URL
  init(url: URL) { self.url = url }
  deinit { try? FileManager.default.removeItem(at: url) }
}

//// harmless: close is an explicit async method
import Foundation

final class Connection {
  private let channel: Channel
  private var isClosed = false
  init(channel: Channel) { self.channel = channel }

  @MainActor func close() async {
    guard !isClosed else { return }
    isClosed = true
    await channel.close()
  }

  deinit { assert(isClosed, "close() was not called") }
}

//// harmless: isolated deinit
import UIKit

@MainActor
final class HUDController {
  private let window: UIWindow
  init(window: UIWindow) { self.window = window }
  isolated deinit { window.isHidden = true }
}

//// harmless: deinit finishes a continuation
import Foundation

final class Broadcaster {
  private let continuation: AsyncStream<Int>.Continuation
  let values: AsyncStream<Int>

  init() {
    (values, continuation) = AsyncStream.makeStream()
  }

  deinit { continuation.finish() }
}
