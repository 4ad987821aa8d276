// macos: initialization of immutable value 'unused' was never used
func waste() { let unused = 1 }
