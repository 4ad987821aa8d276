//// hazard: optional chain ends at nil and the handler is not called
import Foundation

final class SyncEngine {
  private weak var session: RemoteSession?
  func push(_ change: Change, completion: @escaping (Error?) -> Void) {
    session?.send(change) { error in  // ← here
      completion(error)
    }
  }
}

//// hazard: a handler given to a weak pipeline
import UIKit

protocol ImagePipeline: AnyObject { func decode(_ data: Data, completion: @escaping (UIImage?) -> Void) }
final class Avatar {
  private weak var pipeline: (any ImagePipeline)?
  func image(_ data: Data, completionHandler: @escaping (UIImage?) -> Void) {
    self.pipeline?.decode(data, completion: completionHandler)  // ← here
  }
}

//// harmless: optional chain in a logger, then the answer
import Foundation

final class Writer {
  weak var logger: Logger?
  func write(_ data: Data, completion: @escaping (Bool) -> Void) {
    logger?.log("write")
    store(data) { ok in
      self.logger?.log("done")
      completion(ok)
    }
  }
}

//// harmless: the receiver has just been made
final class CredentialStore {
  private var client: CredentialClient?

  func save(_ key: Key, completion: @escaping (Error?) -> Void) {
    client = CredentialClient()
    client?.save(key) { [weak self] error in
      completion(error)
      self?.client = nil
    }
  }
}

//// hazard: the receiver has been made if there is a server
final class TokenStore {
  private var client: TokenClient?

  func save(_ token: Token, completion: @escaping (Error?) -> Void) {
    client = servers.first.map { TokenClient($0) }
    client?.save(token) { completion($0) }  // ← here
  }
}

//// harmless: the loop ends with the flag that its last round clears
final class Converter {
  func convert(_ reader: Reader, completion: ((Error?) -> Void)?) {
    var isReading = true
    while reader.isReady, isReading {
      if let sample = reader.next() {
        append(sample)
      } else {
        switch reader.status {
        case .failed: completion?(reader.error)
        default: completion?(nil)
        }
        isReading = false
      }
    }
  }
}

//// hazard: the loop goes on after an answer
final class Importer {
  func importAll(_ reader: Reader, completion: @escaping (Error?) -> Void) {
    var isReading = true
    while isReading {
      guard let item = reader.next() else {
        isReading = false
        continue
      }
      if !save(item) { completion(reader.error) }  // ← here
    }
    completion(nil)
  }
}

//// harmless: the handler goes into a box
import CloudKit

final class Zone {
  func fetch(_ id: String, completion: @escaping (Result<CKRecord, any Error>) -> Void) {
    let box = Box(zone: self, completion: completion)
    database?.fetch(id) { record, error in
      guard let zone = box.zone else { return }
      if let record { box.completion(.success(record)) } else { zone.report(error) }
    }
  }
}

//// harmless: a function asks itself again
final class Query {
  func run(_ cursor: Cursor, completion: @escaping (Result<[Row], any Error>) -> Void) {
    operation.resultBlock = { result in
      Task { @MainActor in
        switch result {
        case .success(let next?): self.run(next) { completion($0) }
        case .success(nil): completion(.success([]))
        case .failure(let error):
          self.makeTable { result in
            switch result {
            case .success: self.run(cursor, completion: completion)
            case .failure: completion(.failure(error))
            }
          }
        }
      }
    }
  }
}

//// hazard: a function asks itself again, or ends
final class Crawl {
  func run(_ cursor: Cursor, completion: @escaping (Result<[Row], any Error>) -> Void) {
    operation.resultBlock = { result in
      switch result {
      case .success(let next): self.run(next) { completion($0) }
      case .failure(let error): self.log(error)
      }
    }  // ← here
  }
}

//// harmless: a function hands its answer to another call of itself
final class Batches {
  func save(_ items: [Item], completion: @escaping (Error?) -> Void) {
    guard !items.isEmpty else {
      completion(nil)
      return
    }
    service.save(items) { error in
      guard error == .limitExceeded else {
        completion(error)
        return
      }
      self.save(Array(items.prefix(200))) { error in
        guard error == nil else {
          completion(error)
          return
        }
        self.save(Array(items.dropFirst(200)), completion: completion)
      }
    }
  }
}

//// harmless: a local function saves one part after the other
final class Chunks {
  func save(_ items: [Item], completion: @escaping (Error?) -> Void) {
    service.save(items) { error in
      guard error == .limitExceeded else {
        completion(error)
        return
      }
      var parts = items.chunked(into: 200)
      func saveNext() {
        if let part = parts.popLast() {
          self.save(part) { error in
            if let error { completion(error) } else { saveNext() }
          }
        } else {
          completion(nil)
        }
      }
      saveNext()
    }
  }
}
