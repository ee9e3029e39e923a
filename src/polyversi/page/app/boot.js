// Sets the chosen theme before anything is drawn, so that nobody sees a flash of the other one.
try {
  document.documentElement.dataset.theme = JSON.parse(localStorage.getItem("polyversi.theme") || '"system"');
} catch {
  document.documentElement.dataset.theme = "system";
}
// The first view needs the variants at once: they are asked for while its modules are still on their way.
if (["/", "/play"].includes(location.pathname)) {
  const asked = fetch("/api/variants");
  asked.catch(() => {});    // whoever waits for it tells
  Object.assign(globalThis, { polyversiVariants: asked });
}
