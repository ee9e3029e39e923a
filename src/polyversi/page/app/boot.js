// Runs before anything is drawn: the chosen theme and language, so that nobody sees a flash of another one, and the
// requests that would otherwise wait for modules.
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
  // What fails is reported by those who use the answer.
  const request = (/** @type {string} */ path) => {
    const answer = fetch(path);
    answer.catch(() => {});
    return answer;
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
  const texts = root.lang === "en" ? undefined : request(`/page/languages/${root.lang}/texts.json`);
  Object.assign(globalThis, { polyversiLanguages: { known, languageFor, texts } });
  // The first view needs the variants at once.
  if (["/", "/play"].includes(location.pathname)) {
    Object.assign(globalThis, { polyversiVariants: request("/api/variants") });
  }
}
