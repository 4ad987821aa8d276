//// hazard: sync onto main from a background helper
import UIKit

final class ExportJob {
  let progressView: UIProgressView
  init(progressView: UIProgressView) { self.progressView = progressView }

  func step(_ value: Float) {
    DispatchQueue.main.sync {  // ← here
      progressView.progress = value
    }
  }
}

//// hazard: own serial queue waits for itself
import Foundation

final class BookmarkStore {
  private let queue = DispatchQueue(label: "bookmarks")
  private var bookmarks: [Bookmark] = []

  func add(_ bookmark: Bookmark) {
    queue.async {
      guard !self.contains(bookmark) else { return }
      self.bookmarks.append(bookmark)
    }
  }

  func contains(_ bookmark: Bookmark) -> Bool {
    queue.sync { bookmarks.contains(bookmark) }  // ← here
  }
}

//// hazard: nested sync on the same queue
import Foundation

class ImageIndex {
  let ioQueue = DispatchQueue(label: "image-index")
  var names: Set<String> = []

  func insert(_ name: String) {
    ioQueue.sync {
      names.insert(name)
      ioQueue.sync { self.persist() }  // ← here
    }
  }

  func persist() {}
}

//// hazard: lazily created shared value goes through main
import Foundation

enum DeviceInfo {
  static let model: String = DispatchQueue.main.sync {  // ← here
    Device.current.model
  }
}

//// hazard: property that reads through sync is used on the queue
import Foundation

final class PlaybackState {
  private let stateQueue = DispatchQueue(label: "playback.state")
  private var _position = 0.0

  var position: Double {
    stateQueue.sync { _position }
  }

  func advance(by seconds: Double) {
    stateQueue.async { [weak self] in
      guard let self else { return }
      self._position = self.position + seconds  // ← here
    }
  }
}

//// hazard: barrier sync from inside a read
import Foundation

final class Registry {
  private let access = DispatchQueue(label: "registry", attributes: .concurrent)
  private var services: [String: AnyObject] = [:]

  func resolve(_ name: String) -> AnyObject? {
    access.sync {
      if services[name] == nil {
        access.sync(flags: .barrier) { services[name] = Factory.make(name) }  // ← here
      }
      return services[name]
    }
  }
}

//// harmless: sync for a getter, async for the change
import Foundation

final class BookmarkStore {
  private let queue = DispatchQueue(label: "bookmarks")
  private var bookmarks: [Bookmark] = []

  var count: Int { queue.sync { bookmarks.count } }

  func add(_ bookmark: Bookmark) {
    queue.async {
      guard !self.bookmarks.contains(bookmark) else { return }
      self.bookmarks.append(bookmark)
    }
  }
}

//// harmless: main is asked only when it is another thread
import Foundation

func onMain<T>(_ work: () -> T) -> T {
  if Thread.isMainThread { return work() }
  return DispatchQueue.main.sync(execute: work)
}

//// harmless: sync onto another queue in a fixed order
import Foundation

final class Pipeline {
  private let decode = DispatchQueue(label: "decode")
  private let store = DispatchQueue(label: "store")
  private var frames: [Frame] = []

  func accept(_ data: Data) {
    decode.async {
      let frame = Frame(data)
      self.store.sync { self.frames.append(frame) }
    }
  }
}

//// harmless: the caller copies its value before it waits
import Foundation

final class Settings {
  private let lockQueue = DispatchQueue(label: "settings")
  private var values: [String: String] = [:]

  func value(_ key: String) -> String? { lockQueue.sync { values[key] } }

  func update(_ key: String, _ change: @escaping (String?) -> String) {
    let old = value(key)
    lockQueue.async { self.values[key] = change(old) }
  }
}

//// harmless: queue specific key tells where the code runs
import Foundation

final class Engine {
  private let key = DispatchSpecificKey<Bool>()
  private let queue = DispatchQueue(label: "engine")
  private var cycles = 0

  init() { queue.setSpecific(key: key, value: true) }

  func run(_ body: () -> Void) {
    if DispatchQueue.getSpecific(key: key) == true {
      body()
    } else {
      queue.sync(execute: body)
    }
  }
}

//// harmless: a screen asks for its thread before it waits for main
import UIKit

final class BadgeViewController: UIViewController {
  private let badge = UILabel()

  nonisolated func show(_ count: Int) {
    if Thread.isMainThread { apply(count) } else { DispatchQueue.main.sync { apply(count) } }
  }

  func refresh(_ counter: Counter) {
    counter.count { count in
      if Thread.isMainThread { self.apply(count) } else { DispatchQueue.main.sync { self.apply(count) } }
    }
  }

  func update(_ count: Int) {
    if Thread.isMainThread {
      apply(count)
    } else {
      DispatchQueue.main.sync { apply(count) }
    }
  }

  private func apply(_ count: Int) { badge.text = String(count) }
}

//// harmless: a getter returns at once on the main thread
import UIKit

final class Insets {
  var top: CGFloat {
    guard !Thread.isMainThread else { return Window.key.safeAreaInsets.top }
    return DispatchQueue.main.sync { Window.key.safeAreaInsets.top }
  }
}

//// hazard: the branch for the main thread waits for main
import UIKit

final class BadgeViewController: UIViewController {
  private let badge = UILabel()

  func update(_ count: Int) {
    if Thread.isMainThread {
      DispatchQueue.main.sync { badge.text = String(count) }  // ← here
    } else {
      DispatchQueue.main.async { self.badge.text = String(count) }
    }
  }
}
