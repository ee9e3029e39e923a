// Sets the chosen theme before anything is drawn, so that nobody sees a flash of the other one.
try {
  document.documentElement.dataset.theme = JSON.parse(localStorage.getItem("polyversi.theme") || '"system"');
} catch {
  document.documentElement.dataset.theme = "system";
}
