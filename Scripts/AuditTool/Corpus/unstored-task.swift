//// hazard: polling loop without an end
import Foundation

@MainActor
final class DeliveryTracker {
  private(set) var position: Coordinate?
  private let api: CourierAPI
  init(api: CourierAPI) { self.api = api }

  func start() {
    Task {  // ← here
      while true {
        position = try? await api.position()
        try? await Task.sleep(for: .seconds(5))
      }
    }
  }
}

//// hazard: stored, and never cancelled
import Foundation

final class ChatRoom {
  private var reader: Task<Void, Never>?
  private let socket: ChatSocket
  private let log: ChatLog
  init(socket: ChatSocket, log: ChatLog) { self.socket = socket; self.log = log }

  func join() {
    reader = Task { [socket, log] in  // ← here
      for await message in socket.messages {
        await log.append(message)
      }
    }
  }
}

//// hazard: notifications are read in a loose task
import UIKit

final class SettingsViewController: UIViewController {
  override func viewDidLoad() {
    super.viewDidLoad()
    Task { [weak self] in  // ← here
      for await _ in NotificationCenter.default.notifications(named: UserDefaults.didChangeNotification) {
        self?.reload()
      }
    }
  }

  private func reload() {}
}

//// hazard: each appearance starts one more observation
import UIKit

final class RadarViewController: UIViewController {
  private var observation: Task<Void, Never>?
  let radar: Radar
  init(radar: Radar) { self.radar = radar; super.init(nibName: nil, bundle: nil) }
  required init?(coder: NSCoder) { nil }

  override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    observation = Task { [weak self, radar] in  // ← here
      for await blip in radar.blips { self?.draw(blip) }
    }
  }

  private func draw(_ blip: Blip) {}
  deinit { observation?.cancel() }
}

//// hazard: detached loop swallows cancellation
import Foundation

final class ReplicationEngine {
  private let store: Store
  private var loop: Task<Void, Never>?
  init(store: Store) { self.store = store }

  func run() {
    loop = Task.detached { [store] in
      while true {  // ← here
        await store.replicate()
        try? await Task.sleep(nanoseconds: 1_000_000_000)
      }
    }
  }

  deinit { loop?.cancel() }
}

//// hazard: retry loop after the screen has gone
import SwiftUI

@MainActor
final class PairingViewModel: ObservableObject {
  @Published private(set) var isPaired = false
  private let device: Device
  init(device: Device) { self.device = device }

  func pair() {
    Task {  // ← here
      repeat {
        isPaired = await device.tryPairing()
        await Task.yield()
      } while !isPaired
    }
  }
}

//// harmless: cancelled in deinit
import Foundation

final class ChatRoom {
  private var reader: Task<Void, Never>?
  private let socket: ChatSocket
  private let log: ChatLog
  init(socket: ChatSocket, log: ChatLog) { self.socket = socket; self.log = log }

  func join() {
    reader?.cancel()
    reader = Task { [socket, log] in
      for await message in socket.messages { await log.append(message) }
    }
  }

  deinit { reader?.cancel() }
}

//// harmless: SwiftUI owns the task
import SwiftUI

struct TrackerView: View {
  let courier: CourierAPI
  @State private var position: Coordinate?

  var body: some View {
    MapMarker(position)
      .task {
        while !Task.isCancelled {
          position = try? await courier.position()
          try? await Task.sleep(for: .seconds(5))
        }
      }
  }
}

//// harmless: loop checks its cancellation and is stopped
import Foundation

@MainActor
final class DeliveryTracker {
  private(set) var position: Coordinate?
  private var polling: Task<Void, Never>?
  private let api: CourierAPI
  init(api: CourierAPI) { self.api = api }

  func start() {
    polling?.cancel()
    polling = Task { [weak self, api] in
      while !Task.isCancelled {
        let position = try? await api.position()
        self?.position = position
        try? await Task.sleep(for: .seconds(5))
      }
    }
  }

  func stop() { polling?.cancel() }
  deinit { polling?.cancel() }
}

//// harmless: one call that logs
import Foundation

final class PurchaseModel {
  private let analytics: Analytics
  init(analytics: Analytics) { self.analytics = analytics }

  func bought(_ item: Item) {
    Task { [analytics] in await analytics.log("bought \(item.id)") }
  }
}

//// harmless: tasks of a group end with the group
import Foundation

func warm(_ caches: [Cache]) async {
  await withTaskGroup(of: Void.self) { group in
    for cache in caches {
      group.addTask { await cache.warm() }
    }
  }
}

//// harmless: the bag cancels what it holds
import Combine
import Foundation

final class RadarModel {
  private var cancellables = Set<AnyCancellable>()
  private let radar: Radar
  init(radar: Radar) { self.radar = radar }

  func follow(_ show: @escaping @Sendable (Blip) -> Void) {
    let task = Task { [radar] in
      for await blip in radar.blips { show(blip) }
    }
    AnyCancellable { task.cancel() }.store(in: &cancellables)
  }
}

//// harmless: the loop of a static task runs as long as the app
import UIKit

final class WindowSizes {
  private static var observed: [WindowSizes] = []
  private static let observer = Task { @MainActor in
    while true {
      try? await Task.sleep(for: .seconds(1))
      for sizes in observed { sizes.measure() }
    }
  }

  @MainActor private func measure() {}
}
