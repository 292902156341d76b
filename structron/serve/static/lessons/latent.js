// Lesson 6: latent derivations. Gold is an output, and many derivations lead to it.

import { h, later, number, put } from "../dom.js";
import { lattice } from "../beam/lattice.js";
import { Player } from "../beam/player.js";
import { post } from "../server.js";

export const title = "Gold without a derivation";
let under = null, player = null;
export function leave() { under?.abort(); player?.stop(); }

export function build(known) {
  const model = known.models.find((each) => each.name === "en-g2p") ?? known.models.find((each) => each.task === "transduction");
  const place = h("div", {}), told = h("p", { class: "told", "aria-live": "polite" });
  const field = (id, label, value) => h("label", { for: id }, label, h("input", { id, value, dir: "auto", autocomplete: "off", spellcheck: "false", oninput: later(() => ask(), 300) }));
  const [word, sounds] = [field("word", "Letters", model?.name === "en-g2p" ? "mission" : "knighting"), field("sounds", "Sounds that are right", model?.name === "en-g2p" ? "M IH1 SH AH0 N" : "N AY T IH NG")];
  const valueOf = (label) => label.querySelector("input").value.trim();

  async function ask() {
    under?.abort();
    player?.stop();
    under = new AbortController();
    try {
      const film = await post("/play/film", { model: model.name, input: valueOf(word), gold: valueOf(sounds), search: "beam:8" }, under.signal);
      const parts = lattice(film, (at) => player.move(at));
      player = new Player(film.steps.length, (at) => {
        const step = film.steps[at], good = step.items.filter((item) => item.gold).length;
        parts.move(at, 0);
        put(told, good > 1 ? h("span", { class: "goldword" }, `${good} of ${step.size} items still lead to the right sounds, by ways of their own.`) : good ? h("span", { class: "goldword" }, "One item leads to the right sounds.") : step.inBeam ? "No right derivation stops here; one has gone on to a later step." : `None leads to the right sounds: all derivations of gold have fallen off, the best is ${number(step.excess, 1)} behind.`, ` The best says: ${step.items[0]?.path.join(" · ") ?? ""}`);
      }, () => {});
      put(place, player.element, parts.element);
      player.begin();
    } catch (error) {
      if (error.name !== "AbortError") put(place, h("p", { class: "bad", role: "alert" }, error.message));
    }
  }

  return {
    text: [
      "A dictionary says that “mission” sounds M IH1 SH AH0 N. It does not say which letters make which sound: ss or ssi for SH? o or io for the vowel? Nobody has written the derivation down. It is latent.",
      ["So gold is not one path, but ", h("strong", {}, "all that spell the right sounds"), ". Forced decoding finds them: a search that allows only actions from which the reference can still be reached. In the picture each of their plates is gold."],
      "Gold falls off the beam when the last of them does. The update then raises the best derivation that would have been right, as the model sees it now. Next time it may be another one. Violations, early and max-violation stay word for word what they were.",
      "Translation and questions with answers learn in the same way: what is observed is the result, and how it comes about is the model's business.",
    ],
    todo: ["Play it. On which step is more than one derivation still right?", "Ask for “knight” with its old sound, K N AY1 T. Where does gold fall off, if it does?", "Write sounds that no derivation yields, such as X. What does the server say, and what should a trainer do with such an example?"],
    stage: model ? [h("div", { class: "row" }, word, sounds), told, place, (setTimeout(ask), null)] : [h("p", {}, "No model of words and their sounds is served.")],
  };
}
