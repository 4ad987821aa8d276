//// hazard: controller binds in its initializer
import UIKit

final class BalanceViewController: UIViewController {
  private let viewModel: BalanceViewModel
  @IBOutlet private var amountLabel: UILabel!

  init(viewModel: BalanceViewModel) {
    self.viewModel = viewModel
    super.init(nibName: "Balance", bundle: nil)
    viewModel.onChange = { [weak self] amount in  // ← here
      self?.amountLabel.text = amount
    }
  }

  required init?(coder: NSCoder) { nil }
}

//// hazard: sink in init of a table controller
import Combine
import UIKit

class ReminderTableViewController: UITableViewController {
  private var cancellables: Set<AnyCancellable> = []
  private var reminders: [Reminder] = []

  init(store: ReminderStore) {
    super.init(style: .plain)
    store.$reminders
      .sink { [weak self] reminders in  // ← here
        self?.reminders = reminders
        self?.tableView.reloadData()
      }
      .store(in: &cancellables)
  }

  required init?(coder: NSCoder) { nil }
}

//// hazard: init calls a bind method
import UIKit

final class NowPlayingController: UIViewController {
  let model: NowPlayingModel
  let titleLabel = UILabel()

  init(model: NowPlayingModel) {
    self.model = model
    super.init(nibName: nil, bundle: nil)
    bindModel()  // ← here
  }

  required init?(coder: NSCoder) { fatalError() }

  private func bindModel() {
    model.title.bind { [weak self] title in
      self?.titleLabel.text = title
      self?.view.setNeedsLayout()
    }
  }
}

//// hazard: property observer of the model before the view is loaded
import UIKit

final class TicketViewController: UIViewController {
  @IBOutlet var codeLabel: UILabel!

  required init?(coder: NSCoder) {
    super.init(coder: coder)
    TicketService.shared.observe { [weak self] ticket in  // ← here
      self?.codeLabel.text = ticket.code
    }
  }
}

//// hazard: awakeFromNib of a controller subscribes
import UIKit

final class StatusController: UIViewController {
  @IBOutlet private weak var statusView: UILabel!
  private let status = StatusModel.shared

  override func awakeFromNib() {
    super.awakeFromNib()
    status.didChange = { [weak self] in  // ← here
      guard let self else { return }
      self.statusView.text = self.status.text
    }
  }
}

//// hazard: convenience init starts the stream
import UIKit

final class RadarViewController: UIViewController {
  private var task: Task<Void, Never>?
  private let map = UIImageView()

  convenience init(radar: Radar) {
    self.init(nibName: nil, bundle: nil)
    task = Task { [weak self] in  // ← here
      for await blip in radar.blips { self?.view.addSubview(blip.view) }
    }
  }

  deinit { task?.cancel() }
}

//// harmless: binding in viewDidLoad
import UIKit

final class BalanceViewController: UIViewController {
  private let viewModel: BalanceViewModel
  private let amountLabel = UILabel()

  init(viewModel: BalanceViewModel) {
    self.viewModel = viewModel
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    viewModel.onChange = { [weak self] in self?.amountLabel.text = $0 }
  }
}

//// harmless: a view model binds in its own init
import Combine

final class ReminderListModel: ObservableObject {
  @Published private(set) var titles: [String] = []
  private var cancellables: Set<AnyCancellable> = []

  init(store: ReminderStore) {
    store.$reminders
      .sink { [weak self] in self?.titles = $0.map(\.title) }
      .store(in: &cancellables)
  }
}

//// harmless: init sets up its child views
import UIKit

final class NowPlayingController: UIViewController {
  let titleLabel = UILabel()

  init(title: String) {
    super.init(nibName: nil, bundle: nil)
    self.title = title
    titleLabel.text = title
    modalPresentationStyle = .formSheet
  }

  required init?(coder: NSCoder) { fatalError() }
}

//// harmless: a view that draws itself at once
import UIKit

final class BadgeView: UIView {
  private let label = UILabel()

  init(model: BadgeModel) {
    super.init(frame: .zero)
    addSubview(label)
    model.onCount = { [weak self] count in self?.label.text = "\(count)" }
  }

  required init?(coder: NSCoder) { nil }
}

//// harmless: init keeps a closure for later
import UIKit

final class PickerController: UIViewController {
  private let onPick: (Int) -> Void

  init(onPick: @escaping (Int) -> Void) {
    self.onPick = onPick
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }
}

//// hazard: the closure gets the screen as its first parameter
import UIKit

final class CartViewController: UIViewController {
  @IBOutlet private var titleLabel: UILabel!
  private var observation: CancellationToken?

  init(model: CartViewModel) {
    super.init(nibName: nil, bundle: nil)
    observation = model.observe(on: self) { screen, state in screen.titleLabel.text = state.title }  // ← here
  }

  required init?(coder: NSCoder) { nil }
}

//// harmless: the first parameter is another object
import UIKit

final class CartViewController: UIViewController {
  @IBOutlet private var titleLabel: UILabel!
  private let log = CartLog()
  private var observation: CancellationToken?

  init(model: CartViewModel) {
    super.init(nibName: nil, bundle: nil)
    observation = model.observe(on: log) { log, state in log.titleLabel = state.title }
  }

  required init?(coder: NSCoder) { nil }
}
