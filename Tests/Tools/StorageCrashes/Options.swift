import AsyncViewModelsCommandLine

/// The options of the command line.
struct Options {
  /// What the program does.
  enum Action {
    case help, crash
    case child(Child)
    case hold(Child)
  }

  private(set) var action = Action.crash
  /// The number of random moments.
  private(set) var moments = 1_000
  /// The seed of the random moments.
  private(set) var seed: UInt64 = 1
  /// The only crash to run, or `nil` for all.
  private(set) var replayed: Crash?

  /// - Parameter arguments: The arguments without the program's name.
  /// - Throws: ``AsyncViewModelsCommandLine/UsageError``, which names the argument.
  init(_ arguments: [String]) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    var (file, isHolding, saves, group, moment) = (String?.none, false, 4, 1, Int?.none)
    while let flag = try reader.nextFlag() {
      switch flag {
      case "--moments": moments = try reader.value("a number of moments") { Self.count($0) }
      case "--seed": seed = try reader.value("a seed") { UInt64($0) }
      case "--replay": replayed = try reader.value("empty:N, damaged:N or SEED:N") { Crash($0) }
      case Self.child: file = try reader.value()
      case "--hold": isHolding = true
      case Self.saves: saves = try reader.value("a number of values") { Self.count($0) }
      case Self.group:
        group = try reader.value("a positive number of values") { Self.count($0, from: 1) }
      case Self.killMoment: moment = try reader.value("the number of a moment") { Self.count($0) }
      case "--help", "-h": action = .help
      default: throw .unknownFlag(flag)
      }
    }
    guard let file, case .crash = action else { return }
    let child = Child(file: file, saves: saves, group: group, killMoment: moment)
    action = isHolding ? .hold(child) : .child(child)
  }

  private static func count(_ text: String, from minimum: Int = 0) -> Int? {
    Int(text).flatMap { $0 >= minimum ? $0 : nil }
  }

  private static let (child, saves, group, killMoment) = ("--child", "--saves", "--group", "--kill-moment")

  /// The arguments of a child.
  static func childArguments(_ plan: Crash.Plan, file: String) -> [String] {
    let arguments = [child, file, saves, "\(plan.saves)", group, "\(plan.group)"]
    return arguments + (plan.moment.map { [killMoment, "\($0)"] } ?? [])
  }

  static let usage = """
    USAGE: swift run -c release --package-path Tests/Tools StorageCrashes [OPTIONS]

    Kills a process while it saves values to a file, and checks that the file has its complete old or new value. First, the
    process kills itself before, during and after each operation of its file system. Then, this program kills it at
    random moments. The program ends at the first violation and prints how to replay it.

    OPTIONS:
      --moments N       kill at N random moments (1000)
      --seed N          the seed of the random moments (1)
      --replay CRASH    run only this crash, which a failure printed
      --help            print this help and exit

    The other options are for the process that is killed:
      --child FILE      save values to FILE, and report each step
      --saves N         the number of values (4)
      --group N         save N values at the same time (1)
      --kill-moment N   end with SIGKILL at moment N of the file system, counted from 0
      --hold            open FILE, and keep it open until the standard input ends

    A random moment is a delay. The seed reproduces the delay, but not the speed of the machine, so a replay of a random
    moment may have to be repeated. A replay of empty:N or damaged:N is exact.

    Exit codes: 0 everything held · 1 a violation, or an error of the system · 2 bad usage
    """
}
