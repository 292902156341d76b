"""Clients generated from `/openapi.json` by others' programs work, in Python and TypeScript."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serve.conftest import Served

TEXT = "Rain fell."
PACKAGES = ("openapi-typescript@7", "openapi-fetch@0.13", "typescript@5")
SCRIPT = """
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

declare const process: { argv: string[] };
const client = createClient<paths>({ baseUrl: process.argv[2] });
const good = await client.POST("/predict", { body: { input: "Rain fell.", model: "en" } });
const bad = await client.POST("/predict", { body: { input: "Rain fell.", model: "none" } });
const model = await client.GET("/models/{name}", { params: { path: { name: "en" } } });
const version: number | undefined = good.data?.version;
const refused: string | undefined = bad.error?.error;
console.log(JSON.stringify({ output: good.data?.output, version, refused, model: model.data }));
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    served = Served("en")
    yield served
    served.process.terminate()
    assert served.process.wait(60) == 0


@pytest.fixture(scope="module")
def described(server: Served, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("clients") / "openapi.json"
    place.write_text(json.dumps(server.ask("GET", "/openapi.json").body))
    return place


def test_python(server: Served, described: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(
        "openapi_python_client", reason="needs openapi-python-client; make test-adapters has it"
    )
    folder = described.parent
    (folder / "config.yml").write_text(
        "content_type_overrides:\n  application/x-ndjson: application/octet-stream\n"
    )
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", described.name]
    command += ["--meta", "none", "--output-path", "generated_client", "--config", "config.yml"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # ruff, which it formats with
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env={**os.environ, "PATH": path}
    )
    assert done.returncode == 0 and "Unsupported" not in done.stdout, done.stdout + done.stderr
    monkeypatch.syspath_prepend(str(folder))
    client = importlib.import_module("generated_client").Client(base_url=f"http://127.0.0.1:{server.port}")
    predict = importlib.import_module("generated_client.api.default.predict")
    body = importlib.import_module("generated_client.models").PredictBody
    answer = predict.sync(client=client, body=body.from_dict({"input": TEXT, "model": "en"}))
    assert answer.model == "en" and answer.version == 1
    assert answer.output == server.ask("POST", "/predict", {"input": TEXT}).body["output"]
    refused = predict.sync_detailed(client=client, body=body.from_dict({"input": TEXT, "model": "none"}))
    assert refused.status_code == 404 and "there is none called" in refused.parsed.error


def test_typescript(server: Served, described: Path) -> None:
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("needs Node.js with npm")
    folder = described.parent
    (folder / "package.json").write_text('{"type": "module"}')

    def run(*command: str) -> str:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    installed = subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", *PACKAGES], cwd=folder, capture_output=True, timeout=300
    )
    if installed.returncode:
        pytest.skip("npm cannot install openapi-typescript here")
    run("npx", "openapi-typescript", described.name, "-o", "api.ts")
    (folder / "use.ts").write_text(SCRIPT)
    run("npx", "tsc", "--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck", "use.ts")
    found = json.loads(run("node", "use.js", f"http://127.0.0.1:{server.port}"))
    assert found["output"] == server.ask("POST", "/predict", {"input": TEXT}).body["output"]
    assert (
        found["version"] == 1
        and "there is none called" in found["refused"]
        and found["model"]["task"] == "pipeline"
    )
