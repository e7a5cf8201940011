#if canImport(Darwin)
  internal import Darwin

  /// kqueue: one open descriptor a directory or file. A directory tells only that a name came or
  /// went, so a log's newest segment is watched as well.
  final class ChangeSource {
    let descriptor: Int32
    private var watched: [Identity: Watched] = [:]

    /// Which file a descriptor is of; a renamed one stays watched, since it may still be written.
    private struct Identity: Hashable {
      var device: Int32
      var number: UInt64
    }

    private struct Watched {
      var descriptor: Int32
      var isDirectory: Bool
    }

    init(_ path: String) throws(LogError) {
      descriptor = kqueue()
      guard descriptor >= 0 else { throw Self.failure(path, errno) }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit {
      for entry in watched.values { close(entry.descriptor) }
      close(descriptor)
    }

    /// Watches a log's directory and its newest segment; false when there is none.
    func add(log path: String) throws(LogError) -> Bool {
      guard try watch(path) else { return false }
      let names = (try? PosixFiles(path: path).list()) ?? []
      guard let newest = names.last(where: { SegmentName.firstSeq($0) != nil }) else {
        return true
      }
      return try watch(path + "/" + newest)
    }

    /// Watches a file, if it is there, and the directories it comes and goes in; false when one of
    /// these is not there.
    func add(
      file path: String, entries: [(directory: String, name: String)]
    ) throws(LogError) -> Bool {
      _ = try watch(path)
      var isSeen = true
      for (directory, _) in entries where try !watch(directory) { isSeen = false }
      return isSeen
    }

    private func watch(_ path: String) throws(LogError) -> Bool {
      let file = open(path, O_EVTONLY | O_CLOEXEC)
      guard file >= 0 else {
        guard errno == ENOENT || errno == ENOTDIR || errno == EACCES else {
          throw Self.failure(path, errno)
        }
        return false
      }
      var info = stat()
      guard fstat(file, &info) == 0 else {
        close(file)
        return false
      }
      let identity = Identity(device: info.st_dev, number: UInt64(info.st_ino))
      guard watched[identity] == nil else {
        close(file)
        return true
      }
      var event = kevent(
        ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
        fflags: UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB | NOTE_DELETE | NOTE_RENAME),
        data: 0, udata: nil)
      guard kevent(descriptor, &event, 1, nil, 0, nil) == 0 else {
        let number = errno
        close(file)
        throw Self.failure(path, number)
      }
      watched[identity] = Watched(
        descriptor: file, isDirectory: info.st_mode & S_IFMT == S_IFDIR)
      return true
    }

    func take() -> ChangeNews {
      var news = ChangeNews()
      var events = [kevent](repeating: kevent(), count: 64)
      while true {
        var now = timespec()
        let count = kevent(descriptor, nil, 0, &events, Int32(events.count), &now)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return news }
        for event in events.prefix(Int(count)) { note(event, in: &news) }
        if count < events.count { return news }
      }
    }

    private func note(_ event: kevent, in news: inout ChangeNews) {
      news.matters = true
      let isGone = event.fflags & UInt32(NOTE_DELETE) != 0
      let isMoved = event.fflags & UInt32(NOTE_RENAME) != 0
      guard let place = watched.firstIndex(where: { $0.value.descriptor == Int32(event.ident) })
      else { return }
      if isGone || isMoved || watched[place].value.isDirectory { news.comeOrGone = true }
      guard isGone || isMoved && watched[place].value.isDirectory else { return }
      close(watched[place].value.descriptor)
      watched.remove(at: place)
    }

    private static func failure(_ path: String, _ number: Int32) -> LogError {
      LogError(.cannotRead, file: path, detail: String(cString: strerror(number)))
    }
  }
#endif
