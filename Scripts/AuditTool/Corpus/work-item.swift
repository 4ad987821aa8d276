//// hazard: new item without a cancel of the old one
import Foundation

final class SearchModel {
  private var work: DispatchWorkItem?
  var search: (String) -> Void = { _ in }

  func changed(_ text: String) {
    let item = DispatchWorkItem { [weak self] in self?.search(text) }
    work = item  // ← here
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.4, execute: item)
  }
}

//// hazard: item is kept in a local variable
import UIKit

final class FilterController: UIViewController, UISearchBarDelegate {
  private let store = FilterStore()

  func searchBar(_ searchBar: UISearchBar, textDidChange text: String) {
    let task = DispatchWorkItem { [store] in store.apply(text) }  // ← here
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(300), execute: task)
  }
}

//// hazard: debounce task is replaced and not cancelled
import Foundation

@MainActor
final class AutosaveModel {
  private var saving: Task<Void, Error>?
  private let disk: Disk
  init(disk: Disk) { self.disk = disk }
  deinit { saving?.cancel() }

  func edited(_ text: String) {
    saving = Task { [disk] in  // ← here
      try await Task.sleep(for: .seconds(2))
      try await disk.write(text)
    }
  }
}

//// hazard: cancel comes after the replacement
import Foundation

final class Debouncer {
  private var workItem: DispatchWorkItem?
  private let queue: DispatchQueue
  init(queue: DispatchQueue = .main) { self.queue = queue }

  func call(_ action: @escaping () -> Void) {
    workItem = DispatchWorkItem(block: action)
    workItem?.cancel()  // ← here
    queue.asyncAfter(deadline: .now() + 0.5, execute: workItem!)
  }
}

//// hazard: screen goes away while the item waits
import UIKit

final class SliderController: UIViewController {
  private var pendingCommit: DispatchWorkItem?
  var commit: (Float) -> Void = { _ in }

  @objc private func sliderMoved(_ slider: UISlider) {
    let value = slider.value
    if slider.isTracking {
      pendingCommit = nil  // ← here
    }
    let item = DispatchWorkItem { [commit] in commit(value) }
    pendingCommit = item
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.2, execute: item)
  }
}

//// hazard: async after with a closure debounces nothing
import Foundation

final class AddressLookup {
  private let geocoder: AddressService
  var onResult: (([Address]) -> Void)?
  init(geocoder: AddressService) { self.geocoder = geocoder }

  func typed(_ text: String) {
    let lookup = DispatchWorkItem { [weak self] in  // ← here
      guard let self else { return }
      self.onResult?(self.geocoder.matches(text))
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.25, execute: lookup)
  }
}

//// harmless: old item is cancelled first
import Foundation

final class SearchModel {
  private var work: DispatchWorkItem?
  var search: (String) -> Void = { _ in }

  func changed(_ text: String) {
    work?.cancel()
    let item = DispatchWorkItem { [weak self] in self?.search(text) }
    work = item
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.4, execute: item)
  }

  deinit { work?.cancel() }
}

//// harmless: didSet cancels the old value
import Foundation

final class Debouncer {
  private var workItem: DispatchWorkItem? {
    didSet { oldValue?.cancel() }
  }

  func call(_ action: @escaping () -> Void) {
    let item = DispatchWorkItem(block: action)
    workItem = item
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.5, execute: item)
  }

  deinit { workItem?.cancel() }
}

//// harmless: task is cancelled before the next one
import Foundation

@MainActor
final class AutosaveModel {
  private var saving: Task<Void, Error>?
  private let disk: Disk
  init(disk: Disk) { self.disk = disk }
  deinit { saving?.cancel() }

  func edited(_ text: String) {
    saving?.cancel()
    saving = Task { [disk] in
      try await Task.sleep(for: .seconds(2))
      try await disk.write(text)
    }
  }
}

//// harmless: work item runs at once on a queue
import Foundation

final class Archiver {
  private let queue = DispatchQueue(label: "archive")

  func archive(_ items: [Item], done: @escaping () -> Void) {
    let work = DispatchWorkItem { items.forEach { $0.compress() } }
    work.notify(queue: .main, execute: done)
    queue.async(execute: work)
  }
}

//// harmless: first item wins until it has run
import Foundation

final class LayoutCoalescer {
  private var scheduled: DispatchWorkItem?
  var layout: () -> Void = {}

  func setNeedsLayout() {
    guard scheduled == nil else { return }
    let item = DispatchWorkItem { [weak self] in
      self?.scheduled = nil
      self?.layout()
    }
    scheduled = item
    DispatchQueue.main.async(execute: item)
  }
}

//// harmless: the caller cancels the work with a token
import Foundation

struct Scheduler {
  func schedule(after delay: Double, on queue: DispatchQueue, _ work: @escaping () -> Void) -> CancellationToken {
    let scheduled = Scheduled(work)
    queue.asyncAfter(deadline: .now() + delay) { scheduled.take()?() }
    return CancellationToken { scheduled.drop() }
  }
}

//// harmless: the task ends if its sleep is cancelled
import Foundation

final class Debouncer {
  private var task: Task<Void, Never>?

  func debounce(_ value: Int) {
    task?.cancel()
    task = Task {
      guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
      send(value)
    }
  }

  func send(_ value: Int) {}
}

//// harmless: the delay ends what has been awaited
import UIKit

final class ProfileViewController: UIViewController {
  @objc private func refreshValueChanged(_ sender: UIRefreshControl) {
    Task {
      await viewModel.reload()
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) { sender.endRefreshing() }
    }
  }

  private let viewModel = ProfileModel()
}

//// harmless: a word of search names what a person does once
import UIKit

final class LoginsViewController: UIViewController {
  private var opensSearch = true

  private func openSearchIfRequired() {
    guard opensSearch else { return }
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.2) {
      self.searchController.searchBar.searchTextField.becomeFirstResponder()
    }
    opensSearch = false
  }
}

//// harmless: a loader is dismissed after a time
import SwiftUI

struct ServersView: View {
  private func scheduleLoaderDismissal(after delay: CGFloat) {
    DispatchQueue.main.asyncAfter(deadline: .now() + delay) { hideLoader() }
  }

  private func scheduleHint() {
    DispatchQueue.main.asyncAfter(deadline: .now() + 3) {
      hint.text = "Still there"
      showsText = true
    }
  }
}

//// harmless: a sheet changes its size
import UIKit

final class ReportSheet: NSObject, UISheetPresentationControllerDelegate {
  func sheetPresentationControllerDidChangeSelectedDetentIdentifier(_ sheet: UISheetPresentationController) {
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.1) { self.viewModel.showReport() }
  }
}

//// hazard: a lookup of each text
import Foundation

final class Places {
  func lookup(_ address: String) {
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.4) { self.geocode(address) }  // ← here
  }
}

//// hazard: a filter that reads the text of its field
import UIKit

final class ContactsViewController: UIViewController {
  @objc private func filter() {
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.25) {  // ← here
      self.reload(matching: self.searchField.text)
    }
  }
}
