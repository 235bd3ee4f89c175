"""A real server of a review project in a process of its own, on a free port; and a PostgreSQL server for it."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory


@dataclass(frozen=True)
class Served:
    process: subprocess.Popen[str]
    url: str
    path: str
    """Of the page that it says to open: an invitation for the first coordinator."""

    def kill(self) -> None:
        """As `kill -9` does: nothing is tidied up."""
        self.end(signal.SIGKILL)

    def end(self, by: signal.Signals = signal.SIGTERM) -> None:
        self.process.send_signal(by)
        self.process.wait(20)
        if self.process.stdout:
            self.process.stdout.close()


def serve(project: Path) -> Served:
    command = [sys.executable, "-m", "patstone", "review", "serve", str(project), "--port", "0", "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.match(r"Review is open at (http://[^/\s]+)(/\S*)?$", line)
    assert found, line
    return Served(process, found[1], found[2] or "/")


@contextmanager
def serving(project: Path) -> Iterator[Served]:
    served = serve(project)
    try:
        yield served
    finally:
        served.end()


def postgres_programs() -> Path | None:
    """Where PostgreSQL's server is: on the path, or where Debian keeps it."""
    initdb = shutil.which("initdb")
    found = [Path(initdb)] if initdb else sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


@contextmanager
def postgres(programs: Path) -> Iterator[str]:
    """Start a server that only this test knows, in a folder and on a port of its own; give its URL."""
    # It refuses to run as root, and pytest's folders are closed to whom it runs as then.
    user = "postgres" if os.geteuid() == 0 else None

    def run(*command: str) -> None:
        subprocess.run(command, user=user, cwd="/", check=True, capture_output=True)

    with TemporaryDirectory(prefix="postgres-") as folder:
        if user:
            shutil.chown(folder, user)
        data, port = f"{folder}/data", _free_port()
        run(str(programs / "initdb"), "-D", data, "-U", "tester", "--auth=trust", "-E", "UTF8", "--no-sync")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
        control = (str(programs / "pg_ctl"), "-D", data)
        run(*control, "-o", options, "-l", f"{folder}/log", "-w", "start")
        try:
            yield f"postgresql://tester@127.0.0.1:{port}/postgres"
        finally:
            run(*control, "-m", "immediate", "stop")


def _free_port() -> int:
    import socket

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
