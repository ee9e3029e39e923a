// Sets the chosen theme before anything is drawn, so that nobody sees a flash of the other one.
try {
  document.documentElement.dataset.theme = JSON.parse(localStorage.getItem("polyversi.theme") || '"system"');
} catch {
  document.documentElement.dataset.theme = "system";
}
// The first view needs the variants at once: they are requested while its modules are still loading.
if (["/", "/play"].includes(location.pathname)) {
  const request = fetch("/api/variants");
  request.catch(() => {});    // api.js reports it
  Object.assign(globalThis, { polyversiVariants: request });
}
