/** Keeping an analysis: as a study with a link, as a file, and as something to play from. */
import { announce } from "../../app/announcer.js";
import { post, sentenceOf, useAction } from "../../app/api.js";
import { edit, playFrom } from "../../app/handover.js";
import { html, useEffect, useRef, useSignal } from "../../app/html.js";
import { ago, t } from "../../app/i18n.js";
import { load, myStudies, noteStudy, save } from "../../app/storage.js";
import { placeBeside } from "../../components/beside.js";
import { CopyButton, Icon } from "../../components/icons.js";
import { OpenRecord } from "../../components/open-record.js";
import { Alert } from "../../components/page.js";

/** @import { Signal } from "../../app/html.js" */
/** @import { AnalysisModel } from "./model.js" */

/** Milliseconds after a change until a study of one's own is saved. */
const SOON = 700;

/** The token of a study of this browser, or an empty text. @param {string} id */
const tokenOf = (id) => (id ? load(`study.${id}`) ?? "" : "");

/** Saves a file that the page has made. @type {(name: string, text: string) => void} */
function download(name, text) {
  const address = URL.createObjectURL(new Blob([text]));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** What a study is called in a list: its players if it has any, and its game. @param {AnalysisModel} model */
function titleOf(model) {
  const players = model.players.filter(Boolean).join(" – ");
  const game = t(model.description.title);
  return players ? `${players}, ${game}` : game;
}

/** What there is to say about a study: whether all of it is saved. @typedef {{id: string, state: "new"|"saving"|"saved", problem: string}} Kept */

/** Keeps a study of one's own saved while it changes. @type {(model: AnalysisModel, kept: Signal<Kept>) => void} */
function useSaving(model, kept) {
  const changes = model.changes.value;
  useEffect(() => {
    const { id } = kept.peek();
    const token = tokenOf(id);
    if (!changes || !token) return undefined;
    kept.value = { id, state: "saving", problem: "" };
    const timer = setTimeout(() => {
      post(`/api/studies/${id}`, { token, record: model.record() }, "PUT").then(
        () => { kept.value = { id, state: "saved", problem: "" }; noteStudy(id, titleOf(model)); },
        (error) => { kept.value = { id, state: "new", problem: sentenceOf(error) }; });
    }, SOON);
    return () => clearTimeout(timer);
  }, [changes]);
}

/** Saves the analysis as a new study, which then has an address of its own. @type {(model: AnalysisModel, kept: Signal<Kept>) => Promise<void>} */
async function saveNew(model, kept) {
  const { id, token } = await post("/api/studies", { record: model.record() });
  save(`study.${id}`, token);
  noteStudy(id, titleOf(model));
  kept.value = { id, state: "saved", problem: "" };
  history.replaceState(null, "", `/analysis/${id}`);
  announce(t("Saved. Whoever has the link sees this analysis."));
}

/** The other studies of this browser, to be opened. @param {{now: string, onToggle: () => void}} props */
function OwnStudies({ now, onToggle }) {
  const others = myStudies().filter(({ id }) => id !== now);
  if (!others.length) return null;
  return html`<details class="own-studies" onToggle=${onToggle}><summary>${t("Your studies")}</summary>
    <ul>${others.map(({ id, title, changed }) => html`<li key=${id}><a href=${`/analysis/${id}`}>
      <span class="elided">${title}</span> <span class="soft small">${ago(changed)}</span></a></li>`)}</ul></details>`;
}

/** @param {{model: AnalysisModel}} props */
export function StudyMenu({ model }) {
  const menu = useRef(/** @type {HTMLDivElement|null} */ (null));
  const kept = useSignal(/** @type {Kept} */ ({ id: model.study, state: model.study ? "saved" : "new", problem: "" }));
  const { isBusy, problem, run } = useAction();
  useSaving(model, kept);
  const { id, state } = kept.value;
  const isMine = Boolean(tokenOf(id));
  const node = model.current.value;
  const setup = { ...(model.game.map ? { map: model.game.map } : { spec: model.game.spec }), position: node.position };
  const opened = () => {
    const button = document.querySelector("[popovertarget=study-menu]");
    if (button && menu.current?.matches(":popover-open")) placeBeside(menu.current, button.getBoundingClientRect());
  };
  const take = (/** @type {string} */ kind) => run(async () => {
    download(`polyversi-analysis.${kind}`, (await post("/api/analysis/file", { record: model.record(true), kind })).text);
  });
  const here = new URLSearchParams({ ...(model.game.spec ? { spec: model.game.spec } : {}), position: node.position });
  const link = `${location.origin}/analysis${id ? `/${id}` : model.gameId ? `?game=${model.gameId}&ply=${node.ply}` : `?${here}`}`;
  return html`
    <button type="button" class="button" popovertarget="study-menu" title=${t("Save, share and open")}><${Icon} name="share" />${t("File")}</button>
    <div ref=${menu} id="study-menu" class="menu" popover onToggle=${opened} role="group" aria-label=${t("Save, share and open")}>
      ${isMine
        ? html`<p class="small study-state" role="status">${state === "saving" ? t("Saving…") : t("Saved. Changes are saved by themselves.")}</p>`
        : html`<button type="button" class="button primary" disabled=${isBusy.value} onClick=${() => run(() => saveNew(model, kept))}>
            <${Icon} name="check" />${id ? t("Save a copy") : t("Save as a study")}</button>`}
      <${Alert} text=${problem.value || kept.value.problem} look="small" />
      ${(id || !model.game.map || model.gameId) && html`<${CopyButton} look="quiet" text=${link}
        label=${id ? t("Copy the link") : t("Copy a link to this position")} />`}
      <button type="button" class="button quiet" onClick=${() => download("polyversi-analysis.jsonl", `${model.record()}\n`)}>
        <${Icon} name="down" />${t("Record with variations (JSON Lines)")}</button>
      ${model.description.files.filter(({ kind, record }) => record && kind !== "jsonl").map(({ kind, record }) => html`
        <button key=${kind} type="button" class="button quiet" disabled=${isBusy.value} onClick=${() => take(kind)}>
          <${Icon} name="down" />${t("Main line ({format})", { format: record ?? kind })}</button>`)}
      ${!node.over && html`<button type="button" class="button quiet" onClick=${() => playFrom(setup)}>
        <${Icon} name="branch" />${t("Play from here")}</button>`}
      <button type="button" class="button quiet" onClick=${() => edit(setup)}><${Icon} name="pencil" />${t("Edit position")}</button>
      <${OpenRecord} />
      <${OwnStudies} now=${id} onToggle=${opened} />
    </div>`;
}
