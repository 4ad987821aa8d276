//// hazard: implicitly unwrapped view model of a controller
import UIKit

final class OrdersViewController: UIViewController {
  var viewModel: OrdersViewModel!  // ← here

  override func viewDidLoad() {
    super.viewDidLoad()
    title = viewModel.title
  }
}

//// hazard: optional presenter is called with a question mark
import UIKit

class WelcomeViewController: UIViewController {
  var presenter: WelcomePresenting?  // ← here

  @IBAction func continueTapped() {
    presenter?.didTapContinue()
  }
}

//// hazard: SwiftUI view with an optional observable model
import SwiftUI

struct ProfileView: View {
  @State private var model: ProfileModel?  // ← here
  let id: String

  var body: some View {
    Text(model?.name ?? "")
      .onAppear { model = ProfileModel(id: id) }
  }
}

//// hazard: optional existential with any
import UIKit

final class CheckoutScreen: UIViewController {
  weak var coordinator: CheckoutCoordinator?
  private var viewModel: (any CheckoutViewModelType)?  // ← here

  func configure(with viewModel: any CheckoutViewModelType) {
    self.viewModel = viewModel
  }

  override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    viewModel?.load()
  }
}

//// hazard: generic controller with Optional spelled out
import UIKit

class BaseViewController<ViewModel: ViewModelProtocol>: UIViewController {
  public var vm: Optional<ViewModel> = nil  // ← here

  override func viewDidLoad() {
    super.viewDidLoad()
    vm?.viewDidLoad()
  }
}

//// hazard: forced unwrap of the interactor in a view
import UIKit

final class MapViewController: UIViewController {
  var interactor: MapInteractor? = nil  // ← here

  override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    interactor!.startTracking()
  }
}

//// harmless: initializer injection
import UIKit

final class OrdersViewController: UIViewController {
  private let viewModel: OrdersViewModel

  init(viewModel: OrdersViewModel) {
    self.viewModel = viewModel
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { fatalError("not used") }
}

//// harmless: the model of a sheet that is shown or not
import SwiftUI

struct InboxView: View {
  @State private var composer: ComposeViewModel?

  var body: some View {
    Button("New") { composer = ComposeViewModel() }
      .sheet(item: $composer) { ComposeView(viewModel: $0) }
  }
}

//// harmless: reusable cell is configured again and again
import UIKit

final class MessageCell: UITableViewCell {
  private var viewModel: MessageCellViewModel?

  func configure(_ viewModel: MessageCellViewModel) {
    self.viewModel = viewModel
    textLabel?.text = viewModel.text
  }

  override func prepareForReuse() {
    super.prepareForReuse()
    viewModel = nil
  }
}

//// harmless: delegate that is weak
import Foundation

protocol FormModelDelegate: AnyObject { func formChanged() }

final class FormModel {
  weak var delegate: FormModelDelegate?
  var text = "" { didSet { delegate?.formChanged() } }
}

//// harmless: optional data in a view model
import Foundation

final class PlayerViewModel {
  private(set) var track: TrackModel?

  func select(_ track: TrackModel) { self.track = track }
}
