// watchos: 'execv' is unavailable in watchOS
import Darwin

func restart() { _ = execv("", CommandLine.unsafeArgv) }
