/// What `IDMismatch` finds, and what it does not.
enum IDMismatchExamples {
  static let fires = [
    RuleExample(
      "one system id under two ids of the app's own",
      """
      0m start A key=K source=app device=phone content
      20m update A key=L source=push status=200 content
      40m end A source=app device=phone
      """, finds: .confirmed),
    RuleExample(
      "one order's content is sent to another's card",
      """
      0m start A key=K source=app device=phone content-state={"key":"K","eta":9}
      5m start B key=L source=app device=phone content-state={"key":"L","eta":30}
      20m update A source=app device=phone content-state={"key":"L","eta":12}
      40m end A source=app device=phone content-state={"key":"K","eta":0}
      41m end B source=app device=phone content-state={"key":"L","eta":0}
      """, finds: .confirmed),
    RuleExample(
      "an id used again for something else",
      """
      0m start A key=K source=app device=phone content
      40m end A source=app device=phone
      1h start A key=L source=app device=phone content
      2h end A source=app device=phone
      """, finds: .confirmed),
    RuleExample(
      "one token, two activities",
      """
      0m start A key=K source=app device=phone content
      1m token A device=phone token=t1
      5m start B key=L source=app device=phone content
      6m token B device=phone token=t1
      40m end A source=app device=phone
      41m end B source=app device=phone
      """, finds: .confirmed),
    RuleExample(
      "two phones say that one system id is theirs",
      """
      0m start 5E1C7A42-3F0B-4D6E-9A21-0B8E6F14A042 key=K source=app device=phone content
      1m start 5E1C7A42-3F0B-4D6E-9A21-0B8E6F14A042 key=K source=app device=tablet content
      40m end 5E1C7A42-3F0B-4D6E-9A21-0B8E6F14A042 source=app device=phone
      41m end 5E1C7A42-3F0B-4D6E-9A21-0B8E6F14A042 source=app device=tablet
      """, finds: .confirmed),
  ]

  static let passes = [
    RuleExample(
      "one key of two cards, on two phones",
      """
      0m start A key=K source=app device=phone content
      1m start B key=K source=app device=tablet content
      40m end A source=app device=phone
      41m end B source=app device=tablet
      """),
    RuleExample(
      "a token that replaces another",
      """
      0m start A key=K source=app device=phone content
      1m token A device=phone token=t1
      20m token A device=phone token=t2 replaces=t1
      30m update source=push token=t2 key=K status=200 content
      40m end A source=app device=phone
      """),
    RuleExample(
      "a broadcast has the key of its match, not of the card it reaches",
      """
      0m start A key=K source=app device=phone push-type=channel channel=c1 content
      20m update channel=c1 key=M source=broadcast status=200 content
      40m end A source=app device=phone content
      """),
    RuleExample(
      "one id in sandbox and in production",
      """
      0m start A key=K source=app device=phone environment=production content
      1m start A key=K source=app device=mule environment=sandbox content
      40m end A source=app device=phone environment=production
      41m end A source=app device=mule environment=sandbox
      """),
  ]
}
