"""APNs and FCM on the loopback interface: what a client sent, to the byte, and a made-up answer.

The clients are not told another host: the server is an HTTP proxy, named to them by environment,
that opens no connection and answers in the place of whoever was asked for. It speaks TLS
with a certificate of its own, made anew in each run, and HTTP/2 or HTTP/1.1.
"""

import contextlib
import datetime
import json
import os
import pathlib
import socket
import ssl
import tempfile
import threading

import h2.config
import h2.connection
import h2.events
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOSTS = [
    "api.push.apple.com",
    "api.sandbox.push.apple.com",
    "api.development.push.apple.com",
    "fcm.googleapis.com",
]
ROUND_TRIP = 0.038


class Exchange:
    """One request as it arrived, and its answer."""

    def __init__(self, host, method, path, headers, body, at):
        self.host, self.method, self.path = host, method, path
        self.headers, self.body, self.at = headers, body, at
        self.status, self.answer_headers, self.answer, self.answered_at = 0, {}, b"", None


class Loopback:
    """Serves on 127.0.0.1 until its `with` ends. `answers` are used up in order, then it is 200."""

    def __init__(self, clock, answer):
        self.clock, self.answer = clock, answer
        self.exchanges, self.answers = [], []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._sockets = []

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self._folder.name)
        self.certificate = folder / "loopback.pem"
        self.key = folder / "provider.p8"
        write_certificate(self.certificate)
        write_key(self.key)
        proxy = f"http://127.0.0.1:{self.port}"
        os.environ.update(HTTPS_PROXY=proxy, https_proxy=proxy, NO_PROXY="", no_proxy="")
        os.environ.update(
            SSL_CERT_FILE=str(self.certificate), REQUESTS_CA_BUNDLE=str(self.certificate)
        )
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        for each in [self._listener, *self._sockets]:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._folder.cleanup()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self._sockets.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with contextlib.suppress(OSError):
            host = self._tunnel(connection)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.certificate)
            context.set_alpn_protocols(["h2", "http/1.1"])
            with context.wrap_socket(connection, server_side=True) as secure:
                # aioapns names no protocol and speaks HTTP/2 all the same.
                if secure.selected_alpn_protocol() == "http/1.1" or "googleapis" in host:
                    self._serve_http1(secure, host)
                else:
                    self._serve_http2(secure, host)

    @staticmethod
    def _tunnel(connection):
        # A client without a working proxy setting comes straight here; only aioapns does.
        if connection.recv(1, socket.MSG_PEEK) == b"\x16":
            return "api.push.apple.com"
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += connection.recv(1)
        connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        return head.split()[1].decode().rsplit(":", 1)[0]

    def _serve_http2(self, secure, host):
        link = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        link.initiate_connection()
        secure.sendall(link.data_to_send())
        heads, bodies = {}, {}
        while data := secure.recv(65536):
            for event in link.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    heads[event.stream_id] = [(k.decode(), v.decode()) for k, v in event.headers]
                    bodies[event.stream_id] = b""
                elif isinstance(event, h2.events.DataReceived):
                    bodies[event.stream_id] += event.data
                    link.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded):
                    head = dict(heads.pop(event.stream_id))
                    plain = {k: v for k, v in head.items() if not k.startswith(":")}
                    body = bodies.pop(event.stream_id)
                    done = self._take(host, head[":method"], head[":path"], plain, body)
                    answer = [(":status", str(done.status)), *done.answer_headers.items()]
                    link.send_headers(event.stream_id, answer, end_stream=not done.answer)
                    if done.answer:
                        link.send_data(event.stream_id, done.answer, end_stream=True)
            secure.sendall(link.data_to_send())

    def _serve_http1(self, secure, host):
        stream = secure.makefile("rwb")
        while line := stream.readline().decode().split():
            headers = {}
            while text := stream.readline().decode().strip():
                name, value = text.split(":", 1)
                headers[name] = value.strip()
            sizes = [int(v) for k, v in headers.items() if k.lower() == "content-length"]
            body = stream.read(sizes[0] if sizes else 0)
            done = self._take(host, line[0], line[1], headers, body)
            head = f"HTTP/1.1 {done.status} OK\r\ncontent-length: {len(done.answer)}\r\n"
            head += "".join(f"{k}: {v}\r\n" for k, v in done.answer_headers.items())
            stream.write(head.encode() + b"\r\n" + done.answer)
            stream.flush()

    def _take(self, host, method, path, headers, body):
        done = Exchange(host, method, path, headers, body, self.clock.moment())
        self.clock.advance(ROUND_TRIP)
        planned = self.answers.pop(0) if self.answers else None
        done.status, done.answer_headers, done.answer = self.answer(self.clock, done, planned)
        done.answered_at = self.clock.moment()
        self.exchanges.append(done)
        return done


def apns(clock, request, planned):
    """APNs' answer: 200 with nothing, or a status, a reason and, for 410, since when in ms."""
    headers = {"apns-id": request.headers.get("apns-id") or str(clock.uuid()).upper()}
    if planned is None:
        return 200, headers, b""
    status, answer = planned
    return status, headers, json.dumps(answer, separators=(",", ":")).encode()


def fcm(clock, request, planned):
    """FCM's answer: the name of the message, or its error object."""
    headers = {"content-type": "application/json; charset=UTF-8"}
    if planned is None:
        project = request.path.split("/")[3]
        name = f"projects/{project}/messages/{clock.uuid().hex[:16]}"
        return 200, headers, json.dumps({"name": name}, indent=2).encode()
    status, answer = planned
    return status, headers, json.dumps(answer, indent=2).encode()


def write_certificate(path):
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "loopback")])
    # Wide, since the machine's own clock may be anywhere.
    begin, end = datetime.datetime(2020, 1, 1), datetime.datetime(2099, 1, 1)
    names = x509.SubjectAlternativeName([x509.DNSName(host) for host in HOSTS])
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name)
    builder = builder.public_key(key.public_key()).serial_number(1)
    builder = builder.not_valid_before(begin).not_valid_after(end).add_extension(names, False)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), True)
    certificate = builder.sign(key, hashes.SHA256())
    path.write_bytes(pem(key) + certificate.public_bytes(serialization.Encoding.PEM))


def write_key(path):
    """A provider's signing key, as a client wants one; nobody checks what it signs."""
    path.write_bytes(pem(ec.generate_private_key(ec.SECP256R1())))


def pem(key):
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
