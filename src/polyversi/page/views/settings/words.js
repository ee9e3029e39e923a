/** The texts of the settings. */

export const words = {
  title: "Settings",
  name: "Your name",
  nameHint: "What others see when you play; stored in this browser only.",
  theme: "Colours",
  board: "Board",
  animation: "Animate flipping stones",
  patterns: "Patterns on stones, besides their colours",
  coordinates: "Names of columns and rows",
  sound: "A sound at every move",
  stored: "Settings are stored in this browser and take effect at once.",
};
