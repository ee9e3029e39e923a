// Runs before anything is drawn: the chosen theme and language, so that nobody sees a flash of another one.
{
  const root = document.documentElement;
  /** @type {(key: string) => any} */
  const stored = (key) => {
    try {
      return JSON.parse(localStorage.getItem(`polyversi.${key}`) ?? "null");
    } catch {
      return null;
    }
  };
  const known = ["en", ...(root.dataset.languages ?? "").split(" ").filter(Boolean)];
  /** The best language for a choice, or for what the browser prefers. @type {(choice: unknown) => string} */
  const languageFor = (choice) => {
    for (const wanted of [choice, ...navigator.languages]) {
      const [whole, part] = [String(wanted).toLowerCase(), String(wanted).toLowerCase().split("-")[0]];
      const found = known.find((tag) => tag.toLowerCase() === whole) ?? known.find((tag) => tag === part);
      if (found) return found;
    }
    return "en";
  };
  root.dataset.theme = stored("theme") ?? "system";
  root.lang = languageFor(stored("language"));
  const texts = root.lang === "en" ? undefined : fetch(`/page/languages/${root.lang}/texts.json`);
  texts?.catch(() => {});    // the page then stays in English
  Object.assign(globalThis, { polyversiLanguages: { known, languageFor, texts } });
}
