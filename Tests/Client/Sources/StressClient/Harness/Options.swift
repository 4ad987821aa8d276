/// What the command line asks for.
struct Options {
  var names: [String] = []
  var tasksPerCore = [2, 8]
  var repetitions = 1
  var timeLimit = Duration.seconds(60)
  var lists = false
  /// Runs the one program in this process: what the supervisor starts its children with.
  var isChild = false

  static let help = """
    usage: StressClient [--only NAME ...] [--tasks-per-core N[,N...]] [--repeat N] [--time-limit SECONDS]
           StressClient --list

    Runs the public operations of every part from optimized code in another package, in async functions that change threads.
    Each program runs in a process of its own: a crash or a hang ends that program only, and is reported with its name.

      --only NAME           this program; may be given several times
      --tasks-per-core N    how many tasks each core gets; by default 2,8: each program runs once with 2, and once with 8
      --repeat N            how often each program runs with each number of tasks; by default once
      --time-limit SECONDS  after how long a program counts as hung; by default 60
      --list                names the programs, and says what each one does
      --in-process          runs the program in this process, for a debugger
    """

  /// - Throws: ``Unexpected``, which names the argument.
  init(_ arguments: [String]) throws(Unexpected) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--list": lists = true
      case "--in-process": isChild = true
      case "--only":
        let name = try Self.value(of: argument, &rest)
        guard StressProgram.all.contains(where: { $0.name == name }) else {
          throw Unexpected(description: "there is no program \(name): --list names them")
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
      default: throw Unexpected(description: "there is no option \(argument)\n\n\(Self.help)")
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
