// swift-tools-version: 6.2
import PackageDescription

/// One list for every target: Swift 6 mode, explicit existentials and imports, no warning survives.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let linux = TargetDependencyCondition.when(platforms: [.linux])

let package = Package(
  name: "activity-log",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    .library(name: "ActivityLog", targets: ["ActivityLog"]),
    .executable(name: "activitylog", targets: ["ActivityLogTool"]),
  ],
  targets: [
    // liblz4 is the codec on Linux; Apple platforms have the same blocks in Compression.
    .systemLibrary(
      name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]),
    // gzip files as they come; Apple platforms have the same library in the SDK.
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    // SHA-256 on Linux; Apple platforms have it in CryptoKit.
    .systemLibrary(
      name: "CSodium", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    // CRC-32C by the processor's instruction, the file calls Glibc's module hides, and the one step
    // of the JSON scanner that Swift's vectors cannot say.
    .target(name: "CActivityLog"),
    .target(
      name: "ActivityCore",
      dependencies: ["CActivityLog", .target(name: "CSodium", condition: linux)],
      swiftSettings: strict),
    .target(
      name: "ActivityStore",
      dependencies: ["ActivityCore", "CActivityLog", .target(name: "CLZ4", condition: linux)],
      swiftSettings: strict),
    .target(name: "ActivityAudit", dependencies: ["ActivityCore"], swiftSettings: strict),
    .target(
      name: "ActivityIngest",
      dependencies: ["ActivityCore", "CZlib", .target(name: "CLZ4", condition: linux)],
      swiftSettings: strict),
    .target(
      name: "ActivityLog",
      dependencies: ["ActivityCore", "ActivityStore", "ActivityAudit", "ActivityIngest"],
      swiftSettings: strict),
    .target(
      name: "ActivityCommands",
      dependencies: ["ActivityCore", "ActivityStore", "ActivityAudit", "ActivityIngest"],
      swiftSettings: strict),
    .executableTarget(
      name: "ActivityLogTool", dependencies: ["ActivityCommands"], swiftSettings: strict),
    .executableTarget(
      name: "forge", dependencies: [], path: "Tools/forge", exclude: ["README.md"],
      swiftSettings: strict),
    .executableTarget(
      name: "bench",
      dependencies: ["ActivityCore", "ActivityStore", "ActivityAudit", "ActivityCommands"],
      path: "Tools/bench/inprocess", swiftSettings: strict),
    .target(
      name: "ActivityTestSupport", dependencies: ["ActivityCore", "ActivityStore"],
      path: "Tests/ActivityTestSupport", swiftSettings: strict),
    .testTarget(
      name: "ActivityCoreTests", dependencies: ["ActivityCore", "ActivityTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ActivityStoreTests",
      dependencies: ["ActivityCore", "ActivityStore", "ActivityTestSupport", "ActivityLog"],
      swiftSettings: strict),
    .testTarget(
      name: "ActivityAuditTests",
      dependencies: ["ActivityCore", "ActivityAudit", "ActivityTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ActivityIngestTests",
      dependencies: ["ActivityCore", "ActivityIngest", "ActivityTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ActivityCommandsTests",
      dependencies: ["ActivityCommands", "ActivityStore", "ActivityTestSupport"],
      exclude: ["Snapshots"],
      swiftSettings: strict),
    .testTarget(name: "RepositoryTests", swiftSettings: strict),
  ]
)
