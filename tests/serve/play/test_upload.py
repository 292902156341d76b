"""After a file that was refused nothing is learned in its place; run by node, where there is one."""

from __future__ import annotations

import json
import shutil
import subprocess
from importlib.resources import files

import pytest

NODE = shutil.which("node")
ASKED = """
import { pathToFileURL } from "node:url";
const { Upload } = await import(pathToFileURL(process.argv[1]));
const upload = new Upload(), said = [];
function wanted() {
  try { said.push(upload.wanted()); } catch (error) { said.push("refused: " + error.message); }
}
async function take(name, bytes) {
  await upload.take(new File([bytes], name)).catch(() => {});
  wanted();
}
wanted();
await take("good.txt", "a/N");
await take("bad.txt", new Uint8Array([255, 254]));
await take("empty.txt", " ");
await take("large.txt", "a".repeat(900_001));
upload.forget();
wanted();
console.log(JSON.stringify(said));
"""


@pytest.mark.skipif(NODE is None, reason="needs node, to run the page's script")
def test_a_refused_file_is_not_replaced_by_made_up_data() -> None:
    script = str(files("structron.serve") / "static" / "train" / "upload.js")
    command = [str(NODE), "--input-type=module", "-e", ASKED, script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    first, good, *refused, last = json.loads(done.stdout)
    assert first is None and good == "a/N" and last is None
    assert [each.partition(";")[0] for each in refused] == [
        "refused: bad.txt is not UTF-8",
        "refused: empty.txt is empty",
        "refused: The file is larger than 900 kB",
    ]
    assert all("Nothing is learned until you choose another file" in each for each in refused)


def test_the_page_asks_the_upload_before_it_starts() -> None:
    page = (files("structron.serve") / "static" / "train" / "view.js").read_text(encoding="utf-8")
    start = page[page.index("  function begin() {") :]
    assert start.index("upload.wanted()") < start.index(".go(")
