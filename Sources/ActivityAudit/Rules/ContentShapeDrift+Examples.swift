extension ContentShapeDrift {
  /// Three cards, four contents each, with a charge in whole percent.
  private static let before = """
    0m start A source=app device=p1 attributes-type=Charge build=7 content-state={"charge":10}
    1m start B source=app device=p2 attributes-type=Charge build=7 content-state={"charge":20}
    2m start C source=app device=p3 attributes-type=Charge build=7 content-state={"charge":30}
    5m update A source=push timestamp=@5m content-state={"charge":12}
    5m1s update B source=push timestamp=@5m content-state={"charge":22}
    5m2s update C source=push timestamp=@5m content-state={"charge":32}
    6m update A source=push timestamp=@6m content-state={"charge":13}
    6m1s update B source=push timestamp=@6m content-state={"charge":23}
    6m2s update C source=push timestamp=@6m content-state={"charge":33}
    7m update A source=push timestamp=@7m content-state={"charge":14}
    7m1s update B source=push timestamp=@7m content-state={"charge":24}
    7m2s update C source=push timestamp=@7m content-state={"charge":34}

    """

  static let firing = [
    RuleExample(
      "a server begins to send fractions",
      before + """
        8m update A source=push timestamp=@8m content-state={"charge":14.5}
        8m1s update B source=push timestamp=@8m content-state={"charge":24.5}
        8m2s update C source=push timestamp=@8m content-state={"charge":34.5}
        9m end A source=app device=p1 content-state={"charge":15.0}
        9m end B source=app device=p2 content-state={"charge":25.0}
        9m end C source=app device=p3 content-state={"charge":35.0}
        """, finds: .confirmed),
    RuleExample(
      "a member is renamed",
      before + """
        8m update A source=push timestamp=@8m content-state={"percent":14}
        8m1s update B source=push timestamp=@8m content-state={"percent":24}
        8m2s update C source=push timestamp=@8m content-state={"percent":34}
        9m end A source=app device=p1 content-state={"percent":15}
        9m end B source=app device=p2 content-state={"percent":25}
        9m end C source=app device=p3 content-state={"percent":35}
        """, finds: .confirmed),
  ]

  static let passing = [
    RuleExample(
      "an optional member comes and goes",
      before + """
        8m update A source=push timestamp=@8m content-state={"charge":15,"note":"slow"}
        8m1s update B source=push timestamp=@8m content-state={"charge":25,"note":"slow"}
        8m2s update C source=push timestamp=@8m content-state={"charge":35,"note":null}
        9m end A source=app device=p1 content-state={"charge":16}
        9m end B source=app device=p2 content-state={"charge":26}
        9m end C source=app device=p3 content-state={"charge":36,"note":"done"}
        """),
    RuleExample(
      "another build has a struct of its own",
      before + """
        8m end A source=app device=p1 content-state={"charge":15}
        8m end B source=app device=p2 content-state={"charge":25}
        8m end C source=app device=p3 content-state={"charge":35}
        9m start D source=app device=p4 attributes-type=Charge build=8 content-state={"level":0.1}
        10m update D source=push timestamp=@10m content-state={"level":0.2}
        11m update D source=push timestamp=@11m content-state={"level":0.3}
        12m end D source=app device=p4 content-state={"level":0.4}
        """),
  ]
}
