import ActivityCore
import Testing

@Suite("What lines can have")
struct LineMemberTests {
  private static let members = Member.allCases.filter { $0 != .contentBytes }

  private func isSentence(_ text: String) -> Bool {
    text.count > 8 && text.first?.isUppercase == true && text.last == "."
      && !text.dropLast().contains(". ")
  }

  @Test("Every member and every kind says in one sentence what it is")
  func sentences() {
    for member in Self.members { #expect(isSentence(member.about), "\(member)") }
    for kind in EventKind.allCases {
      #expect(isSentence(kind.about), "\(kind)")
      for member in LineMember.own(of: kind) + LineMember.ofEveryKind {
        #expect(isSentence(member.about) || member.about.hasPrefix("The header "), "\(member.name)")
      }
    }
  }

  @Test("Every member that has a column is a member of the kinds that lift it, and of no other")
  func columns() {
    let everyKind = Set(LineMember.ofEveryKind.map(\.name))
    for member in Member.common { #expect(everyKind.contains(member.name)) }
    for kind in EventKind.allCases {
      let own = LineMember.own(of: kind)
      let names = own.map(\.name)
      #expect(Set(names).count == names.count && everyKind.isDisjoint(with: names), "\(kind)")
      let lifted = own.filter { Member.allCases.map(\.name).contains($0.name) }.map(\.name)
      #expect(lifted == kind.members.filter { $0 != .contentBytes }.map(\.name))
    }
    let all = everyKind.union(EventKind.allCases.flatMap { LineMember.own(of: $0).map(\.name) })
    for member in Self.members { #expect(all.contains(member.name), "\(member)") }
  }

  @Test("The words of sources and states are those the fold knows")
  func words() {
    for word in Member.source.words(on: .start) ?? [] {
      #expect(Source(word: word) != .other, "\(word)")
    }
    #expect(Member.source.words(on: .start)?.count == 7)
    #expect(
      Set(Member.state.words(on: .state) ?? []) == [
        "pending", "active", "stale", "ended", "dismissed",
      ])
    #expect(Member.operation.words(on: .channel) != Member.operation.words(on: .failure))
    #expect(Member.key.words(on: .start) == nil)
  }
}
