/** The texts of the settings. */

export const settings = {
  title: "Settings",
  name: "Your name",
  nameHint: "What others see when you play; kept in this browser only.",
  look: "Look",
  theme: "Colours",
  board: "Board",
  animation: "Stones flip visibly",
  patterns: "Patterns on stones, besides their colours",
  coordinates: "Names of columns and rows",
  sound: "A sound at every move",
  kept: "Everything here is kept in this browser and takes effect at once.",
};
