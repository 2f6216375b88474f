"""A cluster runs code only for holders of its keys; the user is warned if there are none."""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import ssl
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import dask
import psutil
import pytest
from distributed import LocalCluster, Security

import nonosat
from helpers.commands import COMMAND, MULTIPLE, UNIQUE, put, whole
from helpers.intruder import NOBODY, Careless
from helpers.processes import PATIENCE_S, all_ended, below, eventually, happens
from nonosat.core.errors import UnsupportedError
from nonosat.processes.cluster import connecting
from nonosat.processes.cluster.connecting import OpenCluster
from test_batch import results_of, slow_puzzles
from test_readme import ROOT, blocks

__all__ = ["put"]  # a fixture

INTRUDER = Path(__file__).parent / "helpers" / "intruder.py"
USERS = {os.getuid(), NOBODY} if os.getuid() == 0 else {os.getuid()}
REQUEST = b"GET / HTTP/1.0\r\n\r\n"
HARD = "instances/hard.jsonl#steps-8"
UNENCRYPTED = "is reached without TLS"


def certificate(path):
    """Return a file with a new key and its certificate."""
    made = Security.temporary()
    path.write_text(made.tls_client_cert + made.tls_client_key)
    return str(path)


def keys_of(path):
    """Return Dask's configuration with that file for every role."""
    roles = {
        f"distributed.comm.tls.{role}.cert": path for role in ("client", "scheduler", "worker")
    }
    return {"distributed.comm.tls.ca-file": path, **roles}


def elsewhere(num_workers=1, **settings):
    return LocalCluster(
        n_workers=num_workers,
        threads_per_worker=1,
        dashboard_address=None,
        scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
        silence_logs=60,
        **settings,
    )


def encrypted(path, num_workers=1):
    """Return a remote cluster that accepts only the certificate in that file."""
    with dask.config.set(keys_of(path)):
        return elsewhere(num_workers, security=Security(require_encryption=True))


@pytest.fixture
def plain():
    with elsewhere() as cluster:
        yield cluster.scheduler_address


@pytest.fixture(autouse=True)
def first_warning():
    connecting._warn.cache_clear()


# ---- a cluster of this machine


def intrude(folder, *ways):
    """Return the folders that an intruder's code created, and the intruder's output."""
    folder.mkdir()
    command = [sys.executable, str(INTRUDER), str(folder), *ways]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    return {path.name for path in folder.iterdir()}, done.stdout


@pytest.mark.thorough
def test_no_other_user_runs_code_in_a_local_cluster(tmp_path):
    false = certificate(tmp_path / "false.pem")
    with OpenCluster("local:1") as cluster:
        place = cluster.client.cluster.scheduler_address.rpartition("://")[2]
        ways = (f"tcp://{place}", f"tls://{place}", f"tls://{place}={false}")
        ran, told = intrude(tmp_path / "ran", *ways)
        assert not ran
        assert told.count("was refused") == len(ways) * len(USERS), told
        assert set(cluster.client.run(os.getuid).values()) == {os.getuid()}


@pytest.mark.thorough
def test_the_intruder_succeeds_without_protection(tmp_path, plain):
    """The intruder runs code in an open cluster, and with the right certificate."""
    known = certificate(tmp_path / "known.pem")
    with encrypted(known) as other:
        address = other.scheduler_address
        ran, told = intrude(tmp_path / "ran", plain, f"{address}={known}", address)
    everywhere = {f"{user}-{where}" for user in USERS for where in ("scheduler", "worker")}
    assert ran == {f"{way}-{name}" for way in (0, 1) for name in everywhere}, told


def listening():
    """Addresses on which this process and its descendants listen."""
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    every = [each for process in processes for each in process.net_connections("inet")]
    return {tuple(each.laddr) for each in every if each.status == psutil.CONN_LISTEN}


def heard(address, said=b"", context=None):
    """Return a server's answer; empty if it closes the connection, or sends a TLS alert."""
    try:
        with ExitStack() as opened:
            connection = opened.enter_context(socket.create_connection(address, PATIENCE_S))
            if context is not None:
                connection = opened.enter_context(context.wrap_socket(connection))
            connection.sendall(said)
            answer = connection.recv(64)
    except (ssl.SSLError, ConnectionError):
        return b""
    return b"" if answer.startswith(b"\x15\x03") else answer


@pytest.mark.thorough
def test_every_port_requires_the_keys(tmp_path, plain):
    others = listening()
    false = certificate(tmp_path / "false.pem")
    disguises = [None, Careless().context, Careless(false).context]
    with OpenCluster("local:1") as cluster:
        ours = listening() - others
        assert len(ours) == 3  # a scheduler, a worker and its nanny
        assert {host for host, _ in ours} == {"127.0.0.1"}
        known = cluster.client.security.get_connection_args("client")["ssl_context"]
        for address in ours:
            assert not any(heard(address, REQUEST, context) for context in disguises)
            assert heard(address, b"", known)
    host, _, port = plain.removeprefix("tcp://").partition(":")
    assert heard((host, int(port)), REQUEST)


KEY = b"PRIVATE KEY"


def keys_below(folder):
    """Files with a key, each with True if other users may enter its folder."""
    files = [path for path in folder.rglob("*") if path.is_file() and KEY in path.read_bytes()]
    return {
        path: all(each.stat().st_mode & 0o077 for each in path.parents if folder in each.parents)
        for path in files
    }


@pytest.mark.thorough
def test_no_keys_are_on_the_disk_while_a_cluster_runs_or_after(tmp_path):
    path, out, scratch = tmp_path / "p.jsonl", tmp_path / "r.jsonl", tmp_path / "scratch"
    slow_puzzles(path, 400)
    scratch.mkdir()
    command = [*COMMAND, "batch", str(path), "-o", str(out), "--cluster", "local:1"]
    environment = {**os.environ, "TMPDIR": str(scratch)}
    with subprocess.Popen(command, env=environment) as process:
        assert happens(out.parent, lambda: out.exists() and results_of(out))
        started = below(process.pid)
        assert [*scratch.iterdir()]
        assert not keys_below(scratch)
        assert KEY not in Path(f"/proc/{process.pid}/environ").read_bytes()
        process.kill()
    assert all_ended(started)
    assert not keys_below(scratch)


@pytest.mark.thorough
def test_keys_left_by_a_kill_are_unreadable_to_others(tmp_path):
    program = """if True:
        import os, signal, ssl
        from nonosat.processes.cluster.connecting import OpenCluster
        os.umask(0)
        ssl.SSLContext.load_cert_chain = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        OpenCluster("local:1")"""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, check=False)
    assert done.returncode == -signal.SIGKILL
    assert [*keys_below(tmp_path).values()] == [False]


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(UnsupportedError, match=r"cryptography.*pip install .*'cryptography<"):
        OpenCluster("local:1")


# ---- clusters elsewhere


def of_ours(caplog):
    return [record for record in caplog.records if record.name == "nonosat"]


@pytest.mark.thorough
def test_a_cluster_without_tls_is_warned_of(put, plain, caplog):
    path = put(UNIQUE)
    done = whole("batch", path, "-o", "r.jsonl", "--cluster", plain)
    assert done.returncode == 0
    assert done.stderr.count("\n") == done.stderr.count(UNENCRYPTED) == 1
    assert done.stderr.startswith(f"nonosat: the cluster {plain} ")
    for _ in range(2):
        with OpenCluster(plain):
            pass
    assert len(of_ours(caplog)) == 1


@pytest.mark.thorough
def test_a_cluster_with_tls_requires_the_right_certificate(tmp_path, caplog):
    known, false = certificate(tmp_path / "known.pem"), certificate(tmp_path / "false.pem")
    with encrypted(known) as other:
        address = other.scheduler_address
        assert address.startswith("tls://")
        with pytest.raises(UnsupportedError, match=r"needs certificates, .* expected files"):
            OpenCluster(address)
        mixed = {**keys_of(false), "distributed.comm.tls.ca-file": known}
        for keys, reason in ((keys_of(false), "CERTIFICATE_VERIFY_FAILED"), (mixed, "ALERT")):
            with dask.config.set(keys), pytest.raises(UnsupportedError, match=f"no TLS.*{reason}"):
                OpenCluster(address)
        with dask.config.set(keys_of(known)), OpenCluster(address) as cluster:
            result = nonosat.check(nonosat.load(HARD), cubes=3, cluster=cluster)
        assert result.verdict is nonosat.Verdict.UNIQUE
        assert "cubes" in [stage.name for stage in result.stages]
        with dask.config.set({**keys_of(known), "distributed.comm.default-scheme": "tls"}):
            OpenCluster(address.removeprefix("tls://")).close()
    assert not of_ours(caplog)


@pytest.mark.thorough
def test_certificates_of_a_loader_are_used(tmp_path, monkeypatch):
    """Dask's configuration may name a function that returns them."""
    known = certificate(tmp_path / "known.pem")
    with dask.config.set(keys_of(known)):
        security = Security(require_encryption=True)
    monkeypatch.setattr("helpers.intruder.loader", lambda _: security, raising=False)
    with (
        encrypted(known) as other,
        dask.config.set({"distributed.client.security-loader": "helpers.intruder.loader"}),
        OpenCluster(other.scheduler_address) as cluster,
    ):
        assert cluster.num_workers == 1


@pytest.mark.thorough
def test_tls_and_plain_connections_are_not_confused(tmp_path, plain, monkeypatch):
    known = certificate(tmp_path / "known.pem")
    swapped = plain.replace("tcp://", "tls://")
    with dask.config.set(keys_of(known)), pytest.raises(UnsupportedError, match="no TLS with"):
        OpenCluster(swapped)
    with (
        dask.config.set({"distributed.comm.require-encryption": True}),
        pytest.raises(UnsupportedError, match=r"requires encryption.*expected tls://"),
    ):
        OpenCluster(plain)
    monkeypatch.setattr(connecting, "CONNECT_S", 0.5)
    with (
        encrypted(known, 0) as other,
        pytest.raises(UnsupportedError, match="no Dask scheduler answers at 'tcp:"),
    ):
        OpenCluster(other.scheduler_address.replace("tls://", "tcp://"))


@pytest.mark.parametrize("text", [None, "no certificate"])
def test_useless_certificates_are_reported(tmp_path, text):
    path = tmp_path / "x.pem"
    if text is not None:
        path.write_text(text)
    with (
        dask.config.set(keys_of(str(path))),
        pytest.raises(UnsupportedError, match=r"of no use .* expected files in PEM format"),
    ):
        OpenCluster("tls://127.0.0.1:1")


BENCHMARKS = ROOT / "benchmarks" / "README.md"


@pytest.mark.thorough
def test_the_readmes_way_to_a_cluster_with_tls(put, tmp_path, monkeypatch):
    commands = [
        line.partition("#")[0]
        for block in blocks(BENCHMARKS, "text")
        for line in block.splitlines()
    ]
    make, scheduler, worker, bench = (
        next(line for line in commands if line.startswith(start))
        for start in ("openssl ", "dask scheduler", "dask worker ", "nonosat bench run SUITE.toml")
    )
    (configuration,) = blocks(BENCHMARKS, "yaml")
    path = put(UNIQUE, MULTIPLE)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    subprocess.run(make, shell=True, check=True, capture_output=True)
    assert Path("cluster.pem").stat().st_mode & 0o077 == 0
    folder = tmp_path / ".config" / "dask"
    folder.mkdir(parents=True)
    (folder / "tls.yaml").write_text(configuration.replace("/home/me", str(tmp_path)))
    (tmp_path / "suite.toml").write_text(f"""task = "check"
instances = ["{path}"]
[limits]
wall_s = 60
[configurations.auto]
""")
    with ExitStack() as opened:
        here = "--host 127.0.0.1 --port 0 --dashboard-address 127.0.0.1:0 --scheduler-file at.json"
        at_work(opened, f"{scheduler} {here}")
        assert eventually(lambda: Path("at.json").exists() and Path("at.json").read_text())
        address = json.loads(Path("at.json").read_text())["address"]
        assert address.startswith("tls://")
        nanny = at_work(opened, worker.replace("tls://HOST:8786", address).replace(" 8 ", " 1 "))
        assert eventually(lambda: is_served(nanny, address))
        bench = bench.replace("SUITE", "suite").replace("tls://HOST:8786", address)
        end = time.monotonic() + 180
        while "has no workers" in (done := whole(*shlex.split(bench)[1:])).stderr:
            assert time.monotonic() < end
        assert (done.returncode, done.stderr) == (0, "")
    assert len(Path("results.jsonl").read_text().splitlines()) >= 3  # a header, two runs


def at_work(opened, command):
    """Start a program of Dask, which `opened` ends with its children."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = opened.enter_context(subprocess.Popen(shlex.split(command), **quiet))
    opened.callback(process.terminate)
    return psutil.Process(process.pid)


def is_served(nanny, address):
    """True if a worker among its children is connected to the scheduler."""
    port = int(address.rpartition(":")[2])
    below = (each for worker in nanny.children() for each in worker.net_connections("inet"))
    return any(each.raddr and each.raddr.port == port for each in below)
