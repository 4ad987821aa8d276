// macos: instance method 'wait' is unavailable from asynchronous contexts
import Dispatch

func wait(for group: DispatchGroup) async { group.wait() }
