//// harmless: a private function that only the main actor calls
import Foundation

final class WatchHomeModel {
  private var pending: DispatchWorkItem?

  private func setStatus(_ status: String?) {
    pending?.cancel()
    pending = nil
  }

  @MainActor func start() { setStatus("Starting") }

  @MainActor private func waiting() { setStatus("Waiting") }

  func sync() {
    DispatchQueue.global().async {
      self.pull()
      self.waiting()
    }
    DispatchQueue.main.async { self.pending = nil }
  }
}

//// hazard: a private function that a background queue calls, too
import Foundation

final class WatchSyncModel {
  private var pending: DispatchWorkItem?

  private func setStatus(_ status: String?) {
    pending?.cancel()
    pending = nil  // ← here
  }

  @MainActor func start() { setStatus("Starting") }

  func sync() {
    DispatchQueue.global().async { self.setStatus("Syncing") }
    DispatchQueue.main.async { self.pending = nil }
  }
}

//// harmless: the session calls its delegate on the guard
import Foundation

final class Uploads: NSObject, URLSessionDataDelegate {
  private let dataQueue: DispatchQueue
  private let operations = OperationQueue()
  private var received: [Int: Data] = [:]

  override init() {
    let queue = DispatchQueue(label: "uploads")
    dataQueue = queue
    operations.underlyingQueue = queue
  }

  func start(_ id: Int) { dataQueue.async { self.received[id] = Data() } }
  func cancel(_ id: Int) { dataQueue.async { self.received[id] = nil } }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    received[dataTask.taskIdentifier]?.append(data)
  }
}

//// hazard: the session calls its delegate on another queue
import Foundation

final class Downloads: NSObject, URLSessionDataDelegate {
  private let dataQueue = DispatchQueue(label: "downloads")
  private let sessionQueue = DispatchQueue(label: "session")
  private let operations = OperationQueue()
  private var received: [Int: Data] = [:]

  override init() { operations.underlyingQueue = sessionQueue }

  func start(_ id: Int) { dataQueue.async { self.received[id] = Data() } }
  func cancel(_ id: Int) { dataQueue.async { self.received[id] = nil } }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    received[dataTask.taskIdentifier]?.append(data)  // ← here
  }
}
