extension SourceFormat {
  /// How a source is read by a map: by the dialect it names, or by its clauses.
  ///
  /// - Parameter settings: what else the caller says; the zone they name goes before the map's.
  public static func mapped(_ map: EventMap, settings: SourceSettings = .init()) -> SourceFormat {
    var settings = settings
    settings.map = map
    if settings.zone == nil, let east = map.zone { settings.zone = { $0 - east } }
    return SourceFormat(Dialects.named(map.format) ?? MappedJSON.self, settings: settings)
  }
}
