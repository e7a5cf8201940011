extension TextTable {
  mutating func intern(from other: TextTable, _ code: Int) -> Int { intern(other[code]) }
  func uuid(_ code: Int) -> PushID? { PushID(uuid: self[code]) }
}
