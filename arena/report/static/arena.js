"use strict";
// Tables that sort, sections that become tabs, a heat map that tells the cell. All pages are whole without it.

function sortTable(table, column, heading) {
  const down = heading.getAttribute("aria-sort") === "descending";
  const up = heading.getAttribute("aria-sort") === "ascending";
  const numeric = heading.classList.contains("n");
  // Numbers are first asked for from the largest, except a rank, which is best when small; a third press restores.
  const first = numeric && column > 0 ? "descending" : "ascending";
  const second = first === "ascending" ? "descending" : "ascending";
  const current = down ? "descending" : up ? "ascending" : "";
  const wanted = current === "" ? first : current === first ? second : "";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  if (wanted) heading.setAttribute("aria-sort", wanted);
  const sign = wanted === "descending" ? -1 : 1;
  const value = (row) => {
    const cell = row.cells[column];
    const text = cell.dataset.key ?? cell.textContent.trim();
    return numeric ? Number(text.replace("\u2212", "-").replace(/[^\d.e-]/g, "")) || 0 : text.toLowerCase();
  };
  const rows = [...table.tBodies[0].rows];
  rows.forEach((row, at) => { row.dataset.at ??= at; });
  rows.sort((one, other) => {
    if (wanted) {
      const a = value(one), b = value(other);
      const order = numeric ? a - b : a.localeCompare(b);
      if (order) return sign * order;
    }
    return one.dataset.at - other.dataset.at;
  });
  table.tBodies[0].append(...rows);
}

for (const table of document.querySelectorAll("table[data-sortable]")) {
  [...table.tHead.rows[0].cells].forEach((heading, column) => {
    if (heading.querySelector("svg") || !heading.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => sortTable(table, column, heading));
  });
}

for (const box of document.querySelectorAll("[data-tabs]")) {
  const panels = [...box.children].filter((child) => child.tagName === "SECTION");
  const list = document.createElement("div");
  list.className = "tabs";
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", box.dataset.tabs);
  const show = (chosen, focus) => {
    panels.forEach((panel, at) => {
      panel.hidden = panel !== chosen;
      const tab = list.children[at];
      tab.setAttribute("aria-selected", String(panel === chosen));
      tab.tabIndex = panel === chosen ? 0 : -1;
      if (panel === chosen && focus) tab.focus();
    });
  };
  const wanted = () => panels.find((panel) => "#" + panel.id === location.hash);
  for (const panel of panels) {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.id = panel.id + "-tab";
    tab.textContent = panel.querySelector("h2").textContent;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panel.id);
    tab.addEventListener("click", () => {
      show(panel);
      history.replaceState(null, "", "#" + panel.id);
    });
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    panel.classList.add("tabbed");
    list.append(tab);
  }
  list.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const at = [...list.children].indexOf(document.activeElement);
    const next = panels[(at + step + panels.length) % panels.length];
    show(next, true);
    history.replaceState(null, "", "#" + next.id);
    event.preventDefault();
  });
  box.prepend(list);
  show(wanted() ?? panels[0]);
  addEventListener("hashchange", () => { if (wanted()) show(wanted()); });
}

for (const table of document.querySelectorAll("table[data-heat]")) {
  const told = document.querySelector("[data-told]");
  const heads = [...table.tHead.rows[0].cells].map((cell) => cell.title);
  const tell = (event) => {
    const cell = event.target.closest("td");
    if (!cell || cell.classList.contains("self")) return;
    const row = cell.parentElement.cells[0].querySelector("bdi").title;
    const value = cell.querySelector(".v");
    const rest = cell.title || [...cell.querySelectorAll(".sub")].map((part) => part.textContent).join(", ");
    told.textContent = `${row} against ${heads[cell.cellIndex]}: ${value ? value.textContent + " of 100 (" + rest + ")" : "never met"}`;
  };
  table.addEventListener("mouseover", tell);
  table.addEventListener("click", tell);
}
