"""kalyke-apns: a wire log, request and answer on lines of their own, bodies as the text they were.

What the library makes of it is kept: its payload takes `attributes_type` and `attributes` for a
start, insists on them, and does not send them; an expiration nobody asked for is 30 days ahead.
"""

import asyncio
import datetime

import clock

now = clock.install(seed=2)

import kalyke  # noqa: E402  after the clock
import loopback  # noqa: E402
import samples  # noqa: E402

BUNDLE = "com.example.ferry"
TOPIC = BUNDLE + ".push-type.liveactivity"
HARBOUR, DECK = samples.token("harbour"), samples.token("deck")
START = samples.token("harbour, to start", digits=160)
GONE = {"reason": "ExpiredToken", "timestamp": 1795199000123}
PRIORITY = {5: kalyke.ApnsPriority.BASED_ON_POWER, 10: kalyke.ApnsPriority.IMMEDIATELY}


def payload(event, state, **members):
    return kalyke.LiveActivityPayload(
        timestamp=now.moment(),
        event=kalyke.LiveActivityEvent(event),
        content_state=state,
        **members,
    )


def config(priority, **members):
    named = {"identifier": str(now.uuid()).upper(), **members}
    return kalyke.LiveActivityApnsConfig(topic=TOPIC, priority=PRIORITY[priority], **named)


def story():
    """When, to which token, payload and configuration made then, and what APNs answers."""
    alert = kalyke.PayloadAlert(title="Boarding", body="Quay 3, until 18:25")
    delay = kalyke.PayloadAlert(title_loc_key="DELAY_TITLE", loc_key="DELAY", loc_args=["12"])
    quarter = datetime.timedelta(minutes=15)
    hour = int(now.now()) + 3600
    yield "18:10:00.125", START, lambda: (
        payload(
            "start",
            {"phase": "boarding", "delay": 0, "berths": [3]},
            alert=alert,
            sound="horn.caf",
            attributes_type="Crossing",
            attributes={"route": "Vlissingen–Breskens", "sailing": 1825},
        ),
        config(10, expiration=hour),
    ), None
    yield "18:24:30.5", HARBOUR, lambda: (
        payload("update", {"phase": "sailing", "delay": 2.5}, stale_date=now.moment() + quarter),
        config(5, expiration=hour, collapse_id="sailing-1825"),
    ), None
    yield "18:31:05.75", HARBOUR, lambda: (
        payload(
            "update",
            {"phase": "sailing", "delay": 12.0},
            alert=delay,
            relevance_score=75.0,
            custom={"sailing": 1825},
        ),
        config(10),
    ), (429, {"reason": "TooManyRequests"})
    yield "18:31:40", DECK, lambda: (
        kalyke.Payload(
            alert=kalyke.PayloadAlert(title="Coffee", body="Deck B"),
            badge=1,
            interruption_level=kalyke.InterruptionLevel.PASSIVE,
        ),
        kalyke.ApnsConfig(topic=BUNDLE, identifier=str(now.uuid()), expiration=hour),
    ), None
    yield "18:40:00.0625", DECK, lambda: (
        payload("update", {"phase": "landing", "delay": 12}),
        config(10, expiration=hour),
    ), (410, GONE)
    # The library's own default: the push has no id, and its answer one that APNs drew.
    yield "18:43:10.5", HARBOUR, lambda: (
        payload("update", {"phase": "landing", "delay": 12}),
        config(5, expiration=hour, identifier=None),
    ), None
    yield "18:46:20", HARBOUR, lambda: (
        payload("end", {"phase": "landed", "delay": 12}, dismissal_date=now.moment() + quarter),
        config(10, expiration=0),
    ), None


def lines(exchange):
    yield {
        "time": exchange.at.timestamp(),
        "type": "request",
        "method": exchange.method,
        "url": f"https://{exchange.host}{exchange.path}",
        "headers": samples.redacted(exchange.headers),
        "body": exchange.body.decode(),
    }
    yield {
        "time": exchange.answered_at.timestamp(),
        "type": "response",
        "status": exchange.status,
        "headers": exchange.answer_headers,
        "body": exchange.answer.decode(),
    }


async def main(server):
    settings = {
        "use_sandbox": True,
        "team_id": "DEF123GHIJ",
        "auth_key_id": "ABC123DEFG",
        "auth_key_filepath": server.key,
    }
    plain, live = kalyke.ApnsClient(**settings), kalyke.LiveActivityClient(**settings)
    for when, token, make, answer in story():
        now.at(when)
        server.answers = [answer]
        message, settings_of_push = make()
        client = live if isinstance(message, kalyke.LiveActivityPayload) else plain
        try:
            await client.send_message(token, message, settings_of_push)
        except kalyke.exceptions.ApnsProviderException:
            pass


with loopback.Loopback(now, loopback.apns) as server:
    asyncio.run(main(server))
    samples.write(line for each in server.exchanges for line in lines(each))
