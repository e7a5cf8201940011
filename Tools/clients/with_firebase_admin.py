"""firebase-admin: what it posts to FCM v1, and FCM's answer, on one line each.

A message has two tokens: the app's registration token, and the Live Activity's, to which the
push goes. The library removes members of `aps` that are null or empty, an empty content too.
"""

import datetime
import json

import clock

now = clock.install(seed=5)

import firebase_admin  # noqa: E402  after the clock
import google.oauth2.credentials  # noqa: E402
import loopback  # noqa: E402
import samples  # noqa: E402
from firebase_admin import credentials, messaging  # noqa: E402

APP = samples.token("registration", 22) + ":APA91b" + samples.token("registration, second half", 48)
KILN, GLAZE = samples.token("kiln"), samples.token("glaze")
START = samples.token("kiln, to start", digits=160)
FCM_ERROR = "type.googleapis.com/google.firebase.fcm.v1.FcmError"
APNS_ERROR = "type.googleapis.com/google.firebase.fcm.v1.ApnsError"


class Granted(credentials.Base):
    """A credential that has its access token already, and gets the same one when it asks again."""

    def get_credential(self):
        return google.oauth2.credentials.Credentials("made-up", refresh_handler=self.again)

    def again(self, request, scopes):
        return "made-up", datetime.datetime(2099, 1, 1)


def refusal(code, status, message, *details):
    return code, {
        "error": {"code": code, "message": message, "status": status, "details": list(details)}
    }


def message(token, aps, priority="10", custom=None, app=None, **headers):
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return messaging.Message(
        **app or {"token": APP},
        apns=messaging.APNSConfig(
            live_activity_token=token,
            headers={"apns-priority": priority, **names},
            payload=messaging.APNSPayload(aps, **custom or {}),
        ),
    )


def aps(event, state, alert=None, sound=None, **members):
    names = {name.replace("_", "-"): value for name, value in members.items()}
    custom = {"timestamp": int(now.now()), "event": event, "content-state": state, **names}
    return messaging.Aps(alert=alert, sound=sound, custom_data=custom)


def story():
    """When, the message made then, and what FCM answers."""
    lit = messaging.ApsAlert(title="Kiln lit", body="1240 °C by midnight")
    hot = messaging.ApsAlert(title_loc_key="HOT", loc_key="HOT_AT", loc_args=["1240"])
    yield "18:02:00.5", lambda: message(
        START,
        aps(
            "start",
            {"degrees": 20, "rate": 2.5, "cone": None},
            lit,
            "default",
            attributes_type="Firing",
            attributes={"kiln": 2, "glaze": "celadon"},
        ),
        apns_expiration="1795204800",
    ), None
    yield "18:30:00", lambda: message(
        KILN,
        aps("update", {"degrees": 95.0, "rate": 2.5}, stale_date=int(now.now()) + 1800),
        priority="5",
        custom={"firing": "f-12"},
        apns_collapse_id="f-12",
    ), None
    yield "18:40:00.25", lambda: messaging.Message(
        token=APP,
        notification=messaging.Notification(title="Clay is in", body="Stoneware, 40 kg"),
    ), None
    yield "18:41:00", lambda: message(
        GLAZE,
        aps("update", {"degrees": 1240, "rate": 0}, hot, relevance_score=90.0),
        app={"fid": "cHVzaC1zYW1wbGUtMDE"},
    ), refusal(
        400,
        "INVALID_ARGUMENT",
        "Request contains an invalid argument.",
        {"@type": FCM_ERROR, "errorCode": "INVALID_ARGUMENT"},
        {"@type": APNS_ERROR, "statusCode": 400, "reason": "BadDeviceToken"},
    )
    yield "18:50:00", lambda: message(
        KILN, aps("update", {"degrees": 130, "rate": 2.5})
    ), refusal(
        404,
        "NOT_FOUND",
        "Requested entity was not found.",
        {"@type": FCM_ERROR, "errorCode": "UNREGISTERED"},
    )
    yield "18:54:00", lambda: message(
        KILN, aps("end", {"degrees": 131, "rate": 0}, dismissal_date=0)
    ), refusal(
        401,
        "UNAUTHENTICATED",
        "Request is missing required authentication credential.",
        {"@type": FCM_ERROR, "errorCode": "THIRD_PARTY_AUTH_ERROR"},
        {"@type": APNS_ERROR, "statusCode": 403, "reason": "InvalidProviderToken"},
    )
    yield "18:55:00.125", lambda: message(
        KILN,
        aps("end", {}, dismissal_date=int(now.now()) + 3600),
        apns_push_type="liveactivity",
        apns_topic="com.example.kiln.push-type.liveactivity",
    ), None


def line(exchange):
    body = json.loads(exchange.answer)
    return {
        "timestamp": exchange.at.isoformat(timespec="microseconds").replace("+00:00", "Z"),
        "severity": "INFO" if exchange.status == 200 else "ERROR",
        "url": f"https://{exchange.host}{exchange.path}",
        "request": json.loads(exchange.body),
        "response": {"status": exchange.status, "body": body},
    }


with loopback.Loopback(now, loopback.fcm) as server:
    firebase_admin.initialize_app(Granted(), {"projectId": "example-kiln"})
    for when, make, answer in story():
        now.at(when)
        # The library takes a 401 for its own and posts three times in all.
        server.answers = [answer] * 3 if answer and answer[0] == 401 else [answer]
        try:
            messaging.send(make())
        except firebase_admin.exceptions.FirebaseError:
            pass
    samples.write(map(line, server.exchanges))
