import Foundation

@main
enum Main {
  static func main() async {
    do {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      if options.lists {
        for program in StressProgram.all { print("\(program.name): \(program.summary)") }
      } else if options.isChild {
        try expect(!options.names.isEmpty, "--in-process needs --only NAME")
        for program in StressProgram.all where options.names.contains(program.name) {
          for tasksPerCore in options.tasksPerCore { try await program.run(Load(tasksPerCore: tasksPerCore)) }
        }
      } else if await Supervisor(options: options).run() > 0 {
        exit(1)
      }
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(2)
    }
  }
}
