//// hazard: url session handler changes a main-actor model
import Foundation

@MainActor
final class ArticleModel {
  private(set) var text = ""

  func load(_ url: URL) {
    let task = URLSession.shared.dataTask(with: url) { [weak self] data, _, _ in  // ← here
      self?.text = String(decoding: data ?? Data(), as: UTF8.self)
    }
    task.resume()
  }
}

//// hazard: photo authorization in a view controller
import Photos
import UIKit

final class PickerViewController: UIViewController {
  private let label = UILabel()

  func askForPhotos() {
    PHPhotoLibrary.requestAuthorization(for: .readWrite) { [weak self] status in  // ← here
      self?.label.text = status == .authorized ? "Thanks" : "No access"
    }
  }
}

//// hazard: notification settings update a published value
import UserNotifications

@MainActor
final class NotificationSettingsModel: ObservableObject {
  @Published var isAllowed = false

  func refresh() {
    UNUserNotificationCenter.current().getNotificationSettings { settings in  // ← here
      self.isAllowed = settings.authorizationStatus == .authorized
    }
  }
}

//// hazard: path monitor on a queue of its own
import Network

@MainActor @Observable
final class ConnectivityModel {
  var isOnline = true
  @ObservationIgnored private let monitor = NWPathMonitor()

  func start() {
    monitor.pathUpdateHandler = { [weak self] path in  // ← here
      self?.isOnline = path.status == .satisfied
    }
    monitor.start(queue: DispatchQueue(label: "connectivity"))
  }

  func stop() { monitor.cancel() }
}

//// hazard: biometric reply sets the label
import LocalAuthentication
import UIKit

class LockViewController: UIViewController {
  @IBOutlet var statusLabel: UILabel!
  private let context = LAContext()

  @IBAction func unlock() {
    context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Unlock") { success, error in  // ← here
      self.statusLabel.text = success ? "Open" : error?.localizedDescription
    }
  }
}

//// hazard: camera permission starts the session
import AVFoundation
import UIKit

final class CameraViewController: UIViewController {
  private let preview = UIView()

  override func viewDidLoad() {
    super.viewDidLoad()
    AVCaptureDevice.requestAccess(for: .video) { [preview] granted in  // ← here
      preview.isHidden = !granted
    }
  }
}

//// hazard: health query answers on a background queue
import HealthKit

@MainActor
final class StepsModel: ObservableObject {
  @Published private(set) var steps = 0.0
  private let store = HKHealthStore()

  func load(_ type: HKQuantityType) {
    let query = HKStatisticsQuery(quantityType: type, quantitySamplePredicate: nil, options: .cumulativeSum) { [weak self] _, result, _ in  // ← here
      self?.steps = result?.sumQuantity()?.doubleValue(for: .count()) ?? 0
    }
    store.execute(query)
  }
}

//// hazard: motion updates on an operation queue
import CoreMotion

@MainActor
final class LevelModel {
  private(set) var tilt = 0.0
  private let manager = CMMotionManager()
  private let updates = OperationQueue()

  func start() {
    manager.startDeviceMotionUpdates(to: updates) { [weak self] motion, _ in  // ← here
      self?.tilt = motion?.attitude.roll ?? 0
    }
  }

  func stop() { manager.stopDeviceMotionUpdates() }
}

//// hazard: core data perform in a main-actor class
import CoreData

@MainActor
final class ImportModel {
  private(set) var imported = 0

  func run(_ container: NSPersistentContainer, rows: [Row]) {
    container.performBackgroundTask { [weak self] context in  // ← here
      rows.forEach { $0.insert(into: context) }
      try? context.save()
      self?.imported = rows.count
    }
  }
}

//// harmless: the handler goes to the main queue
import Photos
import UIKit

final class PickerViewController: UIViewController {
  private let label = UILabel()

  func askForPhotos() {
    PHPhotoLibrary.requestAuthorization(for: .readWrite) { status in
      DispatchQueue.main.async { [weak self] in
        self?.label.text = status == .authorized ? "Thanks" : "No access"
      }
    }
  }
}

//// harmless: sendable closure with a task for the main actor
import UserNotifications

@MainActor
final class NotificationSettingsModel {
  private(set) var isAllowed = false

  func refresh() {
    UNUserNotificationCenter.current().getNotificationSettings { @Sendable [weak self] settings in
      let allowed = settings.authorizationStatus == .authorized
      Task { @MainActor in self?.isAllowed = allowed }
    }
  }
}

//// harmless: monitor is started on the main queue
import Network

@MainActor
final class ConnectivityModel {
  private(set) var isOnline = true
  private let monitor = NWPathMonitor()

  func start() {
    monitor.pathUpdateHandler = { [weak self] path in
      MainActor.assumeIsolated { self?.isOnline = path.status == .satisfied }
    }
    monitor.start(queue: .main)
  }

  func stop() { monitor.cancel() }
}

//// harmless: motion updates on the main operation queue
import CoreMotion

@MainActor
final class LevelModel {
  private(set) var tilt = 0.0
  private let manager = CMMotionManager()

  func start() {
    manager.startDeviceMotionUpdates(to: .main) { [weak self] motion, _ in
      self?.tilt = motion?.attitude.roll ?? 0
    }
  }

  func stop() { manager.stopDeviceMotionUpdates() }
}

//// harmless: async variant of the call
import AVFoundation
import UIKit

final class CameraViewController: UIViewController {
  private let preview = UIView()
  private var asking: Task<Void, Never>?

  override func viewDidLoad() {
    super.viewDidLoad()
    asking = Task { [preview] in
      preview.isHidden = await !AVCaptureDevice.requestAccess(for: .video)
    }
  }

  deinit { asking?.cancel() }
}

//// harmless: session with a delegate queue of main
import Foundation

@MainActor
final class ArticleModel {
  private(set) var text = ""
  private let session = URLSession(configuration: .default, delegate: nil, delegateQueue: .main)
  private let url: URL
  init(url: URL) { self.url = url }

  func load() {
    session.dataTask(with: url) { [weak self] data, _, _ in
      self?.text = String(decoding: data ?? Data(), as: UTF8.self)
    }.resume()
  }
}

//// harmless: data task in a class without isolation
import Foundation

final class RawClient {
  func bytes(_ url: URL, completion: @escaping (Data?) -> Void) {
    URLSession.shared.dataTask(with: url) { data, _, _ in
      completion(data)
    }.resume()
  }
}

//// hazard: delegate called on an own serial queue
import UIKit

protocol RecorderOutput: AnyObject { func recorder(didUpdate level: Float) }
final class Recorder {
  private let queue = DispatchQueue(label: "recorder")
  weak var output: RecorderOutput?
  func sample(_ level: Float) { queue.async { [weak self] in self?.output?.recorder(didUpdate: level) } }
}
final class MeterView: UIView, RecorderOutput {
  func recorder(didUpdate level: Float) { setNeedsDisplay() }  // ← here
}

//// harmless: the delegate's method hops
import UIKit

protocol RecorderOutput: AnyObject { func recorder(didUpdate level: Float) }
final class Recorder {
  private let queue = DispatchQueue(label: "recorder")
  weak var output: RecorderOutput?
  func sample(_ level: Float) { queue.async { [weak self] in self?.output?.recorder(didUpdate: level) } }
}
final class MeterView: UIView, RecorderOutput {
  func recorder(didUpdate level: Float) { DispatchQueue.main.async { self.setNeedsDisplay() } }
}

//// hazard: delegate through a private helper on a queue
import UIKit

protocol SyncerDelegate: AnyObject { func syncerDidFinish(_ syncer: Syncer, count: Int) }
final class Syncer {
  weak var delegate: SyncerDelegate?
  private let worker = DispatchQueue(label: "sync", qos: .utility)
  func run() { worker.async { self.process() } }
  private func process() {
    let count = store.flush()
    delegate?.syncerDidFinish(self, count: count)  // ← here
  }
}
final class SyncController: UIViewController, SyncerDelegate {
  @IBOutlet var countLabel: UILabel!
  func syncerDidFinish(_ syncer: Syncer, count: Int) { countLabel.text = "\(count)" }
}

//// hazard: global queue in a view controller
import UIKit

final class ReportController: UIViewController {
  private let progressBar = UIProgressView()
  private let titleLabel = UILabel()
  func export() {
    DispatchQueue.global(qos: .background).async { [weak self] in
      let report = Report.make()
      self?.titleLabel.text = report.title  // ← here
    }
  }
}

//// harmless: global queue with a hop
import UIKit

final class ReportController: UIViewController {
  private let titleLabel = UILabel()
  func export() {
    DispatchQueue.global(qos: .background).async { [weak self] in
      let report = Report.make()
      DispatchQueue.main.async { self?.titleLabel.text = report.title }
    }
  }
}

//// harmless: the service calls its delegate on main
import UIKit

protocol ScannerDelegate: AnyObject { func scanner(_ scanner: Scanner, found code: String) }
final class Scanner {
  weak var delegate: ScannerDelegate?
  func scan() {
    DispatchQueue.global(qos: .userInitiated).async {
      let code = decode()
      DispatchQueue.main.async { self.delegate?.scanner(self, found: code) }
    }
  }
}
final class ScanController: UIViewController, ScannerDelegate {
  let label = UILabel()
  func scanner(_ scanner: Scanner, found code: String) { label.text = code }
}
