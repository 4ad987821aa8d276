// macos: 'immediate(name:priority:executorPreference:operation:)' is only available in macOS 26.0 or newer
func start() { _ = Task.immediate {} }
