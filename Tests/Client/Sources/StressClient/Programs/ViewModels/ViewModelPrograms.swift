extension StressProgram {
  static var viewModels: [StressProgram] {
    stores + navigation + routePaths + snapshots + notifications + observedStates + viewStates
      + screens + containments + environments + transitions + screenBindings + stacks + containers
      + screenValues
  }
}
