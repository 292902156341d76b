// A file of one's own to learn from, instead of made-up data.

const LARGEST = 900_000;

export class Upload {
  text = null; // what is learned from; null for made-up data
  refusal = null; // why the file that was chosen last cannot be learned from

  // Made-up data again.
  forget() {
    this.text = this.refusal = null;
  }

  // A file that cannot be learned from is told so at once, and nothing else is learned in its place.
  async take(file) {
    this.forget();
    try {
      this.text = await textOf(file);
    } catch (error) {
      this.refusal = error.message;
      throw error;
    }
  }

  // What to send; refused while the last file was.
  wanted() {
    if (this.refusal) throw new Error(`${this.refusal} Nothing is learned until you choose another file, or made-up data.`);
    return this.text;
  }
}

async function textOf(file) {
  if (file.size > LARGEST) throw new Error("The file is larger than 900 kB; give a part of it.");
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error(`${file.name} is not UTF-8; save it as such.`);
  }
  if (!text.trim()) throw new Error(`${file.name} is empty; give another.`);
  return text;
}
