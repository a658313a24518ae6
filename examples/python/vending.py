#!/usr/bin/env python3
"""Vending firmware that sells through fiskd, with the standard library only (Python 3.9 or newer).

Each line on standard input is a press of the button: `sell SALE TOTAL METHOD [ITEM]`. See ../README.md for the rest.
"""

from __future__ import annotations

import http.client
import json
import os
import ssl
import sys
import time
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Callable, NamedTuple, Optional
from urllib.parse import urlencode, urlsplit

URL = urlsplit(os.environ["FISKD_URL"])
KEY = os.environ["FISKD_KEY"]
DEVICE = os.environ["FISKD_DEVICE"]
STATE = Path(os.environ["FISKD_STATE"])
RECEIPT = os.environ.get("FISKD_RECEIPT")  # a file for the receipt as a picture, if the machine has a display

# Only the CA of this fiskd is trusted, and none of the system.
TLS = ssl.create_default_context(cafile=os.environ["FISKD_CA"])

TIMEOUT_S = 15  # fiskd may take 9 s
LONGEST_WAIT_S = 30
KEY_LIFETIME = timedelta(hours=23)  # fiskd remembers a key for 24 h
REFUSALS = (400, 401, 403, 404, 409, 413)  # every other status but 200 says nothing about the sale

OPEN_SALE = STATE / "open-sale.json"


class Sale(NamedTuple):
    """What must survive a power cut: the same key and the same bytes are the same sale."""

    name: str
    key: str
    api_key: str  # an Idempotency-Key belongs to the API key that it was first sent with
    created_at: str
    body: str


class Answer(NamedTuple):
    status: int
    retry_after: Optional[str]
    body: bytes


def store(sale: Sale) -> None:
    """Returns when the sale is on the disk: the file is there whole, or not at all."""
    new = OPEN_SALE.with_suffix(".new")
    with new.open("w", encoding="utf-8") as file:
        json.dump(sale._asdict(), file)
        file.flush()
        os.fsync(file.fileno())
    new.replace(OPEN_SALE)
    sync_state()


def forget() -> None:
    OPEN_SALE.unlink()
    sync_state()


def leave_to_person(sale: Sale) -> None:
    """No goods and no money: somebody has to look whether fiskd has the sale."""
    log(f"a person has to look what became of {sale}")
    OPEN_SALE.replace(STATE / f"left-{sale.key}.json")
    sync_state()


def sync_state() -> None:
    """A new name, or one less, is on the disk only when the folder is."""
    folder = os.open(STATE, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def request(
    method: str, path: str, headers: dict[str, str], body: Optional[bytes] = None, api_key: str = KEY
) -> Answer:
    """Sends one request. Raises OSError or HTTPException when there is no whole answer."""
    connection = http.client.HTTPSConnection(URL.hostname or "", URL.port, timeout=TIMEOUT_S, context=TLS)
    try:
        connection.request(method, path, body, {"Authorization": f"Bearer {api_key}", **headers})
        response = connection.getresponse()
        return Answer(response.status, response.getheader("Retry-After"), response.read())
    finally:
        connection.close()


def post(sale: Sale) -> Optional[Answer]:
    headers = {"Idempotency-Key": sale.key, "Content-Type": "application/json"}
    try:
        answer = request("POST", "/v1/invoices", headers, sale.body.encode(), sale.api_key)
        if answer.status == 200:
            json.loads(answer.body)
        return answer
    except (OSError, http.client.HTTPException, ValueError) as error:
        log(f"no answer: {error}")
        return None


class Waits:
    """What fiskd asks for, else a second, doubling."""

    backoff = 1

    def sleep(self, answer: Optional[Answer]) -> None:
        wait = self.backoff
        if answer and answer.retry_after and answer.retry_after.isdigit():
            wait = int(answer.retry_after)
        else:
            self.backoff = min(self.backoff * 2, LONGEST_WAIT_S)
        log(f"{answer.status if answer else 'no answer'}: again in {wait} s")
        time.sleep(wait)


def settle(sale: Sale, may_be_stored: bool = False) -> None:
    """Sends a stored sale until fiskd has decided; then the goods, or the money back."""
    waits = Waits()
    while True:
        if datetime.now(timezone.utc) - datetime.fromisoformat(sale.created_at) > KEY_LIFETIME:
            # Sent again under a key that is forgotten, it could become a second sale.
            return look_for(sale, send_anew)
        answer = post(sale)
        if answer and answer.status == 200:
            return complete(sale, json.loads(answer.body))
        if answer and answer.status == 409 and b'"idempotency_key_reused"' in answer.body:
            return look_for(sale, refuse)
        # 401 and 403 say nothing about the attempts before.
        is_doubtful = may_be_stored and answer is not None and answer.status in (401, 403)
        if answer and answer.status in REFUSALS and not is_doubtful:
            # The request or the set-up is wrong: sent again as it is, it would be refused again.
            log(answer.body.decode())
            return refuse(sale)
        # The sale may be stored. The same bytes with the same key are safe.
        may_be_stored = may_be_stored or answer is None or answer.status != 429
        waits.sleep(answer)


def look_for(sale: Sale, if_not_there: Callable[[Sale], None]) -> None:
    """Searches for a sale by its moment and its total."""
    sold = json.loads(sale.body)
    second = datetime.fromisoformat(sold["occurred_at"]).replace(microsecond=0)
    moments = {"from": second.isoformat(), "to": (second + timedelta(seconds=1)).isoformat()}
    path = f"/v1/invoices?{urlencode({'device_id': DEVICE, **moments})}"
    waits = Waits()
    while True:
        answer = None
        try:
            answer = request("GET", path, {})
            if answer.status == 200:
                rows = json.loads(answer.body)["data"]
                break
            if answer.status in REFUSALS:
                return leave_to_person(sale)
        except (OSError, http.client.HTTPException, ValueError) as error:
            log(f"no answer: {error}")
        waits.sleep(answer)
    found = [row for row in rows if (row["occurred_at"], row["total"]) == (sold["occurred_at"], sold["total"])]
    if len(found) > 1:
        return leave_to_person(sale)
    return complete(sale, found[0]) if found else if_not_there(sale)


def send_anew(sale: Sale) -> None:
    """fiskd does not have it: it becomes a sale now, under a new key."""
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    anew = sale._replace(key=str(uuid.uuid4()), api_key=KEY, created_at=now)
    store(anew)
    settle(anew)


def complete(sale: Sale, invoice: dict[str, Any]) -> None:
    """A 200 is a valid sale, whether there is a JIR yet or not."""
    log(f"sold as number {invoice['number']}, {invoice['status']}, JIR {invoice['jir']}")
    say("screen", sale.name, invoice["qr_payload"])
    # Stored before the motor turns: a power cut in between never gives the goods out twice.
    # A machine with a sensor that sees the goods fall forgets the sale after it has seen them.
    forget()
    say("goods", sale.name)
    if RECEIPT:
        show(invoice["id"], RECEIPT)


def refuse(sale: Sale) -> None:
    forget()
    say("refused", sale.name)


def show(invoice_id: str, file: str) -> None:
    """The receipt as a picture for the display; the goods did not wait for it."""
    headers = {"Accept": "image/png", "Idempotency-Key": f"receipt-{invoice_id}"}
    try:
        answer = request("GET", f"/v1/invoices/{invoice_id}/receipt", headers)
    except (OSError, http.client.HTTPException) as error:
        return log(f"no picture: {error}")
    if answer.status == 200:
        Path(file).write_bytes(answer.body)


def press(name: str, total: str, method: str, item: str) -> None:
    """The button is pressed and paid for."""
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    body: dict[str, Any] = {"device_id": DEVICE, "occurred_at": now, "total": total, "payment_method": method}
    if item:
        body["items"] = [{"name": item, "quantity": "1", "unit_price": total, "amount": total}]
    sale = Sale(name, str(uuid.uuid4()), KEY, now, json.dumps(body))
    store(sale)
    settle(sale)


def say(*words: str) -> None:
    print(*words, flush=True)


def log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    if OPEN_SALE.exists():
        settle(Sale(**json.loads(OPEN_SALE.read_text(encoding="utf-8"))), may_be_stored=True)
    for line in sys.stdin:
        words = line.split(maxsplit=4)
        if len(words) >= 4 and words[0] == "sell":
            press(words[1], words[2], words[3], words[4].strip() if len(words) > 4 else "")
        elif words:
            log(f"not understood: {line.strip()}")


if __name__ == "__main__":
    main()
