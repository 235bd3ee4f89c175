"use strict";
// Everything stands on the page without this script; it sorts, filters, picks a measure and copies.
document.documentElement.classList.add("scripted");
const say = (words) => { document.getElementById("status").textContent = words; };

const valueOf = (cell) =>
  cell.dataset.value !== undefined ? Number(cell.dataset.value) : cell.classList.contains("number") ? NaN : cell.textContent.trim();

function compareCells(a, b, sign) {
  // What is undefined stays at the end, whichever way the rest goes.
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
  return sign * (typeof a === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true }));
}

function sortBy(table, heading, place) {
  const numeric = heading.classList.contains("number");
  const first = numeric ? "descending" : "ascending";
  const next = heading.getAttribute("aria-sort") === first ? (numeric ? "ascending" : "descending") : first;
  for (const other of heading.parentNode.cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", next);
  const sign = next === "ascending" ? 1 : -1;
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [valueOf(row.cells[place]), row]);
  rows.sort(([a], [b]) => compareCells(a, b, sign));
  body.append(...rows.map(([, row]) => row));
  say(`Sorted by ${heading.textContent.trim()}, ${next}.`);
}

for (const table of document.querySelectorAll(".table > table")) {
  [...table.tHead.rows[0].cells].forEach((heading, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => sortBy(table, heading, place));
  });
  const frame = table.parentNode;
  if (frame.scrollWidth > frame.clientWidth) {
    Object.assign(frame, { tabIndex: 0 });
    frame.setAttribute("role", "region");
    frame.setAttribute("aria-label", table.caption ? table.caption.textContent : "Table");
  }
  if (frame.dataset.filter && table.tBodies[0].rows.length > 5) addFilter(frame, table);
}

function addFilter(frame, table) {
  const label = document.createElement("label");
  label.className = "filter";
  const input = document.createElement("input");
  Object.assign(input, { type: "search", placeholder: `Filter ${frame.dataset.filter}`, ariaLabel: `Filter ${frame.dataset.filter}` });
  label.append(input);
  frame.prepend(label);
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    let shown = 0;
    for (const row of table.tBodies[0].rows) {
      const names = [...row.querySelectorAll("th")].map((cell) => cell.textContent.toLowerCase()).join(" ");
      row.hidden = !names.includes(wanted);
      shown += !row.hidden;
    }
    say(`${shown} of ${table.tBodies[0].rows.length} rows.`);
  });
}

const picker = document.getElementById("measure");
if (picker) {
  const panels = [...document.querySelectorAll(".panel")];
  const pick = () => { for (const panel of panels) panel.hidden = panel.id !== `panel-${picker.value}`; };
  picker.addEventListener("change", pick);
  pick();
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(text.textContent);
      say("Copied.");
      button.textContent = "Copied";
    } catch {
      // A page opened from a file may not use the clipboard: leave the text selected.
      getSelection().selectAllChildren(text);
    }
  });
}
