// visionos: is only available in visionOS 26.0 or newer
func start() { _ = Task.immediate {} }
