// macos: sending 'item' risks causing data races
import Dispatch

func cancel(_ item: DispatchWorkItem) { DispatchQueue.main.async { item.cancel() } }
