//// hazard: url session calls back on its own queue
import Foundation

@MainActor
final class ArticleModel {
  private(set) var text = ""

  func load(_ url: URL) {
    URLSession.shared.dataTask(with: url) { [weak self] data, _, _ in
      MainActor.assumeIsolated {  // ← here
        self?.text = String(decoding: data ?? Data(), as: UTF8.self)
      }
    }.resume()
  }
}

//// hazard: async function hopped away
import Foundation

nonisolated func report(_ progress: Progress, to view: ProgressReceiver) async {
  await Task.yield()
  MainActor.assumeIsolated {  // ← here
    view.show(progress.fractionCompleted)
  }
}

//// hazard: notification block without a queue
import UIKit

@MainActor
final class BackupModel {
  private var token: NSObjectProtocol?
  private(set) var isStale = false

  func start() {
    token = NotificationCenter.default.addObserver(forName: .NSPersistentStoreRemoteChange, object: nil, queue: nil) { [weak self] _ in
      MainActor.assumeIsolated { self?.isStale = true }  // ← here
    }
  }

  func stop() {
    token.map(NotificationCenter.default.removeObserver)
    token = nil
  }
}

//// hazard: delegate of a capture output runs on the capture queue
import AVFoundation

@MainActor
final class ScannerModel: NSObject {
  private(set) var frames = 0
  private let output = AVCaptureVideoDataOutput()

  func configure() {
    output.setSampleBufferDelegate(self, queue: DispatchQueue(label: "frames"))
  }
}

extension ScannerModel: AVCaptureVideoDataOutputSampleBufferDelegate {
  nonisolated func captureOutput(_ output: AVCaptureOutput, didOutput buffer: CMSampleBuffer, from connection: AVCaptureConnection) {
    MainActor.assumeIsolated {  // ← here
      frames += 1
    }
  }
}

//// hazard: block of a background queue
import Foundation

@MainActor
final class HashModel {
  var digest = ""

  nonisolated func compute(_ data: Data) {
    DispatchQueue.global(qos: .userInitiated).async {
      let digest = Digest.hex(of: data)
      MainActor.assumeIsolated {  // ← here
        self.digest = digest
      }
    }
  }
}

//// hazard: detached task assumes the main actor
import Foundation

final class Prewarmer {
  @MainActor var isWarm = false

  func warm() {
    Task.detached(priority: .utility) { [self] in
      await Disk.warm()
      MainActor.assumeIsolated { isWarm = true }  // ← here
    }
  }
}

//// harmless: block of the main queue
import Foundation

@MainActor
final class HashModel {
  private(set) var digest = ""
  private let data: Data
  init(data: Data) { self.data = data }

  nonisolated func compute() {
    DispatchQueue.global().async {
      let digest = Digest.hex(of: self.data)
      DispatchQueue.main.async {
        MainActor.assumeIsolated { self.digest = digest }
      }
    }
  }
}

//// harmless: notification block on the main queue
import UIKit

@MainActor
final class BackupModel {
  private var token: NSObjectProtocol?
  private(set) var isStale = false

  func start() {
    token = NotificationCenter.default.addObserver(forName: .backupEnded, object: nil, queue: .main) { [weak self] _ in
      MainActor.assumeIsolated { self?.isStale = true }
    }
  }

  func stop() {
    token.map(NotificationCenter.default.removeObserver)
    token = nil
  }
}

//// harmless: a precondition proves the queue
import Foundation

@MainActor
final class Router {
  private var path: [String] = []

  nonisolated func open(_ route: String) {
    dispatchPrecondition(condition: .onQueue(.main))
    MainActor.assumeIsolated { path.append(route) }
  }
}

//// harmless: a timer of the main run loop
import Foundation

@MainActor
final class ClockModel {
  private(set) var seconds = 0
  private var timer: Timer?

  func start() {
    timer?.invalidate()
    timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] timer in
      MainActor.assumeIsolated {
        guard let self else { return timer.invalidate() }
        self.seconds += 1
      }
    }
  }

  func stop() { timer?.invalidate() }
}

//// harmless: application delegate methods run on main
import UIKit

final class LegacyBridge: NSObject, UITableViewDataSource {
  @MainActor var rows: [String] = []

  nonisolated func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    MainActor.assumeIsolated { rows.count }
  }

  nonisolated func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
    MainActor.assumeIsolated { tableView.dequeueReusableCell(withIdentifier: "row", for: indexPath) }
  }
}

//// harmless: a property of the project asks for the main thread
import Foundation

enum MainThread {
  static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }
}

final class Preview {
  @MainActor var text = ""

  nonisolated func update(_ text: String) {
    guard MainThread.isCurrent else { return }
    MainActor.assumeIsolated { self.text = text }
  }
}

//// harmless: the handler of a source of the main queue
import Foundation

@MainActor
final class FrameTimer {
  private let timer = DispatchSource.makeTimerSource(queue: .main)
  private(set) var frames = 0

  func start() {
    timer.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.frames += 1 } }
    timer.resume()
  }
}

//// hazard: the handler of a source of another queue
import Foundation

@MainActor
final class FrameTimer {
  private let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "frames"))
  private(set) var frames = 0

  func start() {
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.frames += 1 }  // ← here
    }
    timer.resume()
  }
}

//// harmless: the comment of the function promises the main queue
import Foundation

final class Receiver {
  @MainActor private(set) var values: [Int] = []

  /// Returns a closure for a binding. Call it only on the main queue.
  func receiver() -> @Sendable (Int) -> Void {
    { [weak self] value in MainActor.assumeIsolated { self?.values.append(value) } }
  }
}

//// harmless: the model calls back on main unless its owner names another queue
import Foundation

final class PriceModel {
  private let callbackQueue: DispatchQueue
  init(callbackQueue: DispatchQueue = .main) { self.callbackQueue = callbackQueue }
  func bind(_ observer: @escaping @Sendable (Int) -> Void) { callbackQueue.async { observer(0) } }
}

@MainActor
final class PriceScreen {
  private(set) var price = 0

  func open() {
    let model = PriceModel()
    model.bind { [weak self] price in MainActor.assumeIsolated { self?.price = price } }
  }
}

//// hazard: the model is made with a queue of its own
import Foundation

final class PriceModel {
  private let callbackQueue: DispatchQueue
  init(callbackQueue: DispatchQueue = .main) { self.callbackQueue = callbackQueue }
  func bind(_ observer: @escaping @Sendable (Int) -> Void) { callbackQueue.async { observer(0) } }
}

@MainActor
final class PriceScreen {
  private(set) var price = 0

  func open() {
    let model = PriceModel(callbackQueue: DispatchQueue(label: "prices"))
    model.bind { [weak self] price in
      MainActor.assumeIsolated { self?.price = price }  // ← here
    }
  }
}

//// harmless: Cocoa runs scripts on the main thread
import AppKit

final class OpenFeedCommand: NSScriptCommand {
  override func performDefaultImplementation() -> Any? {
    MainActor.assumeIsolated { Feeds.shared.open(directParameter as? String) }
    return nil
  }
}

//// harmless: Cocoa asks for object specifiers on the main thread
import AppKit

@objc final class ScriptableFeed: NSObject {
  override var objectSpecifier: NSScriptObjectSpecifier? {
    MainActor.assumeIsolated { makeSpecifier() }
  }
}

//// harmless: a local value in a function of the main actor
import Foundation

@MainActor
final class Library {
  private var names: [String] = []

  func first() -> String? {
    let first = MainActor.assumeIsolated { names.first }
    return first
  }
}

//// harmless: the function runs its closure in place
import Foundation

typealias BatchBlock = () -> Void

final class Batch {
  static let shared = Batch()

  func perform(_ block: BatchBlock) {
    block()
  }
}

@MainActor
final class FeedTree {
  private(set) var count = 0

  func rebuild() {
    Batch.shared.perform {
      MainActor.assumeIsolated { count += 1 }
    }
  }
}

//// hazard: the function keeps its closure
import Foundation

typealias LaterBlock = () -> Void

final class Pipeline {
  static let shared = Pipeline()
  private var blocks: [LaterBlock] = []

  func perform(_ block: @escaping LaterBlock) {
    blocks.append(block)
  }
}

@MainActor
final class FeedCounter {
  private(set) var count = 0

  func rebuild() {
    Pipeline.shared.perform {
      MainActor.assumeIsolated { self.count += 1 }  // ← here
    }
  }
}
