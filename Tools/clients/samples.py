"""What the programs share: made-up tokens, and how a sample is written."""

import hashlib
import json
import pathlib
import sys


def token(name, digits=64):
    """A made-up device token: hex digits that only hang on the name."""
    text, count = "", 0
    while len(text) < digits:
        text += hashlib.sha256(f"{name}/{count}".encode()).hexdigest()
        count += 1
    return text[:digits]


def redacted(headers):
    """The headers as sent, but for the provider's signature, which nobody may log."""
    secret = {"authorization": "bearer [redacted]"}
    return {k: secret.get(k.lower(), v) for k, v in headers.items()}


def of_push(headers):
    """The headers that say how APNs is to deliver it, and how many bytes the payload had."""
    return {
        k: v for k, v in headers.items() if k.lower().startswith("apns-") or k == "content-length"
    }


def write(lines):
    """Writes the sample to the file that is the program's only argument."""
    spelled = (json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in lines)
    text = "".join(each + "\n" for each in spelled)
    pathlib.Path(sys.argv[1]).write_text(text, encoding="utf-8")
