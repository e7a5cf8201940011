#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Makes the process read clocks in a zone; only in a process of its own.
func useZone(_ name: String) {
  setenv("TZ", name, 1)
  tzset()
}

/// What Ctrl-C does; only in a process of its own.
func interruptMyself() {
  kill(getpid(), SIGINT)
}
