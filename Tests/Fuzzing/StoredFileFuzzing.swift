import StorefrontDomain

/// Checks that no damaged file is read as a whole one, and that a stored value survives.
///
/// The first three bytes of the input choose the kind of the input, a changed byte, and its change. The rest is the contents.
func fuzzStoredFile(_ input: [UInt8]) {
  guard input.count >= 3 else { return }
  let contents = Array(input.dropFirst(3))
  switch input[0] % 4 {
  case 0:
    checkFile(contents)
    checkValues(contents)
  case 1:
    // libFuzzer cannot guess a checksum. So this input has the right one, and reaches the checks of the header.
    let checksum = String(CRC32.checksum(of: contents), radix: 16)
    let digits = String(repeating: "0", count: 8 - checksum.count) + checksum
    let file = Array("storefront-file crc32=\(digits) ".utf8) + contents
    checkFile(file)
    checkValues(file)
  case 2:
    checkChange(of: StoredFile(schema: 1, payload: contents), at: Int(input[1]), by: input[2])
  default:
    checkValues(StoredFile(schema: 1, payload: contents).bytes)
  }
}

private func checkValues(_ bytes: [UInt8]) {
  checkCart(bytes)
  checkDraft(bytes)
}

private let schema = FileSchema<SavedCart>(version: 2) { _, version in
  throw FileDamage(reason: "There is no migration from format \(version).")
}
private let firstSchema = FileSchema<SavedCart>()

/// Checks that a file that can be read has exactly these bytes.
private func checkFile(_ bytes: [UInt8]) {
  guard let file = try? StoredFile(bytes) else { return }
  check(file.bytes == bytes, "the file has two forms")
  check(file.schema >= 1, "the version is \(file.schema)")
}

/// Checks that a file is read as it was written, and that a changed, cut or extended file is damaged.
private func checkChange(of file: StoredFile, at place: Int, by change: UInt8) {
  let bytes = file.bytes
  check((try? StoredFile(bytes)) == file, "the file is not read as it was written")
  if change != 0 {
    var changed = bytes
    changed[place % bytes.count] ^= change
    check((try? StoredFile(changed)) == nil, "byte \(place % bytes.count) has changed")
  }
  check((try? StoredFile(Array(bytes.prefix(place % bytes.count)))) == nil, "the file is cut")
  check((try? StoredFile(bytes + [change])) == nil, "the file is longer")
}

/// Checks that a cart that can be read obeys its rules, and survives being written.
private func checkCart(_ bytes: [UInt8]) {
  if case .value(_?) = schema.decode(bytes) {
    guard let file = try? StoredFile(bytes) else { return check(false, "a damaged file has a value") }
    check(file.schema == 2, "a value without a migration from version \(file.schema)")
  }
  guard case .value(let saved) = firstSchema.decode(bytes) else { return }
  guard let saved else {
    return check((try? StoredFile(bytes))?.payload.isEmpty == true, "a value has disappeared")
  }
  let cart = saved.cart
  check(cart.items.allSatisfy { $0.quantity >= 1 }, "\(cart)")
  let (count, overflow) = cart.items.reduce((0, false)) { sum, item in
    let (count, overflow) = sum.0.addingReportingOverflow(item.quantity)
    return (count, sum.1 || overflow)
  }
  check(!overflow && cart.itemCount == count, "the cart counts \(cart.itemCount) units instead of \(count)")
  check(Set(cart.items.map(\.id)).count == cart.items.count, "a product appears twice")
  check(Set(saved.unanswered.map(\.key)).count == saved.unanswered.count, "a key appears twice")
  guard let written = try? firstSchema.encode(saved), case .value(saved) = firstSchema.decode(written) else {
    return check(false, "\(saved) is not read as it was written")
  }
}

/// Checks that a draft that can be read survives being written.
private func checkDraft(_ bytes: [UInt8]) {
  let schema = FileSchema<SavedProfileDraft>()
  guard case .value(let saved?) = schema.decode(bytes) else { return }
  guard let written = try? schema.encode(saved), case .value(saved) = schema.decode(written) else {
    return check(false, "\(saved) is not read as it was written")
  }
}
