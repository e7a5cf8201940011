/// What one step of unpacking did.
struct UnpackStep {
  /// Bytes of the input that are done with.
  var taken = 0
  /// Bytes written.
  var made = 0
  /// Why there is no step after this one; what was made is good as far as is known.
  var problem: InputProblem?
}

/// A stream that gives back what was packed, however its input is cut.
protocol Unpacking: AnyObject {
  /// Whether the input may end here.
  var isComplete: Bool { get }

  /// Unpacks `input` into `room` until one of them is used up.
  ///
  /// A step that filled the room may have more to give without input.
  func step(
    _ input: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) -> UnpackStep
}
