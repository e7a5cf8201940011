/// Where a row belongs: three codes of the vocabulary, −1 for what it does not say.
package struct Scope: Hashable, Mixable {
  package var environment: Int32 = -1
  package var bundle: Int32 = -1
  package var device: Int32 = -1

  package init(environment: Int32 = -1, bundle: Int32 = -1, device: Int32 = -1) {
    self.environment = environment
    self.bundle = bundle
    self.device = device
  }

  package func mixed(_ seed: UInt64) -> UInt64 {
    var mix = Mix(seed)
    mix.take(environment, bundle)
    mix.take(UInt64(UInt32(bitPattern: device)))
    return mix.value
  }

  /// I4: whether no part names two different values.
  package func agrees(with other: Scope) -> Bool {
    Scope.agree(environment, other.environment) && Scope.agree(bundle, other.bundle)
      && Scope.agree(device, other.device)
  }

  private static func agree(_ a: Int32, _ b: Int32) -> Bool { a < 0 || b < 0 || a == b }

  /// What this scope does not say, taken from another.
  package func filled(from other: Scope) -> Scope {
    Scope(
      environment: environment < 0 ? other.environment : environment,
      bundle: bundle < 0 ? other.bundle : bundle, device: device < 0 ? other.device : device)
  }
}

/// What a row says of its activity beside its scope and key; −1 for what it does not say.
package struct Facts: Hashable, Mixable {
  package var build: Int32 = -1
  package var attributesType: Int32 = -1
  package var producer: Int32 = -1
  package var style: Int32 = -1

  package init(
    build: Int32 = -1, attributesType: Int32 = -1, producer: Int32 = -1, style: Int32 = -1
  ) {
    self.build = build
    self.attributesType = attributesType
    self.producer = producer
    self.style = style
  }

  package func mixed(_ seed: UInt64) -> UInt64 {
    var mix = Mix(seed)
    mix.take(build, attributesType)
    mix.take(producer, style)
    return mix.value
  }

  /// These facts, overridden by what a later row says.
  package func updated(by later: Facts) -> Facts {
    Facts(
      build: later.build < 0 ? build : later.build,
      attributesType: later.attributesType < 0 ? attributesType : later.attributesType,
      producer: later.producer < 0 ? producer : later.producer,
      style: later.style < 0 ? style : later.style)
  }
}

/// The headers of a push; −1 for what is not recorded.
package struct PushHeaders: Hashable, Mixable {
  /// What `apns-expiration` asks of APNs.
  package enum Expiration: UInt8, Sendable {
    case absent
    /// Zero: try once and forget.
    case once
    case kept
  }

  package var host: Int32 = -1
  package var topic: Int32 = -1
  package var pushType: Int32 = -1
  package var priority: Int32 = -1
  package var expiration = Expiration.absent

  package func mixed(_ seed: UInt64) -> UInt64 {
    var mix = Mix(seed)
    mix.take(host, topic)
    mix.take(pushType, priority)
    mix.take(UInt64(expiration.rawValue))
    return mix.value
  }
}
