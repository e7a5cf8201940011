/// Values by key for rules that note something of nearly every row: rows of one card mostly share a
/// key, so the one asked for last is found without a look-up.
package struct Slots<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var index: [Key: Int] = [:]
  private var last: (key: Key, place: Int)?
  private var keys: [Key] = []
  private var values: [Value] = []

  package init() {}

  /// Every key with its value, in no promised order.
  package var all: [(key: Key, value: Value)] { Array(zip(keys, values)).map { ($0, $1) } }

  package subscript(key: Key, default initial: @autoclosure () -> Value) -> Value {
    get { index[key].map { values[$0] } ?? initial() }
    _modify {
      let place: Int
      if let last, last.key == key {
        place = last.place
      } else if let known = index[key] {
        place = known
      } else {
        place = values.count
        index[key] = place
        keys.append(key)
        values.append(initial())
      }
      last = (key, place)
      yield &values[place]
    }
  }
}
