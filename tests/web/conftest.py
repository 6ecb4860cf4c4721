"""A scored camp, a server of its own for each test, and one browser for all."""

import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from poradek_vision.cli import main
from poradek_vision.files import load_readings, save_readings
from poradek_vision.model import Flag
from web.lost_boards import DOUBTS, LINELESS, NOBODYS, lineless_board


@pytest.fixture(scope="session")
def scored_camp(tiny_camp, tmp_path_factory) -> Path:
    """The tiny camp with its results, some cells made doubtful, and one board that is not found; not to be changed."""
    camp = Path(shutil.copytree(tiny_camp, tmp_path_factory.mktemp("scored") / "tábor"))
    lineless_board().save(camp / LINELESS)
    with redirect_stdout(StringIO()):
        assert main(["score", str(camp), "--out", str(camp / "results")]) == 1
    path = camp / "results" / "readings.jsonl"
    save_readings(path, [_doubted(reading) for reading in load_readings(path)])
    return camp


def _doubted(reading):
    name = (reading.mark.team, reading.grid.rows)
    if name == NOBODYS:
        return replace(reading, mark=replace(reading.mark, team="", flags=(Flag.TEAM_UNCLEAR,)))
    cells = tuple(
        replace(cell, flags=(Flag.LOW_MARGIN,), second="G", confidence=0.7)
        if (cell.row, cell.col) in DOUBTS.get(name, [])
        else cell
        for cell in reading.cells
    )
    return replace(reading, cells=cells)


@dataclass
class Running:
    """A running ``poradek review``."""

    process: subprocess.Popen
    address: str

    @property
    def home(self) -> str:
        return self.address.split("/?")[0]

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        self.process.wait()
        self.process.stdout.close()


def start(results: Path) -> Running:
    """Start the command as a person does."""
    command = [sys.executable, "-m", "poradek_vision", "review", str(results), "--no-browser", "--quiet"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUTF8": "1"})
    address = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", process.stdout.readline())
    running = Running(process, address[0] if address else "")
    if not address:
        running.kill()
        pytest.fail("poradek review did not start; what it said is above")
    return running


@pytest.fixture
def results(scored_camp, tmp_path) -> Path:
    """A results folder of the camp, to be changed."""
    return Path(shutil.copytree(scored_camp, tmp_path / "tábor")) / "results"


@pytest.fixture
def serve():
    """Start servers, and end them after the test."""
    running = []

    def serving(results: Path) -> Running:
        running.append(start(results))
        return running[-1]

    yield serving
    for one in running:
        one.kill()


@pytest.fixture(scope="session")
def chromium():
    """Debian's Chromium, or the one that Playwright knows; a machine without any fails here."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def browse(chromium):
    """Open pages that fail the test when their script fails, or when anything is asked from elsewhere."""
    contexts = []
    faults = []

    def opened(address: str, width: int = 1366, height: int = 768, **more) -> Page:
        context = chromium.new_context(viewport={"width": width, "height": height}, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: faults.append(f"a dialog: {dialog.message}"))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == []
