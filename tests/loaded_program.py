"""Python programs that are loaded once, as loading them takes longer than most commands of tests.

`loaded_program.py SOCKET PROGRAM ARGUMENT…` imports what `python -m PROGRAM ARGUMENT…` imports.
Then it runs the program in a copy of itself for each request.
"""

from __future__ import annotations

import array
import atexit
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from runpy import run_module
from subprocess import PIPE
from threading import Thread

import glossary_folder

CLIENT = r'''#!{python} -IS
"""Has a command run by the process at a socket, with the files, the folder and the variables of this process."""
import array, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    server.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", range(3)))])
    variables = (f"{{name}}={{value}}" for name, value in os.environ.items())
    server.sendall("\0".join([os.getcwd(), *sys.argv[1:], "", *variables]).encode())
    server.shutdown(socket.SHUT_WR)
    sys.exit(int(server.recv(16) or 1))
'''
ROOT = Path(__file__).resolve().parent.parent
SERVERS: list[subprocess.Popen[bytes]] = []
"""The processes that run programs. They end with this process, which holds their standard input."""


def loaded_program(
    path: Path,
    program: str,
    trial: Sequence[str | Path],
    *,
    python: str | Path = sys.executable,
    root: Path | None = ROOT,
) -> Path:
    """Writes an executable file that runs `python -m PROGRAM`, and returns its path.

    `trial` has arguments with which the program imports what it needs. `root` is where sitegen is
    found; None if it is installed.
    """
    address = str(temporary_folder() / "socket")  # the path of a socket has to be short
    command = [python, __file__, address, program, *trial]
    world = {
        **os.environ,
        "PYTHONPATH": str(root or ""),
        "XDG_CACHE_HOME": f"{path}.cache",
        "PYTHONUTF8": "1",
    }
    # Its streams are pipes, so Python seeks in none of them, whatever the streams of its copies
    # are.
    server = subprocess.Popen(command, env=world, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    SERVERS.append(server)
    assert server.stdout and server.stderr
    assert server.stdout.readline(), server.stderr.read().decode()
    path.write_text(CLIENT.format(python=sys.executable, address=address), encoding="utf-8")
    path.chmod(0o755)
    return path


def sitegen(folder: Path, *, python: str | Path = sys.executable, root: Path | None = ROOT) -> Path:
    """Writes an executable file that runs sitegen."""
    words = glossary_folder.write(folder / "words")
    trial = ["build", words, "--output", folder / "site", "--no-ledger", "--quiet"]
    return loaded_program(folder / "sitegen", "sitegen", trial, python=python, root=root)


def temporary_folder() -> Path:
    """Returns a new folder that is removed at the end of this process."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    return folder


def serve(address: str, program: str) -> None:
    """Answers requests until standard input is closed."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        os.write(1, b"ready\n")
        while listener in select.select([listener, 0], [], [])[0]:
            client, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                answer(client, program)
                return
            client.close()


def answer(client: socket.socket, program: str) -> None:
    """Runs the program in a copy of this process, and answers with its status."""
    _, [(_, _, files)], _, _ = client.recvmsg(1, socket.CMSG_SPACE(3 * array.array("i").itemsize))
    request = b"".join(iter(lambda: client.recv(1 << 16), b""))
    if child := os.fork():
        Thread(target=end_with, args=(client, child), daemon=True).start()
        _, status = os.waitpid(child, 0)
        with suppress(BrokenPipeError):
            client.sendall(str(os.waitstatus_to_exitcode(status)).encode())
        os._exit(0)
    client.close()
    for number, file in enumerate(array.array("i", files)):
        os.dup2(file, number)
        os.close(file)
    folder, *parts = request.decode().split("\0")
    end = parts.index("")
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(part.split("=", 1) for part in parts[end + 1 :])
    sys.argv[1:] = parts[:end]
    run_module(program, run_name="__main__", alter_sys=True)


def end_with(client: socket.socket, child: int) -> None:
    """Ends a program that is still running when its client is gone."""
    gone = select.poll()
    gone.register(client, 0)
    gone.poll()
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGTERM)


def load(program: str, arguments: Sequence[str]) -> None:
    """Imports the modules that the program imports in a trial, which a copy of this process
    runs."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        sys.addaudithook(
            lambda event, what: event == "import" and os.write(writing, f"{what[0]}\n".encode())
        )
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.argv[1:] = arguments
        run_module(program, run_name="__main__", alter_sys=True)
        sys.exit()
    os.close(writing)
    with os.fdopen(reading) as names:
        for name in names.read().split():
            with suppress(ImportError):
                import_module(name)
    os.wait()


if __name__ == "__main__":
    del sys.path[0]
    load(sys.argv[2], sys.argv[3:])
    serve(sys.argv[1], sys.argv[2])
