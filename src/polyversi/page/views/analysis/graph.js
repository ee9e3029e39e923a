/** The graph over the moves: the value, stones and mobility; a click goes to the move. */
import { html, signal, useEffect, useMemo, useRef, useSignal } from "../../app/html.js";
import { number, t } from "../../app/i18n.js";
import { theme } from "../../app/settings.js";
import { load, save } from "../../app/storage.js";
import { Checkbox, Segments } from "../../components/forms.js";
import { standingWords } from "./bar.js";
import { MARKS, seatName, shortMove, standing } from "./text.js";

/** @import { AnalysisModel } from "./model.js" */
/** @import { Node } from "./nodes.js" */

/** The value is always there; the other curves as they are wanted, which is remembered. @typedef {"value"|"stones"|"mobility"} Curve */
const CURVES = /** @type {const} */ (["value", "stones", "mobility"]);
const curveNames = () => ({ value: t("Value"), stones: t("Stones"), mobility: t("Mobility") });
/** @type {import("../../app/html.js").Signal<Curve[]>} */
const wanted = signal(load("analysis.curves") ?? ["value", "stones"]);
/** What is drawn of many seats. */
const measure = signal(/** @type {Curve} */ ("value"));
/** Pixels; less in a low window, where the moves need them too. */
const HEIGHT = innerHeight < 800 ? 104 : 132;

/** The library, and its style, when a graph is first drawn. @type {Promise<any>|null} */
let library = null;

function loadLibrary() {
  library ??= (async () => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/page/vendor/uplot.css" });
    document.head.append(link);
    return (await import("../../vendor/uplot.js")).default;
  })();
  library.catch(() => { library = null; });
  return library;
}

/** The difference between the first seat and the second. @param {number[]} counts */
const margin = ([one, other]) => (one === undefined ? null : one - other);

/** The points of the curves of two seats, by ply. @type {(model: AnalysisModel, line: Node[]) => (number|null)[][]} */
function pairData(model, line) {
  return [
    line.map((_, ply) => ply),
    line.map((node) => standing(model, node)?.value ?? null),
    line.map(({ scores }) => margin(scores)),
    line.map(({ mobility, over }) => (over ? null : margin(mobility))),
  ];
}

/** The points of a curve for every seat, by ply. @type {(model: AnalysisModel, line: Node[], shown: Curve) => (number|null)[][]} */
function seatsData(model, line, shown) {
  const of = (/** @type {Node} */ node, /** @type {number} */ at) => {
    if (shown === "stones") return node.scores[at] ?? null;
    if (shown === "mobility") return node.mobility[at] ?? null;
    const reviewed = node.next?.reviewed;
    return standing(model, node)?.points?.[at] ?? (reviewed?.seat === at + 1 ? reviewed.best_value : null);
  };
  return [line.map((_, ply) => ply), ...model.description.plan.seats.map((_, at) => line.map((node) => of(node, at)))];
}

/** @param {string} name of a class */
const colourOf = (name) => {
  const found = document.querySelector(`.analysis-graph .${name}`);
  return found ? getComputedStyle(found).color : "#808080";
};

/** Marks of a review and the current move, drawn over the curves. @type {(plot: any, model: AnalysisModel) => void} */
function drawMarks(plot, model) {
  const { ctx } = plot;
  const line = model.line.peek();
  const x = (/** @type {number} */ ply) => Math.round(plot.valToPos(ply, "x", true));
  const { left, top, width, height } = plot.bbox;
  const ply = line.indexOf(model.current.peek());
  ctx.save();
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.strokeStyle = colourOf("graph-now");
  ctx.beginPath();
  ctx.moveTo(x(ply), top);
  ctx.lineTo(x(ply), top + height);
  ctx.stroke();
  for (const turning of model.engine.review.peek()?.turning_points ?? []) {
    if (!line[turning]?.reviewed) continue;
    ctx.fillStyle = colourOf("graph-turning");
    const size = 5 * devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x(turning) - size, top);
    ctx.lineTo(x(turning) + size, top);
    ctx.lineTo(x(turning), top + 1.6 * size);
    ctx.fill();
  }
  for (const [at, { reviewed }] of line.entries()) {
    if (!reviewed?.mark) continue;
    const value = plot.data[1][at] ?? plot.data[1][at - 1] ?? 0;
    const y = model.description.seats === 2 ? Math.round(plot.valToPos(value, "y", true)) : top + height - 6 * devicePixelRatio;
    ctx.fillStyle = colourOf(MARKS[reviewed.mark]);
    ctx.beginPath();
    ctx.arc(Math.min(Math.max(x(at), left), left + width), y, 4.5 * devicePixelRatio, 0, 7);
    ctx.fill();
  }
  ctx.restore();
}

/** What uPlot is told. @type {(model: AnalysisModel, width: number, onHover: (ply: number|null) => void) => object} */
function optionsOf(model, width, onHover) {
  const isPair = model.description.seats === 2;
  const axis = { stroke: () => colourOf("graph-axis"), font: "12px system-ui, sans-serif", size: 30, gap: 4,
    grid: { stroke: () => colourOf("graph-grid"), width: 1 }, ticks: { show: false },
    incrs: [1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 100, 200, 500, 1000] };
  const plain = { spanGaps: true, points: { show: false } };
  const shade = () => colourOf("curve-value").replace("rgb(", "rgba(").replace(")", ", 0.22)");
  const series = isPair
    ? CURVES.map((name) => ({
      ...plain, stroke: () => colourOf(`curve-${name}`), width: name === "value" ? 2.5 : 1.5,
      ...(name === "value" ? { fill: shade, fillTo: 0 } : {}),
    }))
    : model.description.plan.seats.map(({ fill }) => ({ ...plain, stroke: fill, width: 2 }));
  const plies = (/** @type {any} */ _, /** @type {number} */ low, /** @type {number} */ high) => [low, Math.max(high, low + 1)];
  const bounds = (/** @type {any} */ _, /** @type {number|null} */ low, /** @type {number|null} */ high) => {
    if (!isPair) return [Math.min(0, low ?? 0), Math.max(4, high ?? 4)];
    const most = Math.max(8, Math.abs(low ?? 0), Math.abs(high ?? 0));
    return [-most, most];
  };
  return {
    width, height: HEIGHT, padding: [8, 8, 0, 0], legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: { x: { time: false, range: plies }, y: { range: bounds } },
    axes: [axis, { ...axis, size: 34 }],
    series: [{}, ...series],
    hooks: {
      draw: [(/** @type {any} */ plot) => drawMarks(plot, model)],
      setCursor: [(/** @type {any} */ plot) => onHover(plot.cursor.idx ?? null)],
      ready: [(/** @type {any} */ plot) => plot.over.addEventListener("click", () => {
        if (plot.cursor.idx !== null && plot.cursor.idx !== undefined) model.goTo(plot.cursor.idx);
      })],
    },
  };
}

/**
 * The plot for as long as the graph is shown.
 * @param {AnalysisModel} model
 * @param {(number|null)[][]} data
 * @param {(ply: number|null) => void} onHover
 */
function usePlot(model, data, onHover) {
  const host = useRef(/** @type {HTMLDivElement|null} */ (null));
  const plot = useRef(/** @type {any} */ (null));
  const latest = useRef(data);
  latest.current = data;
  useEffect(() => {
    let isHere = true;
    const resized = new ResizeObserver(() => plot.current?.setSize({ width: host.current?.clientWidth ?? 0, height: HEIGHT }));
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const redraw = () => plot.current?.redraw();
    loadLibrary().then((Plot) => {
      if (!isHere || !host.current) return;
      plot.current = new Plot(optionsOf(model, host.current.clientWidth, onHover), latest.current, host.current);
      showCurves(plot.current, model);
      resized.observe(host.current);
    }, () => {});
    scheme.addEventListener("change", redraw);
    return () => {
      isHere = false;
      resized.disconnect();
      scheme.removeEventListener("change", redraw);
      plot.current?.destroy();
      plot.current = null;
    };
  }, [model]);
  useEffect(() => { plot.current?.setData(data); }, [data]);
  useEffect(() => { if (plot.current) showCurves(plot.current, model); }, [wanted.value]);
  useEffect(() => { plot.current?.redraw(); }, [model.current.value, model.engine.review.value, theme.value]);
  return host;
}

/** @type {(plot: any, model: AnalysisModel) => void} */
function showCurves(plot, model) {
  if (model.description.seats !== 2) return;
  for (const [at, name] of CURVES.entries()) plot.setSeries(at + 1, { show: wanted.peek().includes(name) });
}

/** Which curves there are, or what they show of every seat. @param {{model: AnalysisModel}} props */
function Legend({ model }) {
  const names = curveNames();
  if (model.description.seats > 2) {
    return html`<${Segments} label=${t("Curves")} name="curves" value=${measure.value}
      options=${CURVES.map((name) => [name, names[name]])} onChange=${(/** @type {Curve} */ name) => { measure.value = name; }} />`;
  }
  const change = (/** @type {Curve} */ name, /** @type {boolean} */ isShown) => {
    wanted.value = CURVES.filter((one) => (one === name ? isShown : wanted.value.includes(one)));
    save("analysis.curves", wanted.value);
  };
  return CURVES.map((name) => html`<span key=${name} class=${`curve curve-${name}`}>
    <${Checkbox} label=${names[name]} checked=${wanted.value.includes(name)}
      onChange=${(/** @type {boolean} */ isShown) => change(name, isShown)} /></span>`);
}

/** @param {{model: AnalysisModel}} props */
export function Graph({ model }) {
  const hovered = useSignal(/** @type {number|null} */ (null));
  const [line, learned, shown] = [model.line.value, model.engine.version.value, measure.value];
  const isPair = model.description.seats === 2;
  const isHidden = model.trial.value !== null && model.trial.value.isRight !== true;
  const data = useMemo(() => (isPair ? pairData(model, line) : seatsData(model, line, shown)), [line, learned, shown]);
  const host = usePlot(model, data, (ply) => { hovered.value = ply; });
  const at = line[hovered.value ?? -1] ?? model.current.value;
  const told = [
    at.move ? `${number(at.ply)}. ${seatName(model, at.seat)} ${shortMove(at.move)}` : t("The start"), standingWords(model, standing(model, at)),
  ].join(" · ");
  const last = number(line.length - 1);
  return html`
    <section class="analysis-graph" aria-label=${t("Graph")}>
      <div class="graph-head small"><div class="row">
        <${Legend} model=${model} /></div>${!isHidden && html`<span class="graph-told soft number">${told}</span>`}</div>
      <span class="graph-axis graph-colour"></span><span class="graph-grid graph-colour"></span><span class="graph-now graph-colour"></span>
      <span class="graph-turning graph-colour"></span>
      ${Object.values(MARKS).map((name) => html`<span key=${name} class=${`${name} graph-colour`}></span>`)}
      <div class=${`graph-plot ${isHidden ? "hidden" : ""}`} ref=${host} role="img"
        aria-label=${isPair
          ? t("Value, stones and mobility over {count} moves, from the first player's side", { count: last })
          : t("Values, stones and mobility of every player over {count} moves", { count: last })}></div>
    </section>`;
}
