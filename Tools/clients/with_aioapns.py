"""aioapns: the log a worker writes around `send_notification`, request and result on one line.

The result is the library's: `status` a text, `description` APNs' reason, `timestamp` milliseconds.
"""

import asyncio
import json
import ssl

import clock

now = clock.install(seed=1)

import aioapns  # noqa: E402  after the clock
import loopback  # noqa: E402
import samples  # noqa: E402

TOPIC = "com.example.brew.push-type.liveactivity"
ANNA, BEN = samples.token("anna"), samples.token("ben")
START = samples.token("anna, to start", digits=160)
GONE = {"reason": "Unregistered", "timestamp": 1795197900000}


def aps(event, **members):
    """An `aps` of a Live Activity; aioapns has no type for it and takes any dictionary."""
    names = {name.replace("_", "-"): value for name, value in members.items()}
    return {"aps": {"timestamp": int(now.now()), "event": event, **names}}


def story():
    """When, to which token, what message, what more the request has, and what APNs answers."""
    order = {"order": "A-2041", "store": "Bridge Street"}
    ready = {"title": "Ready", "body": "Your flat white is on the counter", "sound": "chime.caf"}
    yield "18:00:00.250", START, lambda: aps(
        "start",
        attributes_type="CoffeeOrder",
        attributes=order,
        content_state={"status": "preparing", "queue": 3, "eta": None},
        alert={"title": "Order A-2041", "body": "We have started on it"},
        input_push_token=1,
        stale_date=int(now.now()) + 900,
    ), {"priority": 10, "time_to_live": 3600, "collapse_key": "A-2041"}, None
    yield "18:02:10.004", ANNA, lambda: aps(
        "update", content_state={"status": "brewing", "queue": 1.0, "eta": "18:09"}
    ), {"priority": 5, "time_to_live": 3600}, None
    yield "18:05:00", ANNA, lambda: aps(
        "update",
        content_state={"status": "ready", "queue": 0, "eta": None},
        alert=ready,
        relevance_score=100,
        stale_date=int(now.now()) + 600,
    ), {"priority": 10}, (400, {"reason": "BadDeviceToken"})
    yield "18:05:02.5", ANNA, lambda: aps(
        "update",
        content_state={"status": "ready", "queue": 0, "eta": None},
        alert=ready,
        relevance_score=100,
        stale_date=int(now.now()) + 600,
    ), {"priority": 10}, None
    yield "18:05:10", BEN, lambda: {
        "aps": {"alert": {"title": "Happy hour", "body": "Until seven"}, "sound": "default"}
    }, {
        "push_type": aioapns.PushType.ALERT,
        "apns_topic": "com.example.brew",
        "priority": 5,
    }, None
    yield "18:07:41.9", BEN, lambda: aps(
        "update", content_state={"status": "brewing", "queue": 2, "eta": "18:15"}
    ), {"priority": 5}, (410, GONE)
    yield "18:09:12.5", ANNA, lambda: {
        **aps(
            "end",
            content_state={"status": "collected", "queue": 0, "eta": None},
            dismissal_date=int(now.now()) + 300,
        ),
        "trace": {"span": "9f1c", "sampled": True},
    }, {"priority": 10, "time_to_live": 0}, None


def line(exchange, result):
    return {
        "ts": exchange.at.isoformat(timespec="microseconds"),
        "level": "info" if result.is_successful else "error",
        "hostname": "push-7",
        "device_token": exchange.path.rsplit("/", 1)[1],
        "headers": {k: v for k, v in exchange.headers.items() if k.startswith("apns-")},
        "payload": json.loads(exchange.body),
        "result": {name: getattr(result, name) for name in type(result).__slots__},
    }


class LoopbackPool(aioapns.connection.APNsKeyConnectionPool):
    """aioapns' own pool, but for the address: its proxy setting fails on Python 3.11."""

    async def _create_connection(self, apns_protocol_factory):
        _, protocol = await self.loop.create_connection(
            apns_protocol_factory,
            host="127.0.0.1",
            port=server.port,
            ssl=self.ssl_context,
            server_hostname=self.protocol_class.APNS_SERVER,
        )
        return protocol


async def main(server):
    settings = {
        "key": server.key.read_text(),
        "key_id": "ABC123DEFG",
        "team_id": "DEF123GHIJ",
        "topic": TOPIC,
        "ssl_context": ssl.create_default_context(cafile=server.certificate),
    }
    client = aioapns.APNs(**settings, err_func=lambda *_: asyncio.sleep(0))
    client.pool = LoopbackPool(**settings)
    lines = []
    for when, token, message, more, answer in story():
        now.at(when)
        server.answers = [answer]
        request = aioapns.NotificationRequest(
            token, message(), **{"push_type": aioapns.PushType.LIVEACTIVITY, **more}
        )
        result = await client.send_notification(request)
        lines.append(line(server.exchanges[-1], result))
    client.pool.close()
    return lines


with loopback.Loopback(now, loopback.apns) as server:
    samples.write(asyncio.run(main(server)))
