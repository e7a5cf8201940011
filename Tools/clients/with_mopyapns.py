"""mopyapns, of the family of apns2 for Python: a printed payload and the library's own result.

The family knows no Live Activity: no push type, no members. What people do is a payload class of
their own and a push type of their own; who forgets the push type gets the one that the library
infers, `alert` or `background`, and a refusal. It sends no `apns-id` and no priority 10.
"""

import enum
import json

import clock

now = clock.install(seed=4)

import apns2.client  # noqa: E402  after the clock
import apns2.credentials  # noqa: E402
import apns2.payload  # noqa: E402
import loopback  # noqa: E402
import samples  # noqa: E402

TOPIC = "com.example.laundry.push-type.liveactivity"
DRUM = samples.token("drum")


class PushType(enum.Enum):
    LIVE_ACTIVITY = "liveactivity"


class LiveActivity(apns2.payload.Payload):
    """The library's payload with further members of `aps`."""

    def __init__(self, aps, **members):
        super().__init__(**members)
        self.aps = aps

    def dict(self):
        result = super().dict()
        result["aps"].update(self.aps)
        return result


def aps(event, state, **members):
    names = {name.replace("_", "-"): value for name, value in members.items()}
    return {"timestamp": int(now.now()), "event": event, "content-state": state, **names}


def story():
    """When, payload, what more the push has than its topic, and what APNs answers."""
    live = {"push_type": PushType.LIVE_ACTIVITY}
    delayed = {"priority": apns2.client.NotificationPriority.Delayed}
    done = apns2.payload.PayloadAlert(title="Done", body="Drum 4 — 60 °C")
    yield "18:15:00", lambda: LiveActivity(
        aps("update", {"phase": "rinse", "left": 17}), custom={"drum": 4}
    ), {**live, **delayed, "expiration": 1795199400}, None
    yield "18:20:00", lambda: LiveActivity(aps("update", {"phase": "spin", "left": 9})), {
        "expiration": 1795199400
    }, (400, {"reason": "InvalidPushType"})
    yield "18:29:00", lambda: LiveActivity(
        aps("update", {"phase": "done", "left": 0}), alert=done, sound="ding.caf"
    ), {**live, "collapse_id": "drum-4"}, None
    yield "18:30:00", lambda: apns2.payload.Payload(alert="Drum 4 is yours to empty", badge=1), {
        "topic": "com.example.laundry"
    }, None
    yield "18:45:00", lambda: LiveActivity(aps("end", {}, dismissal_date=0)), live, (
        410,
        {"reason": "Unregistered", "timestamp": 1795200240000},
    )


def line(exchange, result):
    return {
        "asctime": exchange.at.strftime("%Y-%m-%dT%H:%M:%S.%f%z"),
        "name": "apns2.client",
        "token": exchange.path.rsplit("/", 1)[1],
        "notification": json.loads(exchange.body),
        "headers": samples.of_push(exchange.headers),
        "status": exchange.status,
        "apns_id": exchange.answer_headers["apns-id"],
        "response": result,
    }


with loopback.Loopback(now, loopback.apns) as server:
    credentials = apns2.credentials.TokenCredentials(str(server.key), "ABC123DEFG", "DEF123GHIJ")
    client = apns2.client.APNsClient(credentials)
    lines = []
    for when, payload, more, answer in story():
        now.at(when)
        server.answers = [answer]
        response = client.send_notification_async(DRUM, payload(), **{"topic": TOPIC, **more})
        result = client.get_notification_result(response)
        lines.append(line(server.exchanges[-1], result))
    samples.write(lines)
