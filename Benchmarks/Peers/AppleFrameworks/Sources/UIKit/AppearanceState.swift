/// Whether the view of a controller is on display, or on its way.
enum AppearanceState {
  case disappeared, appearing, appeared, disappearing

  var isChanging: Bool { self == .appearing || self == .disappearing }
}
