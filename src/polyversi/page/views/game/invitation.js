/** Before a game: links for friends with who can reach them, and the name of whoever comes by one. */
import { useFetched } from "../../app/api.js";
import { selectAll, valueOf } from "../../app/dom.js";
import { html, useEffect, useRef, useSignal } from "../../app/html.js";
import { plural, t } from "../../app/i18n.js";
import { name } from "../../app/settings.js";
import { savedGame, saveGame } from "../../app/storage.js";
import { common } from "../../app/words.js";
import { Select } from "../../components/forms.js";
import { CopyButton, Icon, Stone } from "../../components/icons.js";
import { elided, seatName } from "./text.js";

/** @import { GameModel } from "../../app/game.js" */
/** @import { Description } from "../../app/types.js" */

/** Who can reach the server; `is_open` is null where that is not known. @typedef {{is_open: boolean|null, addresses: string[], domains: string[]}} Reach */

/** Whether an address of the page leads to the visitor's own machine. @param {string} host */
const isHere = (host) => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host);

/**
 * The addresses under which others find this page, the best first: the visitor's own, unless that is only good here.
 * @param {Reach|null} reach
 */
function originsFor(reach) {
  const found = isHere(location.hostname) ? reach?.addresses ?? [] : [location.origin];
  return found.length ? found : [location.origin];
}

/** Who can open a link with this address. @param {{reach: Reach|null, origin: string}} props */
function WhoCanCome({ reach, origin }) {
  const { hostname } = new URL(origin);
  if (!reach) return null;
  if (!isHere(hostname)) {
    return html`<p class="soft small">${t("Works for everybody who can reach {host}.", { host: hostname })}</p>`;
  }
  const [domain] = reach.domains;
  return html`<p class="warning small" role="note">${domain
    ? t("This link works on this machine only. To invite others, open this page at {domain}.", { domain })
    : html`${t("This link works on this machine only. For friends elsewhere, start the server like this:")}
      ${" "}<code>polyversi run --host 0.0.0.0</code>`}</p>`;
}

/**
 * A QR code, made in the browser: the link has the seat's token, which never goes to any server in an address.
 * @param {{text: string, label: string}} props
 */
function QrCode({ text, label }) {
  const code = useSignal({ size: 0, path: "" });
  useEffect(() => {
    let isWanted = true;
    import("../../vendor/lean-qr.js").then(({ generate }) => {
      const made = generate(text);
      const dots = [];
      for (let y = 0; y < made.size; y++) for (let x = 0; x < made.size; x++) if (made.get(x, y)) dots.push(`M${x} ${y}h1v1h-1z`);
      if (isWanted) code.value = { size: made.size, path: dots.join("") };
    }, () => {});
    return () => { isWanted = false; };
  }, [text]);
  const { size, path } = code.value;
  return size > 0 && html`
    <svg class="qr-code" role="img" aria-label=${label} viewBox=${`-4 -4 ${size + 8} ${size + 8}`} shape-rendering="crispEdges">
      <path class="qr-ground" d=${`M-4-4h${size + 8}v${size + 8}h${-size - 8}z`} /><path d=${path} /></svg>`;
}

/** The link for a seat, to be copied, shared or scanned. @param {{address: string, label: string, isLocal: boolean}} props */
function SeatLink({ address, label, isLocal }) {
  const isScanned = useSignal(false);
  const share = () => {
    const what = { title: common.name, text: t("Play a game of Reversi with me"), url: address };
    navigator.share(what).catch(() => {});    // cancelled
  };
  return html`
    <input class="digits" readonly aria-label=${label} value=${address} onFocus=${selectAll} />
    <div class="row">
      <${CopyButton} text=${address} label=${t("Copy the link")} look="primary" />
      ${"share" in navigator && html`<button class="button" onClick=${share}><${Icon} name="share" />${t("Share")}</button>`}
      ${!isLocal && html`<button class="button" aria-expanded=${isScanned.value}
        onClick=${() => { isScanned.value = !isScanned.value; }}><${Icon} name="qr" />${t("QR code")}</button>`}
    </div>
    ${isScanned.value && html`<${QrCode} text=${address} label=${t("QR code of the link")} />`}`;
}

/** @param {{model: GameModel, description: Description}} props */
export function Waiting({ model, description }) {
  /** @type {Reach|null} */
  const reach = useFetched("/api/reach");
  const chosen = useSignal("");
  const links = Object.entries(savedGame(model.id)?.links ?? {});
  const isFree = (/** @type {number} */ seat) => !model.players.value[seat - 1];
  const free = links.filter(([seat]) => isFree(Number(seat)));
  const origins = originsFor(reach);
  const origin = origins.includes(chosen.value) ? chosen.value : origins[0];
  if (!links.length) {
    return html`<section class="panel stack tight"><h2>${t("Waiting for the others")}</h2>
      <p class="soft">${t("The game starts when everybody is here.")}</p></section>`;
  }
  return html`
    <section class="panel stack invitation"><h2>${plural(free.length, "Invite a friend", "Invite {count} friends")}</h2>
      <p class="soft">${plural(free.length, "Send this link. The game starts when your friend opens it.",
        "Send each friend one of these links. The game starts when everybody is here.")}</p>
      <${WhoCanCome} reach=${reach} origin=${origin} />
      ${origins.length > 1 && html`
        <${Select} label=${t("Address")} value=${origin} options=${Object.fromEntries(origins.map((one) => [one, one]))}
          onChange=${(/** @type {string} */ one) => { chosen.value = one; }} />`}
      ${links.map(([seat, path]) => {
        const label = t("Link for {name}", { name: seatName(model, Number(seat)) });
        return html`
          <div key=${seat} class="stack tight">
            <span class="row"><${Stone} paint=${description.plan.seats[Number(seat) - 1]} />${label}
              ${!isFree(Number(seat)) && html`<span class="tag good">${t("taken")}</span>`}</span>
            ${isFree(Number(seat)) && html`
              <${SeatLink} address=${`${origin}${path}`} label=${label} isLocal=${isHere(new URL(origin).hostname)} />`}
          </div>`;
      })}
    </section>`;
}

/** Asks a newcomer for a name, once. @param {{model: GameModel, description: Description}} props */
export function Join({ model, description }) {
  const written = useSignal("");
  const field = useRef(/** @type {HTMLInputElement|null} */ (null));
  useEffect(() => { field.current?.focus(); }, []);    // browsers complain of autofocus when one comes from another view
  const hosts = model.players.value.filter(Boolean).map(elided).join(", ");
  const join = (/** @type {Event} */ event) => {
    event.preventDefault();
    name.value = written.value.trim();
    saveGame(model.id, { token: model.token, ...savedGame(model.id), isNamed: true });
    model.join(name.value);
  };
  return html`
    <form class="panel stack join" onSubmit=${join} aria-labelledby="join-title">
      <h2 id="join-title">${hosts
        ? t("{name} invites you to a game of {game}", { name: hosts, game: t(description.title) })
        : t("You are invited to a game of {game}", { game: t(description.title) })}</h2>
      <label class="field"><span>${t("Your name")}</span>
        <input ref=${field} value=${written.value} maxlength="40" autocomplete="nickname"
          onInput=${(/** @type {Event} */ event) => { written.value = valueOf(event); }} /></label>
      <button class="button primary big">${written.value.trim() ? t("Play") : t("Play as a guest")}</button>
    </form>`;
}

/** Where only people of the site play: whoever has come by a link signs in first, and then the seat is theirs. @param {{id: string}} props */
export function ShutOut({ id }) {
  return html`<section class="panel stack tight" aria-labelledby="shut-out-title">
    <h2 id="shut-out-title">${t("Sign in to play")}</h2>
    <p>${t("Only people of this site play here. Sign in, and you can take the seat of this link.")}</p>
    <p><a class="button primary" href=${`/sign-in?next=${encodeURIComponent(`/game/${id}`)}`}>${t("Sign in")}</a></p></section>`;
}
