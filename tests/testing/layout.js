// What is wrong with where things lie on the page now, as sentences; see tests/testing/layout.py for the rules.
(hasBoard) => {
  const SLACK = 1.5;
  const problems = [];
  const modal = [...document.querySelectorAll("dialog[open]")].at(-1);
  const scope = modal ?? document.body;
  const width = document.documentElement.clientWidth;
  const height = window.innerHeight;

  const name = (element) => {
    const text = (element.getAttribute("aria-label") ?? element.innerText ?? element.value ?? "").trim().replace(/\s+/g, " ");
    const words = text.slice(0, 40) || element.getAttribute("name") || "";
    const look = typeof element.className === "string" && element.className ? `.${element.className.trim().split(/\s+/).join(".")}` : "";
    return `${element.localName}${look} '${words}'`;
  };
  const place = ({ left, top, right, bottom }) => `${Math.round(left)},${Math.round(top)}–${Math.round(right)},${Math.round(bottom)}`;
  const style = new Map();
  const styleOf = (element) => {
    if (!style.has(element)) style.set(element, getComputedStyle(element));
    return style.get(element);
  };
  const ancestors = function* (element) {
    for (let one = element.parentElement; one && one !== document.documentElement; one = one.parentElement) yield one;
  };
  const isHidden = (element) => [element, ...ancestors(element)].some((one) => {
    const { clipPath } = styleOf(one);
    return clipPath.startsWith("inset(50%") || one.classList.contains("skip");
  });
  const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !isHidden(element);
  const clips = (element) => styleOf(element).overflowX !== "visible" || styleOf(element).overflowY !== "visible";
  const scrolls = (element) => /auto|scroll/.test(styleOf(element).overflowX + styleOf(element).overflowY);
  const elides = (element) => styleOf(element).textOverflow === "ellipsis" || !["none", ""].includes(styleOf(element).webkitLineClamp);
  const stays = (element) => [element, ...ancestors(element)].some((one) => /fixed|sticky/.test(styleOf(one).position));
  const cut = (one, other) => ({
    left: Math.max(one.left, other.left), top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom),
  });
  const isEmpty = ({ left, top, right, bottom }) => right - left <= SLACK || bottom - top <= SLACK;
  /** The part of an element that is not cut off by what it lies in. */
  const seen = (element) => {
    let box = element.getBoundingClientRect();
    for (const one of ancestors(element)) if (clips(one) && one !== document.body) box = cut(box, one.getBoundingClientRect());
    return box;
  };

  if (document.documentElement.scrollWidth > width) problems.push(`the page is ${document.documentElement.scrollWidth} wide, the window ${width}`);

  // Texts: within the window, within the element they belong to, and not cut off unless they are elided.
  const texts = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("svg, option, script, style, noscript") || !isShown(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 0 && box.height > 0);
    const around = [element, ...ancestors(element)];
    if (around.some(elides)) continue;
    const block = around.find((one) => styleOf(one).display !== "inline" && styleOf(one).display !== "contents");
    for (const box of boxes) {
      const own = block.getBoundingClientRect();
      const isOut = box.left < own.left - SLACK || box.right > own.right + SLACK;
      if (isOut && !scrolls(block)) problems.push(`the text of ${name(element)} (${place(box)}) is wider than its box (${place(own)})`);
      for (const one of around) {
        if (!clips(one)) continue;
        if (scrolls(one)) break;    // one can scroll to it; what is further out clips the scroller
        const whole = one.getBoundingClientRect();
        const isCut = box.left < whole.left - SLACK || box.right > whole.right + SLACK || box.top < whole.top - 4 || box.bottom > whole.bottom + 4;
        if (isCut) problems.push(`the text of ${name(element)} (${place(box)}) is cut off by ${name(one)} (${place(whole)})`);
      }
    }
  }

  // What is chosen in a list: a copy with that choice alone tells how wide it would have to be.
  for (const list of scope.querySelectorAll("select:not([multiple])")) {
    const chosen = list.selectedOptions[0];
    if (!chosen || !isShown(list) || elides(list)) continue;
    const alone = list.cloneNode(false);
    alone.style.cssText = "position: absolute; visibility: hidden; width: auto; min-width: 0; max-width: none";
    alone.append(new Option(chosen.text));
    list.after(alone);
    const needed = alone.getBoundingClientRect().width;
    alone.remove();
    const own = list.getBoundingClientRect();
    if (needed > own.width + SLACK) problems.push(`the choice '${chosen.text}' (${Math.round(needed)} wide) is cut off by its list (${place(own)})`);
  }

  // What can be used: reachable, apart from each other, and not covered.
  const USABLE = "a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex='-1'])";
  const usable = [...scope.querySelectorAll(USABLE)].filter((one) => isShown(one) && !one.closest(".board") && one.id !== "main");
  const boxes = new Map(usable.map((one) => [one, seen(one)]));
  for (const one of usable) {
    const whole = one.getBoundingClientRect();
    const box = boxes.get(one);
    const inScroller = [...ancestors(one)].find((other) => clips(other) && scrolls(other));
    const fixed = [one, ...ancestors(one)].some((other) => styleOf(other).position === "fixed") || modal;
    const [x, y] = fixed ? [0, 0] : [scrollX, scrollY];
    const [right, bottom] = fixed ? [width, height] : [document.documentElement.scrollWidth, document.documentElement.scrollHeight];
    const isOut = whole.left + x < -SLACK || whole.top + y < -SLACK || whole.right + x > right + SLACK || whole.bottom + y > bottom + SLACK;
    if (isOut && !inScroller) problems.push(`${name(one)} (${place(whole)}) is where nobody can scroll to`);
    else if (isEmpty(box) && !inScroller) problems.push(`${name(one)} (${place(whole)}) is cut off`);
  }
  const label = (element) => element.closest("label");
  usable.forEach((one, at) => usable.slice(at + 1).forEach((other) => {
    if (one.contains(other) || other.contains(one) || (label(one) && label(one) === label(other))) return;
    if ((stays(one) || stays(other)) && !(stays(one) && stays(other))) return;    // seen below: one can scroll it out from under it
    const both = cut(boxes.get(one), boxes.get(other));
    if (!isEmpty(both)) problems.push(`${name(one)} and ${name(other)} overlap at ${place(both)}`);
  }));
  for (const one of usable) {
    const box = boxes.get(one);
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    if (isEmpty(box) || x < 0 || y < 0 || x >= width || y >= height) continue;
    const top = document.elementFromPoint(x, y);
    const isIt = top && (one.contains(top) || top.contains(one) || label(one)?.contains(top) || top.closest("label")?.contains(one));
    if (!isIt && !(top && stays(top))) problems.push(`${name(one)} (${place(box)}) is covered by ${top ? name(top) : "nothing"}`);
  }

  if (hasBoard) {
    const board = document.querySelector(".board")?.getBoundingClientRect();
    if (!board) problems.push("there is no board");
    else if (board.top < -SLACK || board.left < -SLACK || board.bottom > height + SLACK || board.right > width + SLACK) {
      problems.push(`the board (${place(board)}) is not wholly in the window (${width}×${height})`);
    }
  }
  return [...new Set(problems)];
}
