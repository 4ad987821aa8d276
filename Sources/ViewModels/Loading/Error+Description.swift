/// The description of an error, by which states compare their errors.
func description(of error: (any Error)?) -> String? { error.map { "\($0)" } }
