//// hazard: loop over a stream uses self
import Foundation

@MainActor
final class StockTicker {
  private(set) var price = 0.0
  private var task: Task<Void, Never>?
  private let quotes: AsyncStream<Double>
  init(quotes: AsyncStream<Double>) { self.quotes = quotes }

  func start() {
    task = Task {
      for await quote in quotes {
        self.price = quote  // ← here
      }
    }
  }

  deinit { task?.cancel() }
}

//// hazard: guard let self before the loop
import UIKit

final class NewsViewController: UIViewController {
  private var updates: Task<Void, Never>?
  let feed: NewsFeed
  init(feed: NewsFeed) { self.feed = feed; super.init(nibName: nil, bundle: nil) }
  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    updates = Task { [weak self] in
      guard let self else { return }  // ← here
      for await story in feed.stories {
        show(story)
      }
    }
  }

  private func show(_ story: Story) {}
  deinit { updates?.cancel() }
}

//// hazard: if let self around the loop
import Foundation

final class PresenceModel: ObservableObject {
  @Published var online: Set<String> = []
  private var observing: Task<Void, Never>?

  func observe(_ presence: PresenceService) {
    observing = Task { @MainActor [weak self] in
      if let self = self {  // ← here
        for await users in presence.users() {
          self.online = users
        }
      }
    }
  }

  deinit { observing?.cancel() }
}

//// hazard: throwing sequence in a do-catch
import Foundation

@MainActor
class UploadScreenModel {
  var progress = 0.0
  var failure: Error?
  private var work: Task<Void, Never>?

  func follow(_ upload: Upload) {
    work = Task {
      do {
        for try await fraction in upload.fractions {
          progress = fraction  // ← here
        }
      } catch {
        failure = error
      }
    }
  }

  deinit { work?.cancel() }
}

//// hazard: method of self contains the loop
import Foundation

actor LocationLog {
  private var points: [Point] = []
  private var recording: Task<Void, Never>?
  private let source: LocationSource
  init(source: LocationSource) { self.source = source }

  func record() {
    recording = Task { await self.consume() }  // ← here
  }

  private func consume() async {
    for await point in source.points { points.append(point) }
  }

  deinit { recording?.cancel() }
}

//// hazard: values of a publisher are read by an observer
import Combine

@MainActor
final class FormModel: ObservableObject {
  @Published var name = ""
  @Published private(set) var isValid = false
  private var validation: Task<Void, Never>?

  func begin() {
    validation = Task { [unowned self] in
      let strong = self  // ← here
      for await name in strong.$name.values {
        strong.isValid = name.count > 2
      }
    }
  }

  deinit { validation?.cancel() }
}

//// harmless: weak self is unwrapped for each value
import Foundation

@MainActor
final class StockTicker {
  private(set) var price = 0.0
  private var task: Task<Void, Never>?

  func start(_ quotes: AsyncStream<Double>) {
    task?.cancel()
    task = Task { [weak self] in
      for await quote in quotes {
        guard let self else { return }
        self.price = quote
      }
    }
  }

  deinit { task?.cancel() }
}

//// harmless: optional chaining in the loop
import UIKit

final class NewsViewController: UIViewController {
  private var updates: Task<Void, Never>?
  let feed: NewsFeed
  init(feed: NewsFeed) { self.feed = feed; super.init(nibName: nil, bundle: nil) }
  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    updates = Task { [weak self, feed] in
      for await story in feed.stories { self?.show(story) }
    }
  }

  private func show(_ story: Story) {}
  deinit { updates?.cancel() }
}

//// harmless: finite loop over task group results
import Foundation

@MainActor
final class BatchModel {
  private(set) var done = 0

  func run(_ jobs: [Job]) async {
    await withTaskGroup(of: Int.self) { group in
      for job in jobs { group.addTask { await job.run() } }
      for await _ in group { done += 1 }
    }
  }
}

//// harmless: async method that its caller cancels
import SwiftUI

@MainActor @Observable
final class RadarModel {
  private(set) var blips: [Blip] = []

  func follow(_ radar: Radar) async {
    for await blip in radar.blips { blips.append(blip) }
  }
}

struct RadarView: View {
  let radar: Radar
  @State private var model = RadarModel()

  var body: some View {
    List(model.blips) { Text($0.name) }
      .task { await model.follow(radar) }
  }
}

//// harmless: lines of a file end
import Foundation

@MainActor
final class LogModel {
  private(set) var lines: [String] = []

  func read(_ url: URL) async throws {
    for try await line in url.lines { lines.append(line) }
  }
}

//// harmless: screen cancels the loop when it disappears
import UIKit

final class MeterViewController: UIViewController {
  private var reading: Task<Void, Never>?
  var meter: Meter = .shared

  override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    reading?.cancel()
    reading = Task { [weak self, meter] in
      for await level in meter.levels { self?.title = "\(level)" }
    }
  }

  override func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    reading?.cancel()
  }
}
