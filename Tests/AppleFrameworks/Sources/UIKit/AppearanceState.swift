/// Whether the view of a controller is on display, appearing or disappearing.
enum AppearanceState {
  case disappeared, appearing, appeared, disappearing

  var isChanging: Bool { self == .appearing || self == .disappearing }
}
