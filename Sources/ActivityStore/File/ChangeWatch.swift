internal import CActivityLog

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Something on disk that grows and that somebody waits for.
package enum WatchedPlace: Sendable, Hashable {
  /// A log's directory: its segments grow, come and go.
  case log(String)
  /// A file that is written, cut, renamed or replaced; it need not be there yet.
  case file(String)

  var path: String {
    switch self {
    case .log(let path), .file(let path): path
    }
  }

  /// The directories in which the place itself comes and goes: that of its path and, where a link
  /// leads elsewhere, that of the file it leads to. Each with the name to look for.
  var entries: [(directory: String, name: String)] {
    var found = [Self.split(path)]
    if let real = realpath(path, nil) {
      let target = Self.split(String(cString: real))
      free(real)
      if target != found[0] { found.append(target) }
    }
    return found
  }

  private static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let directory = slash == path.startIndex ? "/" : String(path[..<slash])
    return (directory, String(path[path.index(after: slash)...]))
  }
}

/// Told by the system of changes to places on disk, so that whoever follows them sleeps until there
/// is something to see: inotify on Linux, kqueue on Apple platforms.
///
/// It must be made before the first look at the places: what changes after that is never missed.
package final class ChangeWatch {
  private let places: [WatchedPlace]
  private let source: ChangeSource
  /// Some place cannot be watched at present, such as one whose directory is gone: look again by
  /// the clock.
  package private(set) var isBlind = false

  /// Begins to watch.
  ///
  /// - Throws: `.cannotRead`, saying why, where the system does not tell of changes: a file system
  ///   of other machines, or no watch left for this user.
  package init(_ places: [WatchedPlace]) throws(LogError) {
    self.places = places
    for place in places {
      for path in [place.path] + place.entries.map(\.directory) where al_tells_changes(path) == 0 {
        throw LogError(
          .cannotRead, file: place.path, detail: "its file system does not tell of changes")
      }
    }
    source = try ChangeSource(places[0].path)
    try arm()
  }

  /// Readable, as `poll(2)` sees it, when something may have changed.
  package var descriptor: Int32 { source.descriptor }

  /// Takes what the system told, and whether any of it is about the places.
  package func takeChanges() -> Bool {
    let news = source.take()
    if news.comeOrGone {
      do throws(LogError) { try arm() } catch { isBlind = true }
    }
    return news.matters
  }

  private func arm() throws(LogError) {
    isBlind = false
    for place in places {
      let isSeen =
        switch place {
        case .log(let path): try source.add(log: path)
        case .file(let path): try source.add(file: path, entries: place.entries)
        }
      if !isSeen { isBlind = true }
    }
  }
}

/// What the system told since it was last asked.
struct ChangeNews {
  /// Something watched was written, or came, or went.
  var matters = false
  /// Something came or went: what is watched has to be looked up anew.
  var comeOrGone = false
}
