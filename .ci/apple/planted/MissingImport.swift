// macos: cannot find type 'DispatchQueue' in scope
func label(_ queue: DispatchQueue) -> String { queue.label }
