"use strict";
// Steps through a match. The list of steps on the page is the text; the pictures come from the page's own data.
{
  const data = JSON.parse(document.getElementById("replay-data").textContent);
  const root = document.querySelector("[data-replay]");
  const part = (name) => root.querySelector(`[data-${name}]`);
  const steps = [...part("steps").children];
  const last = steps.length - 1;
  let now = 0;

  const make = (space, tag, attributes, children) => {
    const made = space ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
    for (const [key, value] of Object.entries(attributes ?? {})) {
      if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value);
    }
    made.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false).map((c) => c instanceof Node ? c : String(c)));
    return made;
  };
  const h = (tag, attributes, ...children) => make(false, tag, attributes, children);
  const g = (tag, attributes, ...children) => make(true, tag, attributes, children);

  const SUITS = { S: "♠\uFE0E", H: "♥\uFE0E", D: "♦\uFE0E", C: "♣\uFE0E" };
  const card = (value, kind = "") => {
    if (value === null || value === undefined) return h("span", { class: `card back ${kind}` }, "?");
    const suit = typeof value === "string" ? SUITS[value.slice(-1)] : null;
    const red = suit && "HD".includes(value.slice(-1)) ? "red" : "";
    return h("span", { class: `card ${red} ${kind}` }, suit ? value.slice(0, -1) + suit : value);
  };
  const cards = (values, kind) => h("span", { class: "cards" }, values.map((value) => card(value, kind)));
  const backs = (number) => number ? h("span", { class: "cards" }, h("span", { class: "card back small" }, `${number} ×`)) : h("span", { class: "quiet" }, "–");
  const who = (seat, ...rest) => h("div", {}, h("div", { class: "who" }, h("span", { class: `seat seat${seat}` }, seat), " ", h("bdi", {}, data.names[seat])), ...rest);
  const line = (label, ...content) => h("div", { class: "row" }, h("span", {}, label), ...content);

  const narrow = matchMedia("(max-width: 40rem)");
  narrow.addEventListener("change", () => show(now, true));

  function peckingOrder(p) {
    // Eleven perches side by side, on a narrow screen six and five; seat 1 sits above, seat 0 below.
    const columns = narrow.matches ? 6 : 11, wide = 68, left = 8, row = 262, top = 28;
    const rows = Math.ceil(p.perches.length / columns);
    const drawing = g("svg", { viewBox: `0 0 ${left * 2 + wide * columns} ${top * 2 + row * rows}`, role: "img", "aria-label": "The eleven perches" });
    const special = { 1: "tie-break", 3: "look", "8a": "+3 with 8b", "8b": "+3 with 8a" };
    p.perches.forEach(([name, stand], at) => {
      const x = left + (at % columns) * wide + wide / 2, y = top + 12 + Math.floor(at / columns) * row;
      const here = p.last && p.last.perch === name;
      drawing.append(g("g", { class: `perch${here ? " here" : ""}` },
        g("rect", { class: "slot", x: x - 26, y, width: 52, height: 78, rx: 6 }),
        g("rect", { class: "slot", x: x - 26, y: y + 160, width: 52, height: 78, rx: 6 }),
        g("circle", { class: "token", cx: x, cy: y + 114, r: 21 }),
        g("text", { x, y: y + 120 }, name),
        special[name] && g("text", { class: "small", x, y: y + 151 }, special[name])));
      if (!stand) return;
      const [seat, value, up] = stand, card = seat === 0 ? y + 160 : y;
      drawing.append(g("g", { class: `bird${up ? "" : " down"}${here ? " here" : ""}` },
        g("rect", { x: x - 26, y: card, width: 52, height: 78, rx: 6 }),
        g("rect", { class: `strip strip${seat}`, x: x - 16, y: seat === 0 ? card + 66 : card + 8, width: 32, height: 4 }),
        g("text", { x, y: card + 47 }, value ?? "?"),
        g("title", {}, `Perch ${name}: seat ${seat}, ${value ?? "unknown"}, face ${up ? "up" : "down"}`)));
    });
    const side = (seat, y) => {
      const drawn = p.turn === seat ? ` · has drawn ${p.card}` : "";
      const name = data.names[seat].length > 20 ? data.names[seat].slice(0, 19) + "…" : data.names[seat];
      return g("text", { class: "side", x: left, y }, `Seat ${seat}${drawn} · ${p.left[seat]} in the deck · ${name}`);
    };
    drawing.append(side(1, 20), side(0, top * 2 + row * rows - 8));
    return [drawing, h("p", { class: "note" }, "Dashed cards lie face down; one shows its value only if this viewer knows it.")];
  }

  function peech(p) {
    const battle = p.battle ?? { cards: [], takes: [], thrown: null };
    const scored = p.scored;
    const head = h("div", { class: "table-head" }, h("b", {}, `Round ${scored ? scored.round : p.round}`),
      p.battle && h("span", {}, `Battle ${battle.battle}`),
      battle.thrown && h("span", {}, "thrown back: ", card(battle.thrown, "small")),
      h("span", { class: "quiet" }, `totals ${p.totals.join(" · ")}`));
    const rows = data.names.map((_, seat) => {
      const coup = scored ? scored.coups[seat] : p.coups[seat];
      const target = coup ? coup.slice(0, -1) : "?";
      const took = battle.takes[seat];
      const count = scored ? scored.counts[seat] : p.won[seat].length;
      const out = !p.active.includes(seat) && !scored;
      const taken = battle.takes.includes(battle.cards[seat]) && battle.cards[seat];
      return h("div", { class: `place${out ? " out" : ""}` },
        who(seat, h("span", { class: "sub" }, "won ", h("b", {}, count), ` of ${target} · starts at ${p.start[seat]}`),
          p.peech.includes(seat) ? h("span", { class: "call" }, "Peech!") : out && h("span", { class: "sub" }, "done: has its cards")),
        h("div", { class: "cards" }, battle.cards[seat] ? card(battle.cards[seat], `big${taken ? " taken" : ""}`) : h("span", { class: "card big back" }, "–")),
        h("div", { class: "rows" },
          took && line("takes", cards([took], "small")),
          scored ? line("score", h("b", {}, `${scored.scores[seat]}${scored.winners.includes(seat) ? " · wins the round" : ""}`)) : line("hand", p.hands[seat] ? cards(p.hands[seat], "small") : backs(out ? 0 : p.size)),
          !scored && line("won", p.won[seat].length ? cards(p.won[seat], "small") : h("span", { class: "quiet" }, "–")),
          line("coup", cards([coup], "small"))));
    });
    return [head, h("div", { class: "places" }, rows)];
  }

  function die(face, colour) {
    const dots = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] }[face];
    const fill = colour === "black" ? "#26241f" : "#a3262a";
    return g("svg", { class: "die", viewBox: "0 0 32 32", role: "img", "aria-label": `${colour} die ${face}` },
      g("rect", { x: 1, y: 1, width: 30, height: 30, rx: 6, fill, stroke: "#8f8778" }),
      dots.map((at) => g("circle", { cx: 8 + 8 * (at % 3), cy: 8 + 8 * Math.floor(at / 3), r: 2.6, fill: "#fff" })));
  }
  const raft = () => g("svg", { class: "raft", viewBox: "0 0 42 28", role: "img", "aria-label": "raft" },
    g("path", { d: "M3 20h36M3 24h36M7 17v10M15 17v10M23 17v10M31 17v10" }), g("line", { x1: 19, x2: 19, y1: 3, y2: 20 }), g("path", { d: "M19 4l12 10H19z" }));

  function ratDeau(p) {
    const sum = p.offers ? p.offers.reduce((a, b) => a + b, 0) : null;
    const head = h("div", { class: "table-head" }, h("b", {}, `Round ${p.round} of 3`),
      p.dice && [h("span", {}, die(p.dice[0], "black"), " ", die(p.dice[1], "red")), h("span", {}, "demand ", h("b", {}, p.demand))],
      sum !== null && h("span", {}, "offers ", h("b", {}, sum), p.met ? " ≥ " : " < ", p.demand, p.met ? " · met" : " · missed: the rat steals"),
      p.met && [raft(), h("span", {}, p.captor === null || p.captor === undefined ? "nobody stands alone" : `to seat ${p.captor}`)]);
    const rows = data.names.map((_, seat) => {
      const loot = p.loots[seat].reduce((a, b) => a + b, 0);
      return h("div", { class: "place" },
        who(seat, h("span", { class: "sub" }, "loot ", h("b", {}, loot), " · rafts ", h("b", {}, p.rafts[seat]))),
        h("div", { class: "cards" }, p.offers ? card(p.offers[seat], `big${p.captor === seat ? " taken" : ""}`) : h("span", { class: "card big back" }, "–")),
        h("div", { class: "rows" },
          line("loot", h("span", { class: "cards" }, p.loots[seat].map((value) => card(value)), p.stolen && card(p.stolen[seat], "lost"), !p.loots[seat].length && !p.stolen && h("span", { class: "quiet" }, "–"))),
          line("hand", p.hands[seat] ? cards(p.hands[seat], "small") : backs(p.sizes[seat])),
          p.rafts[seat] > 0 && line("rafts", h("span", { class: "cards" }, Array.from({ length: p.rafts[seat] }, raft)))));
    });
    return [head, h("div", { class: "places" }, rows)];
  }

  const plain = (p) => h("dl", { class: "pairs" }, p.lines.map(([key, value]) => [h("dt", {}, key), h("dd", {}, value)]));
  const draw = (p) => p.lines ? plain(p) : { pecking_order: peckingOrder, peech, rat_deau: ratDeau }[data.game](p);

  function show(wanted, quietly) {
    now = Math.max(0, Math.min(last, wanted));
    part("board").replaceChildren(...[draw(data.pictures[now])].flat());
    part("slider").value = now;
    part("count").textContent = `${now} / ${last}`;
    part("told").replaceChildren(...[...steps[now].querySelectorAll(".line")].map((told) => h("p", {}, told.textContent)));
    for (const button of root.querySelectorAll("[data-go]")) {
      button.disabled = ["first", "back"].includes(button.dataset.go) ? now === 0 : now === last;
    }
    steps.forEach((step, at) => { step.classList.toggle("now", at === now); if (at === now) step.setAttribute("aria-current", "step"); else step.removeAttribute("aria-current"); });
    const list = part("steps");
    if (list.scrollHeight > list.clientHeight) list.scrollTop = steps[now].offsetTop - list.offsetTop - list.clientHeight / 3;
    if (!quietly) history.replaceState(null, "", `#s${now}`);
    // Other viewpoints open at the same moment: a seat's step n is after its n-th decision.
    for (const link of document.querySelectorAll("[data-view]")) {
      const base = link.getAttribute("href").split("#")[0];
      if (data.made && link.dataset.view !== "") link.setAttribute("href", `${base}#s${data.made[now][link.dataset.view]}`);
      if (!data.made && link.dataset.view === "") link.setAttribute("href", `${base}#after-${data.seat}-${now}`);
    }
  }

  function fromHash() {
    const hash = location.hash.slice(1);
    const after = /^after-(\d+)-(\d+)$/.exec(hash);
    if (after && data.made) {
      const found = data.made.findLastIndex((made) => made[after[1]] <= Number(after[2]));
      return show(found < 0 ? last : found, true);
    }
    const element = hash && document.getElementById(hash);
    const step = element && element.closest(".step");
    show(step ? steps.indexOf(step) : 0, true);
  }

  const moves = { first: () => 0, back: () => now - 1, on: () => now + 1, last: () => last };
  root.addEventListener("click", (event) => {
    const go = event.target.closest("[data-go]");
    if (go) show(moves[go.dataset.go]());
  });
  part("slider").addEventListener("input", (event) => show(Number(event.target.value)));
  document.addEventListener("keydown", (event) => {
    const move = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("[data-slider], .scroll")) return;
    show(moves[move]());
    event.preventDefault();
  });
  addEventListener("hashchange", fromHash);
  root.querySelector(".stage").hidden = false;
  root.classList.add("live");
  fromHash();
  if (location.hash) requestAnimationFrame(() => document.querySelector(".views").scrollIntoView({ block: "start" }));
}
