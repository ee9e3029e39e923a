#!/bin/sh
# Copies the page's libraries from node_modules to a folder, with imports that need no resolver: vendor.sh [FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
into=${1:-$here/../../src/polyversi/page/vendor}
cd "$here/node_modules"
take() {
  sed -e '/^\/\/# sourceMappingURL/d' -e 's#from"preact/hooks"#from"./hooks.js"#g' -e 's#from"preact"#from"./preact.js"#g' \
    -e 's#from"@preact/signals-core"#from"./signals-core.js"#g' "$1" > "$into/$2"
}
take preact/dist/preact.mjs preact.js
take preact/hooks/dist/hooks.mjs hooks.js
take htm/dist/htm.mjs htm.js
take @preact/signals-core/dist/signals-core.mjs signals-core.js
take @preact/signals/dist/signals.mjs signals.js
take lean-qr/index.mjs lean-qr.js
# It is published minified only as a script that sets a variable; its first line is the address of its repository.
{ tail -n +2 uplot/dist/uPlot.iife.min.js; echo 'export default uPlot;'; } > "$into/uplot.js"
cp uplot/dist/uPlot.min.css "$into/uplot.css"
for package in preact htm @preact/signals-core @preact/signals lean-qr uplot; do
  cp "$package/LICENSE" "$into/$(basename "$package").LICENSE.txt"
done
