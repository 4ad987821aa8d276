import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting

/// The form of the service that the view model of a contract calls.
enum ServiceForm: CaseIterable, Sendable {
  /// The form that the stage expects: async functions in the async stage, completion handlers in the other stages.
  case native
  /// The other form, adapted by the bridge of the service's protocol.
  case crossed
  /// `HTTPStorefront` or `HTTPClosureStorefront`. A server on this machine forwards the requests to the service.
  case http
}

/// A stage of the migration and the form of its service: the argument of a contract.
struct ContractStage: CaseIterable, Sendable {
  let stage: MigrationStage
  let form: ServiceForm

  static let allCases = ServiceForm.allCases.flatMap { form in
    MigrationStage.allCases.map { ContractStage(stage: $0, form: form) }
  }

  /// The stages that publish streams, with every form.
  static let streams = allCases.filter { $0.stage != .closure }

  /// The stages without HTTP, for a service that does what no server can do: it answers a request with a cancellation, or
  /// with a value that cannot be encoded.
  static let inProcess = allCases.filter { $0.form != .http }

  /// The stages whose service has completion handlers in the process of the test. Only such a service can answer twice.
  static let onCompletionHandlers = inProcess.filter { ($0.stage == .async) == ($0.form == .crossed) }

  /// The stages with the form that they expect, for a test that does not depend on the service.
  static let native = allCases.filter { $0.form == .native }

  static let async = ContractStage(stage: .async, form: .native)
}

extension ContractStage {
  /// The number of rounds of a race: all of them with the form that the stage expects, otherwise a quarter.
  func rounds(_ count: Int) -> Int { form == .native ? count : count / 4 }

  /// Runs `body`, then checks that all objects that `body` tracked are released.
  ///
  /// Over HTTP, waits for a permit first.
  func check<Result>(_ body: (LeakTracker) async throws -> Result) async throws -> Result {
    guard form == .http else { return try await LeakTracker.check(body) }
    return try await SocketPermits.withPermit { try await LeakTracker.check(body) }
  }

  /// Runs `body`, then checks that it mentioned everything. Over HTTP, waits for a permit first.
  func probe(_ body: (ViewModelProbe) async throws -> Void) async throws {
    guard form == .http else { return try await ViewModelProbe.check(body) }
    try await SocketPermits.withPermit { try await ViewModelProbe.check(body) }
  }
}

extension ContractStage: CustomStringConvertible {
  var description: String {
    switch form {
    case .native: "\(stage)"
    case .crossed: "\(stage), on the other form of the service"
    case .http: "\(stage), over HTTP"
    }
  }
}

extension ServiceError {
  /// A failure that a service can report in every form, also over HTTP.
  static let busy = ServiceError.status(code: 503, message: "busy")
}
