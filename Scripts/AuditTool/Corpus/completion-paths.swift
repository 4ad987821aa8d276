//// hazard: guard returns without the handler
import Foundation

final class ProfileRepository {
  private let session: URLSession
  init(session: URLSession) { self.session = session }

  func loadProfile(id: String, completion: @escaping (Result<Profile, Error>) -> Void) {
    guard let url = URL(string: "https://api.example.com/users/\(id)") else {
      return  // ← here
    }
    session.dataTask(with: url) { data, _, error in
      if let error {
        completion(.failure(error))
      } else {
        completion(Result { try JSONDecoder().decode(Profile.self, from: data ?? Data()) })
      }
    }.resume()
  }
}

//// hazard: error branch falls through to the success call
import Foundation

class OrderService {
  let api: OrderAPI
  init(api: OrderAPI) { self.api = api }

  func submit(_ order: Order, then handler: @escaping (OrderReceipt?, Error?) -> Void) {
    api.post(order) { response, error in
      if error != nil {
        handler(nil, error)
      }
      let receipt = OrderReceipt(response)
      handler(receipt, nil)  // ← here
    }
  }
}

//// hazard: a case of the switch forgets the reply
import Foundation

final class PermissionGate {
  enum Status { case granted, denied, undetermined }
  private let prompt: PermissionPrompt
  init(prompt: PermissionPrompt) { self.prompt = prompt }

  func requestAccess(for feature: String, onFinish: @escaping (Bool) -> Void) {
    switch prompt.status(of: feature) {  // ← here
    case .granted:
      onFinish(true)
    case .denied:
      print("denied before: \(feature)")
    case .undetermined:
      prompt.ask(feature) { answer in onFinish(answer) }
    }
  }
}

//// hazard: weak self guard swallows the callback
import UIKit

final class AvatarLoader {
  private let cache = NSCache<NSString, UIImage>()
  private let queue = DispatchQueue(label: "avatars")

  func avatar(for name: String, completionHandler: @escaping (UIImage?) -> Void) {
    queue.async { [weak self] in
      guard let self = self else { return }  // ← here
      if let hit = self.cache.object(forKey: name as NSString) {
        DispatchQueue.main.async { completionHandler(hit) }
        return
      }
      let image = UIImage(named: name)
      DispatchQueue.main.async { completionHandler(image) }
    }
  }
}

//// hazard: catch block logs and ends
import Foundation

struct SettingsStore {
  let fileURL: URL

  func read(_ callback: @escaping (Settings) -> Void) {
    DispatchQueue.global(qos: .utility).async {
      do {
        let data = try Data(contentsOf: fileURL)
        let settings = try PropertyListDecoder().decode(Settings.self, from: data)
        DispatchQueue.main.async { callback(settings) }
      } catch {  // ← here
        NSLog("settings unreadable: %@", error.localizedDescription)
      }
    }
  }
}

//// hazard: cached value is delivered and then loaded again
import Foundation

final class ExchangeRates {
  private var cached: [String: Double]?
  private let client: RatesClient
  init(client: RatesClient) { self.client = client }

  func rates(completion: @escaping ([String: Double]) -> Void) {
    if let cached = cached {
      completion(cached)
    }
    client.fetchRates { [weak self] rates in
      self?.cached = rates
      completion(rates)  // ← here
    }
  }
}

//// hazard: loop calls the handler once per failing item
import Foundation

extension UploadQueue {
  func uploadAll(_ files: [UploadFile], completion: @escaping (Error?) -> Void) {
    for file in files {
      do {
        try store(file)
      } catch {
        completion(error)  // ← here
      }
    }
    completion(nil)
  }
}

//// hazard: status code check drops the answer
import Foundation

final class LoginAPI {
  typealias Completion = (Result<Token, LoginError>) -> Void

  func signIn(user: String, password: String, completion: @escaping Completion) {
    var request = URLRequest(url: .login)
    request.httpMethod = "POST"
    URLSession.shared.dataTask(with: request) { data, response, error in
      guard error == nil else { completion(.failure(.offline)); return }
      guard let http = response as? HTTPURLResponse, http.statusCode == 200, let data else { return }  // ← here
      completion(.success(Token(data)))
    }.resume()
  }
}

//// harmless: every guard answers before it returns
import Foundation

final class ProfileRepository {
  private let session: URLSession
  init(session: URLSession) { self.session = session }

  func loadProfile(id: String, completion: @escaping (Result<Profile, Error>) -> Void) {
    guard let url = URL(string: "https://api.example.com/users/\(id)") else {
      completion(.failure(URLError(.badURL)))
      return
    }
    session.dataTask(with: url) { data, _, error in
      if let error {
        completion(.failure(error))
        return
      }
      completion(Result { try JSONDecoder().decode(Profile.self, from: data ?? Data()) })
    }.resume()
  }
}

//// harmless: defer calls the handler on each path
import Foundation

final class Importer {
  func importContacts(from data: Data, completion: @escaping (Int) -> Void) {
    var count = 0
    defer { completion(count) }
    guard !data.isEmpty else { return }
    guard let rows = try? JSONDecoder().decode([String].self, from: data) else { return }
    count = rows.count
  }
}

//// harmless: handler is handed on to the next call
import Foundation

final class CheckoutInteractor {
  private let payment: PaymentService
  init(payment: PaymentService) { self.payment = payment }

  func pay(_ amount: Decimal, completion: @escaping (Result<Receipt, Error>) -> Void) {
    guard amount > 0 else {
      return completion(.failure(PaymentError.invalidAmount))
    }
    payment.charge(amount, completion: completion)
  }
}

//// harmless: progress closure is meant to be called often
import Foundation

final class Downloader {
  func download(_ parts: [URL], progress: @escaping (Double) -> Void) {
    for (index, part) in parts.enumerated() {
      guard let size = try? Data(contentsOf: part).count else { continue }
      print(size)
      progress(Double(index + 1) / Double(parts.count))
    }
  }
}

//// harmless: optional handler is called in all cases
import Foundation

final class PermissionGate {
  private let prompt: PermissionPrompt
  init(prompt: PermissionPrompt) { self.prompt = prompt }

  func requestAccess(for feature: String, completion: ((Bool) -> Void)? = nil) {
    switch prompt.status(of: feature) {
    case .granted: completion?(true)
    case .denied, .restricted: completion?(false)
    case .undetermined: prompt.ask(feature) { completion?($0) }
    @unknown default: fatalError("unknown status")
    }
  }
}

//// harmless: the result is computed in branches and delivered once
import Foundation

struct SettingsStore {
  let fileURL: URL

  func read(completion: @escaping (Result<Settings, Error>) -> Void) {
    DispatchQueue.global(qos: .utility).async {
      let result: Result<Settings, Error>
      do {
        let data = try Data(contentsOf: fileURL)
        result = .success(try PropertyListDecoder().decode(Settings.self, from: data))
      } catch {
        result = .failure(error)
      }
      DispatchQueue.main.async { completion(result) }
    }
  }
}

//// harmless: handler is stored and answered later
import Foundation

final class TokenRefresher {
  private var waiting: [(Result<Token, Error>) -> Void] = []
  private var isRefreshing = false
  private let api: TokenAPI
  init(api: TokenAPI) { self.api = api }

  func token(completion: @escaping (Result<Token, Error>) -> Void) {
    dispatchPrecondition(condition: .onQueue(.main))
    waiting.append(completion)
    guard !isRefreshing else { return }
    isRefreshing = true
    api.refresh { result in
      DispatchQueue.main.async { self.answer(result) }
    }
  }

  private func answer(_ result: Result<Token, Error>) {
    isRefreshing = false
    let handlers = waiting
    waiting = []
    handlers.forEach { $0(result) }
  }
}

//// harmless: a promise is fulfilled or rejected
import Foundation

final class TokenSource {
  func refresh(completion: @escaping (Result<Token, any Error>) -> Void) {
    firstly {
      client.refresh()
    }.done { token in
      completion(.success(token))
    }.catch { error in
      completion(.failure(error))
    }
  }
}

//// harmless: one of two closures of a call answers
import Foundation

final class Uploader {
  func upload(_ file: URL, completionHandler: @escaping ((any Error)?) -> Void) {
    core.importItem(
      file,
      placeholder: { error in
        if let error { completionHandler(error) }
      },
      resultHandler: { error in completionHandler(error) })
  }
}

//// harmless: the result says that nothing has begun
import Foundation

final class LinkResolver {
  func resolve(_ link: URL, completion: @escaping (Item?) -> Void) -> Bool {
    guard link.isPrivate else { return false }
    client.item(at: link) { item in completion(item) }
    return true
  }
}

//// harmless: a handler of signals is a C function
import Foundation

func install(_ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
  guard !isIgnored(signal) else { return }
  var action = sigaction(handler)
  sigaction(signal, &action, nil)
}

//// harmless: the caller ends the task with its token
import Foundation

func observe(_ values: Values, completion: @escaping @Sendable (Result<Void, any Error>) -> Void) -> CancellationToken {
  let task = Task {
    let result = await values.forEach()
    if let result { completion(result) }
  }
  return CancellationToken { task.cancel() }
}

//// harmless: a handler for one state of a gesture
import UIKit

extension UIView {
  func fade(using gesture: UIGestureRecognizer?, completion: @escaping () -> Void) {
    guard let gesture else { return }
    if gesture.state == .ended { completion() }
  }
}

//// harmless: the sensor reports until the handler is called
import CoreMotion

final class ShakeService {
  private let manager = CMMotionManager()
  func awaitShake(completion: @escaping () -> Void) {
    manager.startDeviceMotionUpdates(to: .main) { data, _ in
      guard let data, data.userAcceleration.x > 1 else { return }
      self.manager.stopDeviceMotionUpdates()
      completion()
    }
  }
}

//// harmless: two patterns are all cases of a result
final class NewsRepository {
  func upcoming(completion: @escaping (Result<[News], any Error>) -> Void) {
    service.request { result in
      if case let .success(news) = result {
        completion(.success(news))
      } else if case .failure(let error) = result {
        completion(.failure(error))
      }
    }
  }
}

//// hazard: a success without a value is in neither pattern
final class PollRepository {
  func poll(completion: @escaping (Result<Poll, any Error>) -> Void) {
    service.request { result in
      if case let .success(poll?) = result {
        completion(.success(poll))
      } else if case let .failure(error) = result {
        completion(.failure(error))
      }
    }  // ← here
  }
}
