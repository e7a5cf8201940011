/// Every dialect there is.
public enum Dialects {
  /// One line per file in `Dialects/`; of two that recognise a source equally the first is taken.
  public static let all: [any Dialect.Type] = [
    NativeLines.self,
    FCM.self,
    OneSignal.self,
    Braze.self,
    Airship.self,
    CustomerIO.self,
    Adobe.self,
    Ably.self,
    HomeAssistant.self,
    APNsRequests.self,
    CurlTranscript.self,
    UnifiedLog.self,
    UnifiedLogSyslog.self,
    UnifiedLogCompact.self,
    UnifiedLogDefault.self,
    ConsoleText.self,
    MappedJSON.self,
    FieldTable.self,
  ]

  /// The dialect of a name; nil when there is none.
  public static func named(_ name: String) -> (any Dialect.Type)? {
    all.first { $0.name == name }
  }
}
