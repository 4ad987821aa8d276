/// The options on the command line.
struct Options {
  var names: [String] = []
  var tasksPerCore = [2, 8]
  var repetitions = 1
  var timeLimit = Duration.seconds(60)
  var lists = false
  /// Runs the named programs in this process. The supervisor starts its child processes with this option.
  var isChild = false

  static let help = """
    usage: StressClient [--only NAME ...] [--tasks-per-core N[,N...]] [--repeat N] [--time-limit SECONDS]
           StressClient --list

    Calls every public operation of the toolkit from optimized code in another package, in async functions
    that resume on other threads. Each program runs in its own process: a crash or a hang ends only that
    program and is reported with its name.

      --only NAME           runs only this program; can be given several times
      --tasks-per-core N    tasks per core (default: 2,8, which runs each program once with 2 and once with 8)
      --repeat N            runs of each program with each number of tasks (default: 1)
      --time-limit SECONDS  time after which a program counts as hung (default: 60)
      --list                lists the programs with a summary of each
      --in-process          runs the program in this process, for a debugger
    """

  /// - Throws: ``Unexpected``, which names the invalid argument.
  init(_ arguments: [String]) throws(Unexpected) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--list": lists = true
      case "--in-process": isChild = true
      case "--only":
        let name = try Self.value(of: argument, &rest)
        guard StressProgram.all.contains(where: { $0.name == name }) else {
          throw Unexpected(description: "unknown program \(name); --list shows all programs")
        }
        names.append(name)
      case "--tasks-per-core":
        tasksPerCore = []
        for number in try Self.value(of: argument, &rest).split(separator: ",") {
          tasksPerCore.append(try Self.number(String(number), for: argument))
        }
      case "--repeat": repetitions = try Self.number(Self.value(of: argument, &rest), for: argument)
      case "--time-limit":
        timeLimit = .seconds(try Self.number(Self.value(of: argument, &rest), for: argument))
      default: throw Unexpected(description: "unknown option \(argument)\n\n\(Self.help)")
      }
    }
  }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(Unexpected) -> String
  {
    guard let value = rest.popFirst() else { throw Unexpected(description: "\(option) needs a value") }
    return value
  }

  private static func number(_ text: String, for option: String) throws(Unexpected) -> Int {
    guard let number = Int(text), (1...10_000).contains(number) else {
      throw Unexpected(description: "\(option) takes a whole number from 1 to 10,000, not \(text)")
    }
    return number
  }
}
