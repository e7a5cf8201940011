#if !canImport(Darwin)
  internal import Glibc

  /// inotify: one watch a directory or file, known by a number.
  final class ChangeSource {
    let descriptor: Int32
    private var watched: [Int32: Watched] = [:]

    /// Why a number is watched; one directory may be watched for several reasons.
    private struct Watched {
      var isLog = false
      var isFile = false
      /// Of a directory: what comes and goes under these names matters.
      var names: Set<String> = []
    }

    private static let written = UInt32(IN_MODIFY) | UInt32(IN_ATTRIB)
    private static let named =
      UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
    private static let gone = UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)

    init(_ path: String) throws(LogError) {
      descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { throw Self.failure(path, errno) }
    }

    deinit { close(descriptor) }

    /// Watches a log's directory; false when it is not there.
    func add(log path: String) throws(LogError) -> Bool {
      guard let number = try watch(path, Self.written | Self.named | Self.gone) else {
        return false
      }
      watched[number, default: Watched()].isLog = true
      return true
    }

    /// Watches a file, if it is there, and the directories it comes and goes in; false when one of
    /// these is not there.
    func add(
      file path: String, entries: [(directory: String, name: String)]
    ) throws(LogError) -> Bool {
      if let number = try watch(path, Self.written | Self.gone) {
        watched[number, default: Watched()].isFile = true
      }
      var isSeen = true
      for (directory, name) in entries {
        guard let number = try watch(directory, Self.named | Self.gone) else {
          isSeen = false
          continue
        }
        watched[number, default: Watched()].names.insert(name)
      }
      return isSeen
    }

    /// The number of a watch; one that is there already only gets wider. Nil when there is nothing.
    private func watch(_ path: String, _ kinds: UInt32) throws(LogError) -> Int32? {
      let number = inotify_add_watch(descriptor, path, kinds | UInt32(IN_MASK_ADD))
      if number >= 0 { return number }
      guard errno == ENOENT || errno == ENOTDIR || errno == EACCES else {
        throw Self.failure(path, errno)
      }
      return nil
    }

    func take() -> ChangeNews {
      var news = ChangeNews()
      var buffer = [UInt8](repeating: 0, count: 16 << 10)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return news }
        note(buffer[..<count], in: &news)
      }
    }

    /// Events as the kernel packs them: number, kinds, cookie, length of the name, 4 bytes each,
    /// then the name, padded with zeros.
    private func note(_ events: ArraySlice<UInt8>, in news: inout ChangeNews) {
      var start = events.startIndex
      while start + 16 <= events.endIndex {
        let number = Int32(truncatingIfNeeded: Self.word(events, start))
        let kinds = Self.word(events, start + 4)
        let end = start + 16 + Int(Self.word(events, start + 12))
        guard end <= events.endIndex else { return }
        let name = String(
          decoding: events[(start + 16)..<end].prefix { $0 != 0 }, as: UTF8.self)
        note(number, kinds, name, in: &news)
        start = end
      }
    }

    private func note(
      _ number: Int32, _ kinds: UInt32, _ name: String, in news: inout ChangeNews
    ) {
      if kinds & UInt32(IN_Q_OVERFLOW) != 0 { news = ChangeNews(matters: true, comeOrGone: true) }
      guard let about = watched[number] else { return }
      if kinds & UInt32(IN_IGNORED) != 0 { watched[number] = nil }
      let isItself = name.isEmpty
      if about.isFile, isItself { news.matters = true }
      // The writer's note of how far it has synced changes nothing that is read.
      if about.isLog, name != WriterLock.fileName { news.matters = true }
      if about.names.contains(name) || isItself && kinds & (Self.gone | UInt32(IN_IGNORED)) != 0 {
        news = ChangeNews(matters: true, comeOrGone: true)
      }
    }

    private static func word(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt32 {
      var word: UInt32 = 0
      withUnsafeMutableBytes(of: &word) { $0.copyBytes(from: bytes[place..<(place + 4)]) }
      return word
    }

    private static func failure(_ path: String, _ number: Int32) -> LogError {
      let reason =
        switch number {
        case ENOSPC: "no watch is left for this user (fs.inotify.max_user_watches)"
        case EMFILE: "no watcher is left for this user (fs.inotify.max_user_instances)"
        default: String(cString: strerror(number))
        }
      return LogError(.cannotRead, file: path, detail: reason)
    }
  }
#endif
