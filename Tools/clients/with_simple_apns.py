"""simple-apns: a log of attempts, request and response nested, headers in title case.

The library sends no `apns-id`, so APNs makes one; it repeats a push that met a 5xx, up to three
times, and takes any dictionary.
"""

import json

import clock

now = clock.install(seed=3)

import loopback  # noqa: E402  after the clock
import samples  # noqa: E402
import simple_apns  # noqa: E402

BUNDLE = "com.example.derby"
HOME, AWAY = samples.token("home"), samples.token("away")
START = samples.token("away, to start", digits=160)
DOWN = (503, {"reason": "ServiceUnavailable"})


def story():
    """When, to which token, `aps`, what more the push has, and what APNs answers, in order."""
    goal = {"title": "Goal", "body": "1:0, Okafor"}
    yield "18:00:00.004", START, lambda: {
        "timestamp": int(now.now()),
        "event": "start",
        "content-state": {"home": 0, "away": 0, "minute": 1},
        "attributes-type": "Match",
        "attributes": {"teams": ["Harbour", "Hill"], "match": "m-77"},
        "alert": {"title": "Kick-off", "body": "Harbour against Hill"},
    }, {"expiration": 1795201200, "collapse_id": "m-77"}, []
    yield "18:23:11.4", HOME, lambda: {
        "timestamp": int(now.now()),
        "event": "update",
        "content-state": {"home": 1, "away": 0, "minute": 24},
        "alert": goal,
    }, {}, [DOWN, DOWN]
    yield "18:23:30", AWAY, lambda: {"content-available": 1}, {"push_type": "background"}, []
    yield "18:45:02.9", HOME, lambda: {
        "timestamp": int(now.now()),
        "event": "update",
        "content-state": {"home": 1, "away": 0, "minute": 45, "phase": None},
        "stale-date": int(now.now()) + 1200,
        "relevance-score": 50,
    }, {"priority": 5}, []
    yield "18:52:00", AWAY, lambda: {
        "timestamp": now.now(),
        "event": "end",
        "content-state": {"home": 1, "away": 0, "minute": 90},
        "dismissal-date": now.now() + 600.5,
    }, {}, [(403, {"reason": "ExpiredProviderToken"})]


def line(exchange, attempt):
    headers = samples.of_push(exchange.headers).items()
    answer = {"statusCode": exchange.status, "apnsId": exchange.answer_headers["apns-id"]}
    if exchange.answer:
        answer.update(json.loads(exchange.answer))
    return {
        "timestamp": exchange.at.strftime("%Y-%m-%d %H:%M:%S,%f")[:-3] + "Z",
        "attempt": attempt,
        "request": {
            "host": exchange.host,
            "path": exchange.path,
            "headers": {name.title(): value for name, value in headers},
            "payload": json.loads(exchange.body),
        },
        "response": answer,
    }


with loopback.Loopback(now, loopback.apns) as server:
    client = simple_apns.APNSClient(
        team_id="DEF123GHIJ",
        auth_key_id="ABC123DEFG",
        auth_key_path=str(server.key),
        bundle_id=BUNDLE,
        apns_topic=BUNDLE + ".push-type.liveactivity",
    )
    lines = []
    for when, token, aps, more, answers in story():
        now.at(when)
        server.answers, server.exchanges = list(answers), []
        try:
            client.send_notification(
                token, {"aps": aps()}, **{"push_type": "liveactivity", **more}
            )
        except simple_apns.APNSException:
            pass
        lines += [line(each, number) for number, each in enumerate(server.exchanges, 1)]
    client.close()
    samples.write(lines)
