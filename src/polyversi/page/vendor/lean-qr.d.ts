/// <reference path="../../../../tests/page/node_modules/lean-qr/index.d.ts" />
export * from "lean-qr";
